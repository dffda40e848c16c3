"""Contract, float masks: what a finite entry does, it does as in float64, whatever the inputs.

The reference adds Python floats, so it never sees the dtype that the library computes in.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from row_by_row import attention_row_by_row

import attnlib as al
from attnlib import _kernel

INF, NAN = np.inf, np.nan
LOWEST = np.finfo(np.float64).min
LOWEST_32 = float(np.finfo(np.float32).min)
DTYPES = [np.float16, np.float32, np.float64]
N_Q, N_K, D_K, D_V = 4, 5, 3, 2


def small_halves(*shape, dtype, seed):
    """Multiples of 1/2, so that scores are exact in every dtype and weights differ clearly."""
    return (np.random.default_rng(seed).integers(-3, 4, shape) / 2).astype(dtype)


def qkv(dtype, *leading, n_q=N_Q):
    shapes = [(n_q, D_K), (N_K, D_K), (N_K, D_V)]
    return [small_halves(*leading, *s, dtype=dtype, seed=k) for k, s in enumerate(shapes)]


def check(Q, K, V, mask, is_causal=False, scale=1.0):
    """Every way to the weights and outputs of one head gives what the loops give."""
    A, Z = attention_row_by_row(Q, K, V, mask, is_causal, scale)
    dtype = np.result_type(Q, K, V)
    close = {"rtol": 32 * np.finfo(dtype).eps, "atol": 32 * np.finfo(dtype).eps}
    options = {"attn_mask": mask, "is_causal": is_causal, "scale": scale}
    trace = al.attend(Q, K, V, **options)
    assert_allclose(trace.A, A, **close)
    assert_allclose(trace.Z, Z, **close)
    assert_array_equal(al.attention_weights(Q, K, **options), trace.A, strict=True)
    plain = al.scaled_dot_product_attention(Q, K, V, **options)
    assert plain.dtype == dtype
    assert_allclose(plain, Z, **close)
    for block_size in (1, 2, N_K):
        tiled = al.blocked_attention(Q, K, V, **options, block_size=block_size)
        assert tiled.dtype == dtype
        assert_allclose(tiled, Z, **close)
    return trace


# name: one row of a mask; the other rows are an ordinary bias
ROWS = {
    "the lowest of float64": [LOWEST] * N_K,
    "the lowest of float32": [LOWEST_32] * N_K,
    "beyond float32, one higher": [-1e300, -2e300, -2e300, -3e300, -2e300],
    "beyond float32, two equal": [-2e300, -1e300, -3e300, -1e300, -1e300],
    "beyond float32, one ordinary": [-1e300, -1e300, 0.5, -2e300, -1e300],
    "beyond float32 and forbidden": [-INF, -1e300, -INF, -1e300, -INF],
    "above float32": [1e300, 0, 0, 1e300, -1e300],
    "scores are lost in float32": [-1e9] * N_K,
    "differences are lost in float32": [1e8, 1e8 + 1, 1e8 + 2, 1e8, 1e8 - 1],
    "scores are rounded in float32": [-1e4] * N_K,
    "an ordinary fill": [0, -1e9, 0, -1e9, -1e9],
    "nothing to attend to": [-INF] * N_K,
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("is_causal", [False, True])
def test_a_row_of_finite_entries_is_that_of_float64(row, dtype, is_causal):
    mask = small_halves(N_Q, N_K, dtype=np.float64, seed=7)
    mask[1] = row
    trace = check(*qkv(dtype), mask, is_causal)
    # the trace keeps what went in: scores before the mask, and the mask in its own dtype
    assert np.isfinite(trace.S_scaled).all()
    assert trace.mask.dtype == np.float64
    check(*qkv(dtype), np.array([row]), is_causal)
    check(*qkv(dtype, 2), np.stack([mask, mask[::-1]]), is_causal)
    # a leading axis that only the mask has
    check(*qkv(dtype), np.stack([mask, mask[::-1]]), is_causal)


def test_the_values_of_the_examples():
    Q, K = np.float32([[1], [2]]), np.float32([[1], [3]])
    mask = np.array([[-1e300, -2e300], [LOWEST, LOWEST]])
    assert_array_equal(al.attention_weights(Q, K, mask), [[1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("mask_dtype", [np.float16, np.float32, np.float64])
def test_a_mask_of_any_dtype_is_added_in_float64(dtype, mask_dtype):
    lowest = np.finfo(mask_dtype).min
    mask = small_halves(N_Q, N_K, dtype=mask_dtype, seed=7)
    mask[1], mask[2] = lowest, [lowest / 2, lowest / 4, lowest, lowest / 4, -INF]
    check(*qkv(dtype), mask)


def test_a_sum_of_two_numbers_of_float32_may_be_beyond_it():
    # -3e38 - 1e38 and -3e38 - 0.9e38: both are -inf in float32
    Q, K = np.float32([[1e19], [1e19]]), np.float32([[-1e19], [-0.9e19]])
    mask = np.full((2, 2), -3e38, np.float32)
    mask[1, 1] = 0
    A = al.attention_weights(Q, K, mask, scale=1)
    assert_array_equal(A, [[0, 1], [0, 1]])
    V = np.float32([[1], [2]])
    assert_array_equal(al.scaled_dot_product_attention(Q, K, V, mask, scale=1), [[2], [2]])
    assert_array_equal(
        al.blocked_attention(Q, K, V, attn_mask=mask, scale=1, block_size=1), [[2], [2]]
    )


ENTRIES = st.sampled_from(
    [0.0, 0.5, -1.0, 70.0, -70.0, -1e4, -1e9, 1e9, -1e300, 1e300, LOWEST, -INF, NAN]
)


@settings(max_examples=60)
@given(
    entries=st.lists(ENTRIES, min_size=N_Q * N_K, max_size=N_Q * N_K),
    dtype=st.sampled_from(DTYPES),
    is_causal=st.booleans(),
)
def test_any_mixture_of_entries_is_that_of_float64(entries, dtype, is_causal):
    check(*qkv(dtype), np.reshape(np.array(entries, float), (N_Q, N_K)), is_causal)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_heads_are_that_of_float64_too(dtype):
    n = 300
    Q, K, V = (small_halves(2, n, d, dtype=dtype, seed=d) for d in (3, 3, 2))
    mask = np.zeros((2, n, n))
    mask[0, 5] = LOWEST
    mask[1, 7] = -1e9
    mask[1, 7, 8:] = -INF
    wide = al.attend(*(M.astype(np.float64) for M in (Q, K, V)), mask).Z
    close = {"rtol": 1e-5, "atol": 1e-5}
    assert_allclose(wide[0, 5], V[0].mean(axis=0, dtype=np.float64), rtol=1e-12)
    assert_allclose(al.scaled_dot_product_attention(Q, K, V, mask), wide, **close)
    for threads in (None, 2):
        tiled = al.blocked_attention(Q, K, V, attn_mask=mask, block_size=64, threads=threads)
        assert_allclose(tiled, wide, **close)


@pytest.mark.parametrize("dtype", DTYPES)
def test_several_heads_and_gradients_are_those_of_float64(dtype):
    n, d_model, n_heads = 5, 4, 2
    X = small_halves(n, d_model, dtype=dtype, seed=3)
    W = [np.eye(d_model, dtype=dtype)] * 4
    mask = small_halves(n, n, dtype=np.float64, seed=7)
    mask[1], mask[3] = LOWEST, -1e9
    half, exact = (
        al.MultiHeadAttention(*(M.astype(t) for M in W), n_heads) for t in (dtype, np.float64)
    )
    X_64, close = X.astype(np.float64), {"rtol": 2e-3, "atol": 2e-3}
    if dtype != np.float16:
        close = {"rtol": 1e-5, "atol": 1e-5}
    for options in ({"attn_mask": mask}, {"attn_mask": mask[None, :], "is_causal": True}):
        options["attn_mask"] = options["attn_mask"].reshape(n, n)
        wanted, got = exact.trace(X_64, **options), half.trace(X, **options)
        assert_allclose(got.A, wanted.A, **close)
        assert_allclose(got.O, wanted.O, **close)
        assert_allclose(half(X, **options), wanted.O, **close)
        dO = np.ones((n, d_model), dtype)
        for dM, dM_64 in zip(half.backward(got, dO), exact.backward(wanted, dO), strict=True):
            assert_allclose(dM, dM_64, rtol=0, atol=16 * close["atol"])
        one, one_64 = (al.self_attention(M, *W[:3], **options) for M in (X, X_64))
        assert_allclose(one.A, one_64.A, **close)


def test_large_scores_beside_an_ordinary_mask_stay_in_float32(monkeypatch):
    # adding in float64 is for masks that need it: a mask of 0 and -inf never does
    def counted(S, mask, sum_dtype, *args):
        seen.append(sum_dtype)
        return exponentials(S, mask, sum_dtype, *args)

    exponentials, seen = _kernel._exponentials, []
    monkeypatch.setattr(_kernel, "_exponentials", counted)
    Q, K, V = (1000 * M for M in qkv(np.float32, n_q=N_K))
    forbidden = np.where(al.causal_mask(N_K), 0, -INF)
    for mask in (None, al.causal_mask(N_K), forbidden, forbidden + 0.5):
        al.blocked_attention(Q, K, V, attn_mask=mask)
    assert set(seen) == {np.float32}
    al.blocked_attention(Q, K, V, attn_mask=forbidden - 1e9)
    assert seen[-1] == np.float64
