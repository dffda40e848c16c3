"""Bad input: what is no array of real numbers."""

import numpy as np
import pytest
from refusals import (
    ITSELF,
    LONG,
    MHA,
    RAGGED,
    TEXT,
    TRACE,
    W_O,
    W_V,
    ArrayLike,
    K,
    Q,
    V,
    W,
    X,
    assert_refused,
    build,
    hidden,
    masked,
    mha_masked,
    sdpa,
)

import attnlib as al

REFUSED = {
    # what is not a real number
    "complex Q": (lambda: sdpa(Q * 1j), TypeError, ["Q has dtype complex128", "float"]),
    "complex K": (lambda: sdpa(k=K * 1j), TypeError, ["K has dtype complex128"]),
    "complex V": (lambda: sdpa(v=V * 1j), TypeError, ["V has dtype complex128"]),
    "object Q": (lambda: sdpa(Q.astype(object)), TypeError, ["Q has dtype object"]),
    "string V": (lambda: sdpa(v=V.astype(str)), TypeError, ["V has dtype <U"]),
    "bytes V": (lambda: sdpa(v=V.astype(bytes)), TypeError, ["V has dtype |S"]),
    "dates as K": (lambda: sdpa(k=K.astype("M8[s]")), TypeError, ["K has dtype datetime64[s]"]),
    "None for K": (lambda: al.scores(Q, None), TypeError, ["K has dtype object"]),
    "None for V": (lambda: sdpa(v=None), TypeError, ["V has dtype object"]),
    "attend: None for V": (lambda: al.attend(Q, K, None), TypeError, ["V has dtype object"]),
    "ragged Q": (lambda: al.scores(RAGGED, K), ValueError, ["Q is not a rectangular array"]),
    "scores: complex K": (lambda: al.scores(Q, K * 1j), TypeError, ["K has dtype complex128"]),
    "weights: string Q": (lambda: al.attention_weights(TEXT, K), TypeError, ["Q has dtype <U1"]),
    "attend: object V": (lambda: al.attend(Q, K, [[None]]), TypeError, ["V has dtype object"]),
    "softmax: complex x": (lambda: al.softmax([1j]), TypeError, ["x has dtype complex128"]),
    "softmax: string x": (lambda: al.softmax(TEXT), TypeError, ["x has dtype <U1"]),
    "self-attention: complex X": (
        lambda: al.self_attention(X * 1j, W, W, W_V),
        TypeError,
        ["X has dtype complex128"],
    ),
    "self-attention: object W_Q": (
        lambda: al.self_attention(X, W.astype(object), W, W_V),
        TypeError,
        ["W_Q has dtype object"],
    ),
    "self-attention: string W_K": (
        lambda: al.self_attention(X, W, W.astype(str), W_V),
        TypeError,
        ["W_K has dtype <U"],
    ),
    "self-attention: complex W_V": (
        lambda: al.self_attention(X, W, W, W_V * 1j),
        TypeError,
        ["W_V has dtype complex128"],
    ),
    "split: string": (lambda: al.split_heads(TEXT, 1), TypeError, ["x has dtype <U1"]),
    "merge: complex": (lambda: al.merge_heads([[[1j]]]), TypeError, ["x has dtype complex128"]),
    "multi-head: object W_Q": (lambda: build(W.astype(object)), TypeError, ["W_Q has dtype"]),
    "multi-head: complex W_K": (lambda: build(w_k=W * 1j), TypeError, ["W_K has dtype"]),
    "multi-head: string W_V": (lambda: build(w_v=W_V.astype(str)), TypeError, ["W_V has dtype"]),
    "multi-head: ragged W_O": (lambda: build(w_o=RAGGED), ValueError, ["W_O is not a rect"]),
    "multi-head: complex X": (lambda: MHA(X * 1j), TypeError, ["X has dtype complex128"]),
    "multi-head: string X": (lambda: MHA.trace(X.astype(str)), TypeError, ["X has dtype <U"]),
    "multi-head: complex dO": (lambda: MHA.backward(TRACE, X * 1j), TypeError, ["dO has dtype"]),
    # masked arrays: asarray would drop the mask
    "masked Q": (lambda: sdpa(hidden(Q)), TypeError, ["Q is a masked array", "Q.filled(...)"]),
    "masked K": (
        lambda: sdpa(k=hidden(K)),
        TypeError,
        ["K is a masked array", "K.filled(...)", "attn_mask which keys may be attended to"],
    ),
    "masked V": (lambda: sdpa(v=hidden(V)), TypeError, ["V is a masked array"]),
    "masked, with nothing masked": (
        lambda: sdpa(np.ma.masked_array(Q)),
        TypeError,
        ["Q is a masked array"],
    ),
    "a list of masked rows": (
        lambda: al.scores(list(hidden(Q[0])), K[0]),
        TypeError,
        ["Q is a masked array, or holds one"],
    ),
    "a masked entry in nested tuples": (
        lambda: al.softmax([(1.0, 2.0), (3.0, np.ma.masked)]),
        TypeError,
        ["x is a masked array, or holds one"],
    ),
    "a masked mask": (
        lambda: masked(hidden(np.ones((3, 5), bool))),
        TypeError,
        ["attn_mask is a masked array", "attn_mask.filled(...)"],
    ),
    "attend: masked V": (lambda: al.attend(Q, K, hidden(V)), TypeError, ["V is a masked array"]),
    "weights: masked K": (
        lambda: al.attention_weights(Q, hidden(K)),
        TypeError,
        ["K is a masked array"],
    ),
    "self-attention: masked X": (
        lambda: al.self_attention(hidden(X), W, W, W_V),
        TypeError,
        ["X is a masked array"],
    ),
    "self-attention: masked W_K": (
        lambda: al.self_attention(X, W, hidden(W), W_V),
        TypeError,
        ["W_K is a masked array"],
    ),
    "self-attention: a masked mask": (
        lambda: al.self_attention(X, W, W, W_V, attn_mask=hidden(np.zeros((5, 5)))),
        TypeError,
        ["attn_mask is a masked array"],
    ),
    "split: masked x": (lambda: al.split_heads(hidden(X), 2), TypeError, ["x is a masked array"]),
    "merge: masked x": (lambda: al.merge_heads(hidden(X)), TypeError, ["x is a masked array"]),
    "multi-head: masked W_V": (
        lambda: build(w_v=hidden(W_V)),
        TypeError,
        ["W_V is a masked array"],
    ),
    "multi-head: masked X": (lambda: MHA(hidden(X)), TypeError, ["X is a masked array"]),
    "multi-head: a masked mask": (
        lambda: mha_masked(hidden(np.ones((2, 5, 5), bool))),
        TypeError,
        ["attn_mask is a masked array"],
    ),
    "multi-head: masked dO": (
        lambda: MHA.backward(TRACE, hidden(X)),
        TypeError,
        ["dO is a masked array"],
    ),
    "from_torch: masked weights": (
        lambda: al.MultiHeadAttention.from_torch(hidden(np.ones((24, 8))), np.ones((8, 8)), 2),
        TypeError,
        ["in_proj_weight is a masked array"],
    ),
    # floats outside the list, and what else has no place in it
    "long double Q": (
        lambda: sdpa(Q.astype(LONG)),
        TypeError,
        [
            f"Q has dtype {np.dtype(LONG)}",
            "float16, float32 and float64",
            "Q.astype(np.float32)",
        ],
    ),
    "softmax: long double": (lambda: al.softmax(LONG(1)), TypeError, ["x.astype(np.float32)"]),
    "a long double mask": (
        lambda: masked(np.zeros((3, 5), LONG)),
        TypeError,
        [f"attn_mask has dtype {np.dtype(LONG)}", "attn_mask.astype(np.float32)"],
    ),
    "multi-head: long double W_O": (
        lambda: build(w_o=W_O.astype(LONG)),
        TypeError,
        ["W_O.astype(np.float32)"],
    ),
    "durations as V": (lambda: sdpa(v=V.astype("m8[s]")), TypeError, ["V has dtype timedelta64"]),
    "a structured x": (
        lambda: al.softmax(np.zeros(3, [("a", float), ("b", float)])),
        TypeError,
        ["x has dtype [("],
    ),
    "what NumPy cannot read": (
        lambda: al.scores(Q, ArrayLike()),
        TypeError,
        ["K cannot be read as an array: Got unsupported ScalarType BFloat16"],
    ),
    "a mask that NumPy cannot read": (
        lambda: masked(ArrayLike()),
        TypeError,
        ["attn_mask cannot be read as an array"],
    ),
    "a list that holds itself": (
        lambda: al.softmax(ITSELF),
        ValueError,
        ["x is not a rectangular array"],
    ),
}


@pytest.mark.parametrize(("call", "error", "parts"), REFUSED.values(), ids=REFUSED)
def test_is_refused_with_a_message_to_act_on(call, error, parts):
    assert_refused(call, error, parts)
