"""Bad input: arrays that have too few axes or do not fit together."""

import numpy as np
import pytest
from refusals import MHA, TRACE, W_O, W_V, K, Q, V, W, X, assert_refused, build, sdpa

import attnlib as al

REFUSED = {
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
}


@pytest.mark.claim("2.3")
@pytest.mark.parametrize(("call", "error", "parts"), REFUSED.values(), ids=REFUSED)
def test_is_refused_with_a_message_to_act_on(call, error, parts):
    assert_refused(call, error, parts)
