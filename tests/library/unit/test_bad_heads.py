"""Bad input: heads that do not divide a width, and the packed layout of PyTorch."""

import numpy as np
import pytest
from refusals import RNG, TEXT, X, assert_refused, build

import attnlib as al

REFUSED = {
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
}


@pytest.mark.parametrize(("call", "error", "parts"), REFUSED.values(), ids=REFUSED)
def test_is_refused_with_a_message_to_act_on(call, error, parts):
    assert_refused(call, error, parts)
