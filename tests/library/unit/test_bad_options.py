"""Bad input: flags, scales, axes and lengths."""

from fractions import Fraction

import numpy as np
import pytest
from refusals import MHA, W_V, K, Q, V, W, X, assert_refused, sdpa

import attnlib as al

REFUSED = {
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
    assert_refused(call, error, parts)


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
