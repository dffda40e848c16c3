"""Multi-head attention: a mask is read by the number of its axes."""

import numpy as np
import pytest
from multihead_case import D_MODEL, B, H, N, normal, three_heads, tokens
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al

mha, X = pytest.fixture(three_heads), pytest.fixture(tokens)
INF = np.inf


# masks: the number of axes alone decides


def random_mask(kind, shape):
    allowed = np.random.default_rng(9).random(shape) < 0.6
    return allowed if kind == "bool" else np.where(allowed, normal(*shape, seed=8), -INF)


def check_mask(mha, X, mask, by_head):
    """The mask acts like `by_head`, which has the shape (B, H, N, N)."""
    for is_causal in (False, True):
        trace = mha.trace(X, attn_mask=mask, is_causal=is_causal)
        for b in range(B):
            for h in range(H):
                Q, K, V = trace.Q[b, h], trace.K[b, h], trace.V[b, h]
                one = al.attend(Q, K, V, by_head[b, h], is_causal)
                assert_allclose(trace.A[b, h], one.A, rtol=1e-12, atol=1e-15)
                assert_allclose(trace.Z[b, h], one.Z, rtol=1e-11, atol=1e-13)
        called = mha(X, attn_mask=mask, is_causal=is_causal)
        assert_allclose(called, trace.O, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("rows", [N, 1])
def test_a_mask_of_two_axes_is_n_q_by_n_k_for_all(mha, X, kind, rows):
    mask = random_mask(kind, (rows, N))
    check_mask(mha, X, mask, np.broadcast_to(mask, (B, H, N, N)))


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize(("batch", "rows"), [(B, N), (B, 1), (1, N)])
def test_a_mask_with_the_leading_axes_of_x_gets_the_head_axis(mha, X, kind, batch, rows):
    mask = random_mask(kind, (batch, rows, N))
    check_mask(mha, X, mask, np.broadcast_to(mask[:, None], (B, H, N, N)))


@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize(
    ("batch", "heads", "rows"), [(B, H, N), (B, H, 1), (1, H, N), (B, 1, N), (1, 1, 1)]
)
def test_a_mask_with_one_axis_more_has_the_heads(mha, X, kind, batch, heads, rows):
    mask = random_mask(kind, (batch, heads, rows, N))
    check_mask(mha, X, mask, np.broadcast_to(mask, (B, H, N, N)))


def test_without_leading_axes_three_axes_are_heads(mha):
    x, mask = normal(N, D_MODEL), random_mask("bool", (H, N, N))
    trace = mha.trace(x, attn_mask=mask)
    for h in range(H):
        assert_allclose(trace.A[h], mha.trace(x, attn_mask=mask[h]).A[h], rtol=1e-12)


def test_as_many_batches_as_heads_leave_no_doubt(mha):
    # (3, N, N) on X (3, N, d_model) is one mask for each batch, though there are 3 heads too
    x, mask = normal(H, N, D_MODEL), random_mask("bool", (H, N, N))
    trace = mha.trace(x, attn_mask=mask)
    assert trace.mask.shape == (H, 1, N, N)
    for b in range(H):
        assert_allclose(trace.O[b], mha(x[b], attn_mask=mask[b]), rtol=1e-11, atol=1e-12)


def test_as_many_batches_as_tokens_leave_no_doubt(mha):
    # two axes are (n_q, n_k), never (batch, n_k)
    x, mask = normal(N, N, D_MODEL), random_mask("bool", (N, N))
    trace = mha.trace(x, attn_mask=mask)
    assert_array_equal(trace.A[1] == 0, np.broadcast_to(~mask, (H, N, N)))
    assert_array_equal(trace.A[3] == 0, np.broadcast_to(~mask, (H, N, N)))


def test_a_mask_may_be_nested_lists(mha, X):
    mask = [[True] + [False] * (N - 1)] * N
    assert_array_equal(mha.trace(X, attn_mask=mask).A[..., 0], 1)
