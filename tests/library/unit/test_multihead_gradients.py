"""Multi-head attention: the way back, and what a mask leaves out of it."""

import numpy as np
import pytest
from multihead_case import D_K, D_MODEL, D_V, B, H, N, normal, three_heads, tokens
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al

mha, X = pytest.fixture(three_heads), pytest.fixture(tokens)
INF, NAN = np.inf, np.nan


# the way back


def numeric_gradients(mha, X, options, dO, step=1e-6):
    """Central differences of sum(O · dO) for every entry of X and of the weights."""
    names = ("W_Q", "W_K", "W_V", "W_O")
    arrays = [X.copy(), *(getattr(mha, name).copy() for name in names)]

    def loss():
        return np.sum(al.MultiHeadAttention(*arrays[1:], mha.n_heads)(arrays[0], **options) * dO)

    gradients = []
    for array in arrays:
        gradient = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            before = array[index]
            array[index] = before + step
            above = loss()
            array[index] = before - step
            gradient[index] = (above - loss()) / (2 * step)
            array[index] = before
        gradients.append(gradient)
    return gradients


EMPTY_ROWS = np.ones((N, N), bool)
EMPTY_ROWS[[1, 3]] = False
BY_HEAD = np.random.default_rng(3).random((1, H, N, N)) < 0.6


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"is_causal": True},
        {"scale": 0.3},
        {"attn_mask": EMPTY_ROWS},
        {"attn_mask": np.where(EMPTY_ROWS, normal(N, N, seed=6), -INF), "is_causal": True},
        {"attn_mask": BY_HEAD},
    ],
    ids=["plain", "causal", "scale", "empty rows", "bias and causal", "mask for each head"],
)
@pytest.mark.parametrize("lead", [(), (B,)])
def test_gradients_are_those_of_central_differences(mha, options, lead):
    x, dO = normal(*lead, N, D_MODEL, seed=5), normal(*lead, N, D_MODEL, seed=7)
    if lead == () and "attn_mask" in options and options["attn_mask"].ndim == 4:
        options = options | {"attn_mask": options["attn_mask"][0]}
    x *= 0.5  # scores of a few units: softmax is not saturated
    gradients = mha.backward(mha.trace(x, **options), dO)
    assert gradients._fields == ("dX", "dW_Q", "dW_K", "dW_V", "dW_O")
    for got, wanted in zip(gradients, numeric_gradients(mha, x, options, dO), strict=True):
        assert_allclose(got, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())


def test_gradients_of_weights_are_summed_over_leading_axes(mha, X):
    dO = normal(B, N, D_MODEL, seed=7)
    together = mha.backward(mha.trace(X), dO)
    apart = [mha.backward(mha.trace(X[b]), dO[b]) for b in range(B)]
    for b in range(B):
        assert_allclose(together.dX[b], apart[b].dX, rtol=1e-11, atol=1e-12)
    for whole, *parts in zip(together[1:], *(g[1:] for g in apart), strict=True):
        assert_allclose(whole, sum(parts), rtol=1e-11, atol=1e-12)


def test_float32_gradients_are_float32_and_right(mha, X):
    dO = normal(B, N, D_MODEL, seed=7)
    exact = mha.backward(mha.trace(X), dO)
    single = al.MultiHeadAttention(
        *(W.astype(np.float32) for W in (mha.W_Q, mha.W_K, mha.W_V, mha.W_O)), H
    )
    trace = single.trace(X.astype(np.float32))
    for got, wanted in zip(single.backward(trace, dO.astype(np.float32)), exact, strict=True):
        assert got.dtype == np.float32
        assert_allclose(got, wanted, rtol=1e-3, atol=1e-4 * np.abs(wanted).max())
    assert single.backward(trace, dO).dX.dtype == np.float64


# tokens that a mask leaves out


def padded(kind, n_out=2):
    """A mask that leaves the last tokens out, as queries and as keys."""
    keep = np.arange(N) < N - n_out
    allowed = keep[:, None] & keep
    return allowed if kind == "bool" else np.where(allowed, 0.0, -INF)


