"""Bad input: masks whose kind or shape would have to be guessed."""

import numpy as np
import pytest
from refusals import RAGGED, W_V, K, Q, V, W, X, assert_refused, masked, mha_masked, sdpa

import attnlib as al

REFUSED = {
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
}


@pytest.mark.parametrize(("call", "error", "parts"), REFUSED.values(), ids=REFUSED)
def test_is_refused_with_a_message_to_act_on(call, error, parts):
    assert_refused(call, error, parts)
