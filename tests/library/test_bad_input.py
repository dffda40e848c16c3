"""Bad input: each kind is refused with a message that names the argument and the way out."""

import re
from fractions import Fraction

import numpy as np
import pytest

import attnlib as al

Q, K, V = np.ones((2, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 6))
X, W, W_V, W_O = np.ones((2, 5, 8)), np.ones((8, 12)), np.ones((8, 6)), np.ones((6, 8))
MHA = al.MultiHeadAttention(W, W, W_V, W_O, 3)
TRACE = MHA.trace(X)
RNG = np.random.default_rng(0)
TEXT = np.array(["a"])
RAGGED = [[1.0, 2.0], [3.0]]
ITSELF = []
ITSELF.append(ITSELF)
LONG = np.longdouble


def hidden(array):
    """A masked array: attention would use what it hides."""
    return np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) % 3 == 0)


class ArrayLike:
    """What NumPy cannot read, as a tensor of PyTorch in bfloat16."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


def sdpa(q=Q, k=K, v=V, *args, **kwargs):
    return al.scaled_dot_product_attention(q, k, v, *args, **kwargs)


def masked(mask):
    return sdpa(attn_mask=mask)


def mha_masked(mask, x=X):
    return MHA(x, attn_mask=mask)


def build(w_q=W, w_k=W, w_v=W_V, w_o=W_O, n_heads=3):
    return al.MultiHeadAttention(w_q, w_k, w_v, w_o, n_heads)


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
    # too few axes
    "one query without an axis": (
        lambda: sdpa(np.ones(4)),
        ValueError,
        ["Q has shape (4,)", "(..., n_q, d_k):", "Q[None, :]"],
    ),
    "one key without an axis": (
        lambda: al.scores(Q, np.ones(4)),
        ValueError,
        ["K has shape (4,)", "(..., n_k, d_k):", "K[None, :]"],
    ),
    "one value without an axis": (
        lambda: sdpa(v=np.ones(5)),
        ValueError,
        ["V has shape (5,)", "(..., n_k, d_v):"],
    ),
    "a number for Q": (lambda: al.scores(1.0, K), ValueError, ["Q has shape ()"]),
    "softmax of a number": (lambda: al.softmax(1.0), ValueError, ["x has shape ()", "axis -1"]),
    "one token without an axis": (
        lambda: al.self_attention(np.ones(8), W, W, W_V),
        ValueError,
        ["X has shape (8,)", "(..., n, d_model):", "X[None, :]"],
    ),
    "a vector for W_K": (
        lambda: al.self_attention(X, W, np.ones(8), W_V),
        ValueError,
        ["W_K has shape (8,)", "(..., d_model, d):"],
    ),
    "multi-head: a vector for X": (
        lambda: MHA(np.ones(8)),
        ValueError,
        ["X has shape (8,)", "(..., n, d_model):"],
    ),
    "multi-head: three axes for W_Q": (
        lambda: build(np.ones((1, 8, 12))),
        ValueError,
        ["W_Q has shape (1, 8, 12)", "exactly two axes"],
    ),
    "multi-head: one axis for W_O": (
        lambda: build(w_o=np.ones(8)),
        ValueError,
        ["W_O has shape (8,)", "exactly two axes"],
    ),
    "split: one axis": (
        lambda: al.split_heads(np.ones(6), 3),
        ValueError,
        ["x has shape (6,)", "(..., n, H*d_h):"],
    ),
    "merge: two axes": (
        lambda: al.merge_heads(np.ones((5, 2))),
        ValueError,
        ["x has shape (5, 2)", "(..., H, n, d_h):", "x[None, :, :]"],
    ),
    # arrays that do not fit together: both names, both shapes, the axis
    "Q and K: d_k": (
        lambda: al.scores(Q, K[..., :3]),
        ValueError,
        [
            "Q and K disagree on d_k: Q has shape (2, 3, 4), so d_k = 4 on axis -1; "
            "K has shape (2, 5, 3), so d_k = 3 on axis -1"
        ],
    ),
    "K and V: n_k": (
        lambda: sdpa(v=V[:, :4]),
        ValueError,
        [
            "K and V disagree on n_k: K has shape (2, 5, 4), so n_k = 5 on axis -2; "
            "V has shape (2, 4, 6), so n_k = 4 on axis -2"
        ],
    ),
    "Q and K: leading axes": (
        lambda: al.scores(np.ones((7, 3, 4)), K),
        ValueError,
        [
            "Q and K do not broadcast: Q has shape (7, 3, 4), K has shape (2, 5, 4), and on axis "
            "-3 they have 7 and 2; leading axes must be equal or 1"
        ],
    ),
    "Q and V: leading axes": (
        lambda: sdpa(k=K[0], v=np.ones((3, 5, 6))),
        ValueError,
        ["Q and V do not broadcast", "(2, 3, 4)", "(3, 5, 6)", "axis -3", "2 and 3"],
    ),
    "K and V: leading axes": (
        lambda: sdpa(Q[0], np.ones((3, 1, 5, 4)), np.ones((2, 1, 5, 6))),
        ValueError,
        ["K and V do not broadcast", "(3, 1, 5, 4)", "(2, 1, 5, 6)", "axis -4", "3 and 2"],
    ),
    "leading axes of no length": (
        lambda: al.scores(np.ones((0, 3, 4)), K),
        ValueError,
        ["Q and K do not broadcast", "axis -3", "0 and 2"],
    ),
    "X and W_Q: d_model": (
        lambda: al.self_attention(X, W[:7], W, W_V),
        ValueError,
        ["X and W_Q disagree on d_model", "(2, 5, 8)", "8 on axis -1", "(7, 12)", "7 on axis -2"],
    ),
    "X and W_K: d_model": (
        lambda: al.self_attention(X, W, W[:7], W_V),
        ValueError,
        ["X and W_K disagree on d_model"],
    ),
    "X and W_V: d_model": (
        lambda: al.self_attention(X, W, W, W_V[:7]),
        ValueError,
        ["X and W_V disagree on d_model"],
    ),
    "W_Q and W_K: d_k": (
        lambda: al.self_attention(X, W, W[:, :7], W_V),
        ValueError,
        ["W_Q and W_K disagree on d_k", "(8, 12)", "12 on axis -1", "(8, 7)", "7 on axis -1"],
    ),
    "X and W_Q: leading axes": (
        lambda: al.self_attention(X, np.ones((3, 8, 12)), W, W_V),
        ValueError,
        ["X and W_Q do not broadcast", "(2, 5, 8)", "(3, 8, 12)", "axis -3"],
    ),
    "X and W_K: leading axes": (
        lambda: al.self_attention(X, W, np.ones((3, 8, 12)), W_V),
        ValueError,
        ["X and W_K do not broadcast"],
    ),
    "X and W_V: leading axes": (
        lambda: al.self_attention(X, W, W, np.ones((3, 8, 6))),
        ValueError,
        ["X and W_V do not broadcast"],
    ),
    "W_K and W_V: leading axes": (
        lambda: al.self_attention(X[0], W, np.ones((2, 8, 12)), np.ones((3, 8, 6))),
        ValueError,
        ["W_K and W_V do not broadcast", "2 and 3"],
    ),
    "multi-head: X and W_Q": (
        lambda: MHA(X[..., :7]),
        ValueError,
        ["X and W_Q disagree on d_model", "(2, 5, 7)", "7 on axis -1", "(8, 12)", "8 on axis 0"],
    ),
    "multi-head: W_Q and W_K rows": (
        lambda: build(w_k=W[:7]),
        ValueError,
        ["W_Q and W_K disagree on d_model", "8 on axis 0", "7 on axis 0"],
    ),
    "multi-head: W_Q and W_V rows": (
        lambda: build(w_v=W_V[:7]),
        ValueError,
        ["W_Q and W_V disagree on d_model", "8 on axis 0", "7 on axis 0"],
    ),
    "multi-head: W_Q and W_O": (
        lambda: build(w_o=W_O[:, :7]),
        ValueError,
        ["W_Q and W_O disagree on d_model", "8 on axis 0", "7 on axis 1"],
    ),
    "multi-head: W_Q and W_K columns": (
        lambda: build(w_k=W[:, :9]),
        ValueError,
        ["W_Q and W_K disagree on H*d_k", "12 on axis 1", "9 on axis 1"],
    ),
    "multi-head: W_V and W_O": (
        lambda: build(w_o=W_O[:3]),
        ValueError,
        ["W_V and W_O disagree on H*d_v", "6 on axis 1", "3 on axis 0"],
    ),
    "multi-head: dO and O": (
        lambda: MHA.backward(TRACE, X[:, :4]),
        ValueError,
        ["dO has shape (2, 4, 8), trace.O has shape (2, 5, 8)", "one derivative for each entry"],
    ),
    # heads
    "split: a width that n_heads does not divide": (
        lambda: al.split_heads(X, 3),
        ValueError,
        ["n_heads = 3 does not divide the width 8 of x", "(2, 5, 8)"],
    ),
    "multi-head: W_Q that n_heads does not divide": (
        lambda: build(n_heads=5),
        ValueError,
        ["n_heads = 5 does not divide the width 12 of W_Q", "(8, 12)"],
    ),
    "multi-head: W_V that n_heads does not divide": (
        lambda: build(n_heads=4),
        ValueError,
        ["n_heads = 4 does not divide the width 6 of W_V", "(8, 6)"],
    ),
    "init: a d_model that n_heads does not divide": (
        lambda: al.MultiHeadAttention.init(8, 3, RNG),
        ValueError,
        ["n_heads = 3 does not divide d_model = 8"],
    ),
    "no heads": (lambda: build(n_heads=0), ValueError, ["n_heads must be at least 1, not 0"]),
    "split: no heads": (lambda: al.split_heads(X, 0), ValueError, ["n_heads must be at least 1"]),
    "split: half heads": (
        lambda: al.split_heads(X, 2.0),
        TypeError,
        ["n_heads must be an integer, not 2.0"],
    ),
    "multi-head: a flag for n_heads": (
        lambda: build(n_heads=True),
        TypeError,
        ["n_heads must be an integer, not True"],
    ),
    "init: no width": (
        lambda: al.MultiHeadAttention.init(0, 1, RNG),
        ValueError,
        ["d_model must be at least 1, not 0"],
    ),
    "init: a float for d_model": (
        lambda: al.MultiHeadAttention.init(8.0, 1, RNG),
        TypeError,
        ["d_model must be an integer, not 8.0"],
    ),
    "init: a string for n_heads": (
        lambda: al.MultiHeadAttention.init(8, "2", RNG),
        TypeError,
        ["n_heads must be an integer, not '2'"],
    ),
    "init: no heads": (
        lambda: al.MultiHeadAttention.init(8, 0, RNG),
        ValueError,
        ["n_heads must be at least 1, not 0"],
    ),
    "init: a seed for rng": (
        lambda: al.MultiHeadAttention.init(8, 2, 0),
        TypeError,
        ["rng must be a numpy.random.Generator", "default_rng(0)", "not int"],
    ),
    # the packed layout of PyTorch
    "from_torch: not three square weights": (
        lambda: al.MultiHeadAttention.from_torch(np.ones((16, 8)), np.ones((8, 8)), 2),
        ValueError,
        ["in_proj_weight has shape (16, 8)", "(3*d_model, d_model)"],
    ),
    "from_torch: one axis": (
        lambda: al.MultiHeadAttention.from_torch(np.ones(24), np.ones((8, 8)), 2),
        ValueError,
        ["in_proj_weight has shape (24,)", "(3*d_model, d_model)"],
    ),
    "from_torch: an output projection of another width": (
        lambda: al.MultiHeadAttention.from_torch(np.ones((24, 8)), np.ones((8, 7)), 2),
        ValueError,
        [
            "in_proj_weight and out_proj_weight disagree on d_model",
            "(24, 8)",
            "needs (8, 8)",
            "has (8, 7)",
        ],
    ),
    "from_torch: complex in_proj_weight": (
        lambda: al.MultiHeadAttention.from_torch(np.ones((24, 8)) * 1j, np.ones((8, 8)), 2),
        TypeError,
        ["in_proj_weight has dtype complex128"],
    ),
    "from_torch: string out_proj_weight": (
        lambda: al.MultiHeadAttention.from_torch(np.ones((24, 8)), TEXT, 2),
        TypeError,
        ["out_proj_weight has dtype <U1"],
    ),
    "from_torch: heads that do not divide": (
        lambda: al.MultiHeadAttention.from_torch(np.ones((24, 8)), np.ones((8, 8)), 3),
        ValueError,
        ["n_heads = 3 does not divide the width 8"],
    ),
    # masks
    "an integer mask": (
        lambda: masked(np.ones((3, 5), int)),
        TypeError,
        ["attn_mask has dtype int64", "two kinds", "bool", "True = may attend", "float", "-inf"],
    ),
    "an unsigned mask": (lambda: masked(np.ones((3, 5), np.uint8)), TypeError, ["two kinds"]),
    "a complex mask": (lambda: masked(np.ones((3, 5), complex)), TypeError, ["two kinds"]),
    "an object mask": (lambda: masked([[None] * 5]), TypeError, ["attn_mask has dtype object"]),
    "a string mask": (lambda: masked("causal"), TypeError, ["attn_mask has dtype <U6"]),
    "a ragged mask": (lambda: masked(RAGGED), ValueError, ["attn_mask is not a rectangular"]),
    "a mask of one axis": (
        lambda: masked(np.ones(5, bool)),
        ValueError,
        ["attn_mask has shape (5,)", "two axes, (3 or 1, 5)", "attn_mask[None, :]"],
    ),
    "a flag for a mask": (lambda: masked(True), ValueError, ["attn_mask has shape ()"]),
    "a mask with too few keys": (
        lambda: masked(np.ones((3, 4), bool)),
        ValueError,
        ["attn_mask and K disagree on n_k", "(3, 4)", "4 keys on its last axis", "K has 5"],
    ),
    "a mask with one key for all": (
        lambda: masked(np.ones((3, 1), bool)),
        ValueError,
        ["attn_mask and K disagree on n_k", "(3, 1)", "K has 5"],
    ),
    "a mask with too many queries": (
        lambda: masked(np.zeros((4, 5))),
        ValueError,
        ["attn_mask and Q disagree on n_q", "(4, 5)", "4 queries on axis -2", "Q has 3", "1 would"],
    ),
    "a mask the wrong way round": (
        lambda: masked(np.ones((5, 3), bool)),
        ValueError,
        ["attn_mask and K disagree on n_k", "(5, 3)"],
    ),
    "a mask whose leading axes do not broadcast": (
        lambda: masked(np.ones((7, 3, 5), bool)),
        ValueError,
        ["Q and attn_mask do not broadcast", "(2, 3, 4)", "(7, 3, 5)", "axis -3", "2 and 7"],
    ),
    "a mask whose leading axes do not fit V": (
        lambda: sdpa(Q[0], K[0], V, np.ones((3, 3, 5), bool)),
        ValueError,
        ["V and attn_mask do not broadcast", "(2, 5, 6)", "(3, 3, 5)", "axis -3", "2 and 3"],
    ),
    "attend: a mask whose leading axes do not fit V": (
        lambda: al.attend(Q[0], K[0], V, np.ones((3, 3, 5), bool)),
        ValueError,
        ["V and attn_mask do not broadcast"],
    ),
    "self-attention: a mask whose leading axes do not fit V": (
        lambda: al.self_attention(X[0], W, W, W_V[None][[0, 0]], attn_mask=np.ones((3, 5, 5))),
        ValueError,
        ["V and attn_mask do not broadcast"],
    ),
    "weights: a mask whose leading axes do not fit K": (
        lambda: al.attention_weights(Q[0], K, np.ones((3, 3, 5), bool)),
        ValueError,
        ["K and attn_mask do not broadcast"],
    ),
    "multi-head: a mask of one axis": (
        lambda: mha_masked(np.ones(5, bool)),
        ValueError,
        ["attn_mask has shape (5,)", "two axes"],
    ),
    "multi-head: an integer mask": (
        lambda: mha_masked(np.ones((5, 5), int)),
        TypeError,
        ["attn_mask has dtype int64", "two kinds"],
    ),
    "multi-head: a mask for each token of a batch": (
        lambda: mha_masked(np.ones((2, 5), bool)),
        ValueError,
        ["attn_mask and Q disagree on n_q", "(2, 5)", "2 queries", "Q has 5"],
    ),
    "multi-head: a mask with two axes more": (
        lambda: mha_masked(np.ones((1, 2, 3, 5, 5), bool)),
        ValueError,
        [
            "attn_mask has shape (1, 2, 3, 5, 5), X has shape (2, 5, 8)",
            "two axes",
            "3 as X",
            "or 4",
        ],
    ),
    "multi-head: a mask with an axis less than X": (
        lambda: mha_masked(np.ones((2, 5, 5), bool), X[None]),
        ValueError,
        ["attn_mask has shape (2, 5, 5), X has shape (1, 2, 5, 8)", "4 as X", "or 5"],
    ),
    "multi-head: a mask of another batch": (
        lambda: mha_masked(np.ones((3, 5, 5), bool)),
        ValueError,
        ["attn_mask and X disagree on axis 0", "(3, 5, 5)", "(2, 5, 8)", "needs 2 or 1, not 3"],
    ),
    "multi-head: a mask of more batches than X has": (
        lambda: mha_masked(np.ones((3, 5, 5), bool), X[:1]),
        ValueError,
        ["attn_mask and X disagree on axis 0", "needs 1 or 1, not 3"],
    ),
    "multi-head: a mask of more heads": (
        lambda: mha_masked(np.ones((2, 4, 5, 5), bool)),
        ValueError,
        ["attn_mask and X disagree on axis 1", "there are 3 heads", "needs 3 or 1, not 4"],
    ),
    "multi-head: heads and batch the wrong way round": (
        lambda: mha_masked(np.ones((3, 2, 1, 5), bool)),
        ValueError,
        ["attn_mask and X disagree on axis 0", "needs 2 or 1, not 3"],
    ),
    "multi-head: a mask with too few keys": (
        lambda: mha_masked(np.ones((2, 3, 5, 4), bool)),
        ValueError,
        ["attn_mask and K disagree on n_k", "(2, 3, 5, 4), so 4 keys", "K has 5"],
    ),
    # flags and numbers
    "a mask for is_causal": (
        lambda: sdpa(is_causal=np.ones((3, 5), bool)),
        TypeError,
        ["is_causal must be True or False, not ndarray"],
    ),
    "a number for is_causal": (
        lambda: al.attend(Q, K, V, None, 0.0),
        TypeError,
        ["is_causal must be True or False, not float"],
    ),
    "multi-head: a number for is_causal": (
        lambda: MHA(X, is_causal=1),
        TypeError,
        ["is_causal must be True or False, not int"],
    ),
    "a string for scale": (
        lambda: sdpa(scale="0.5"),
        TypeError,
        ["scale must be a real number or None, not str"],
    ),
    "a flag for scale": (lambda: sdpa(scale=True), TypeError, ["scale must be", "not bool"]),
    "a NumPy flag for scale": (lambda: sdpa(scale=np.True_), TypeError, ["scale must be a real"]),
    "a complex scale": (lambda: al.attend(Q, K, V, scale=1j), TypeError, ["not complex"]),
    "an array for scale": (
        lambda: al.attention_weights(Q, K, scale=np.ones(3)),
        TypeError,
        ["scale must be a real number or None, not ndarray"],
    ),
    "an infinite scale": (
        lambda: sdpa(scale=np.inf),
        ValueError,
        ["scale must be finite in float64, not inf"],
    ),
    "a NaN scale": (lambda: sdpa(scale=-np.nan), ValueError, ["scale must be finite", "not nan"]),
    "a scale beyond float32": (
        lambda: sdpa(*(M.astype(np.float32) for M in (Q, K, V)), scale=-1e39),
        ValueError,
        ["scale must be finite in float32, not -1e+39"],
    ),
    "a scale that no float holds": (
        lambda: sdpa(scale=10**400),
        ValueError,
        ["scale must be finite in float64: int too large"],
    ),
    "a fraction that no float holds": (
        lambda: sdpa(scale=Fraction(10**400, 3)),
        ValueError,
        ["scale must be finite in float64: "],
    ),
    "multi-head: an infinite scale": (
        lambda: MHA(X, scale=-np.inf),
        ValueError,
        ["scale must be finite in float64, not -inf"],
    ),
    "softmax: no such axis": (
        lambda: al.softmax(Q, 3),
        ValueError,
        ["x has shape (2, 3, 4), so no axis 3"],
    ),
    "softmax: no such negative axis": (
        lambda: al.softmax(Q, -4),
        ValueError,
        ["x has shape (2, 3, 4), so no axis -4"],
    ),
    "softmax: no axis": (lambda: al.softmax(Q, None), TypeError, ["axis must be an integer"]),
    "softmax: half an axis": (lambda: al.softmax(Q, 1.0), TypeError, ["axis must be", "1.0"]),
    "causal mask: a float": (
        lambda: al.causal_mask(3.0),
        TypeError,
        ["n_q must be an integer, not 3.0"],
    ),
    "causal mask: a flag": (lambda: al.causal_mask(3, True), TypeError, ["n_k must be an integer"]),
    "causal mask: a NumPy flag": (
        lambda: al.causal_mask(np.True_),
        TypeError,
        ["n_q must be an integer"],
    ),
    "causal mask: half an offset": (
        lambda: al.causal_mask(3, offset=0.5),
        TypeError,
        ["offset must be an integer, not 0.5"],
    ),
    "causal mask: fewer than no queries": (
        lambda: al.causal_mask(-1),
        ValueError,
        ["n_q must be at least 0, not -1"],
    ),
    "causal mask: fewer than no keys": (
        lambda: al.causal_mask(2, -3),
        ValueError,
        ["n_k must be at least 0, not -3"],
    ),
}


@pytest.mark.parametrize(("call", "error", "parts"), REFUSED.values(), ids=REFUSED)
def test_is_refused_with_a_message_to_act_on(call, error, parts):
    with pytest.raises(error) as refusal:
        call()
    assert refusal.type is error
    message = str(refusal.value)
    for part in parts:
        # as whole words: "X has" is not in "W_X has"
        assert re.search(rf"(?<!\w){re.escape(part)}", message), message
    # one sentence or two, without the numbers of an array
    assert len(message) < 300
    assert "array(" not in message


@pytest.mark.parametrize(
    "call",
    [
        lambda: al.self_attention(X, W, W, W_V, True),
        lambda: MHA(X, True),
        lambda: MHA.trace(X, True),
        lambda: al.causal_mask(2, 3, 1),
    ],
)
def test_options_whose_order_nobody_remembers_are_given_by_name(call):
    with pytest.raises(TypeError, match="positional argument"):
        call()