@pytest.mark.parametrize("hidden", [NAN, INF, -INF, 1e300])
@pytest.mark.parametrize("kind", ["bool", "float"])
def test_tokens_left_out_never_influence_an_output_or_a_gradient(mha, X, hidden, kind):
    mask, dO = padded(kind), normal(B, N, D_MODEL, seed=7)
    clean = mha.trace(X, attn_mask=mask)
    expected = mha.backward(clean, dO)
    x = X.copy()
    x[:, -2:] = hidden
    trace = mha.trace(x, attn_mask=mask)
    assert_array_equal(trace.O, clean.O)
    assert_array_equal(mha(x, attn_mask=mask), mha(X, attn_mask=mask))
    assert_array_equal(trace.O[:, -2:], 0)
    gradients = mha.backward(trace, dO)
    for name, got, wanted in zip(expected._fields, gradients, expected, strict=True):
        assert_allclose(got, wanted, rtol=1e-11, atol=1e-12, err_msg=name)
    assert_array_equal(gradients.dX[:, -2:], 0)


def test_a_token_left_out_by_one_head_influences_the_others_only(mha):
    mask = np.ones((H, N, N), bool)
    mask[1] = padded("bool", 1)
    x, dO = normal(N, D_MODEL, seed=5), normal(N, D_MODEL, seed=7)
    clean = mha.backward(mha.trace(x, attn_mask=mask), dO)
    x[-1] = NAN
    gradients = mha.backward(mha.trace(x, attn_mask=mask), dO)
    for name, width in [("dW_Q", D_K), ("dW_K", D_K), ("dW_V", D_V)]:
        got, wanted = getattr(gradients, name), getattr(clean, name)
        own = slice(width, 2 * width)
        assert_allclose(got[:, own], wanted[:, own], rtol=1e-11, atol=1e-12)
        assert np.isnan(np.delete(got, np.r_[own], axis=1)).all()


def test_a_gradient_that_overflows_leaves_the_others_right(mha):
    # feature 2 of token 0 is huge and no query, key or value depends on it
    for name in ("W_Q", "W_K", "W_V"):
        getattr(mha, name)[2] = 0
    mask = np.ones((N, N), bool)
    mask[:, 0] = False
    x, dO = normal(N, D_MODEL, seed=5), 1e10 * normal(N, D_MODEL, seed=7)
    clean = mha.backward(mha.trace(x, attn_mask=mask), dO)
    x[0, 2] = 1e300
    gradients = mha.backward(mha.trace(x, attn_mask=mask), dO)
    assert np.isinf(gradients.dW_Q[2]).all()
    for name in ("dW_Q", "dW_K", "dW_V"):
        got, wanted = getattr(gradients, name), getattr(clean, name)
        assert_allclose(np.delete(got, 2, 0), np.delete(wanted, 2, 0), rtol=1e-12)


def test_a_token_that_only_asks_or_is_only_asked_takes_part(mha):
    # token 0 asks and is not asked, token 4 is asked and does not ask
    allowed = np.ones((N, N), bool)
    allowed[:, 0] = False
    allowed[4] = False
    dO = normal(N, D_MODEL, seed=7)
    for token in (0, 4):
        x = normal(N, D_MODEL, seed=5)
        x[token] = NAN
        gradients = mha.backward(mha.trace(x, attn_mask=allowed), dO)
        assert np.isnan(gradients.dW_Q).all()
        assert np.isnan(gradients.dW_K).all()


def test_a_visible_nan_reaches_the_rows_that_see_it_and_no_others(mha, X):
    O = mha(X, is_causal=True)  # noqa: E741
    X[0, 3] = NAN
    changed = mha(X, is_causal=True)
    assert np.isnan(changed[0, 3:]).all()
    assert_array_equal(changed[0, :3], O[0, :3])
    assert_array_equal(changed[1], O[1])
