"""Contract, numbers: large scores, NaN and inf."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from row_by_row import attention_row_by_row

import attnlib as al

INF, NAN = np.inf, np.nan
DTYPES = [np.float16, np.float32, np.float64]


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def qkv(dtype=np.float64, n_q=4, n_k=5):
    return (
        normal(n_q, 3, seed=1, dtype=dtype),
        normal(n_k, 3, seed=2, dtype=dtype),
        normal(n_k, 2, seed=3, dtype=dtype),
    )


def output_and_weights(Q, K, V, *args, **kwargs):
    """Z and A, after a check that all ways to them agree."""
    trace = al.attend(Q, K, V, *args, **kwargs)
    Z = al.scaled_dot_product_attention(Q, K, V, *args, **kwargs)
    eps = np.finfo(Z.dtype).eps
    assert_allclose(trace.Z, Z, rtol=8 * eps, atol=8 * eps)
    assert_array_equal(al.attention_weights(Q, K, *args, **kwargs), trace.A)
    return Z, trace.A


# large scores


@pytest.mark.claim("5.3")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_scores_are_exact(dtype):
    largest = np.finfo(dtype).max
    # scores ±largest, equal scores, and scores whose difference overflows
    Q = np.array([[1.0], [-1.0]], dtype)
    K = np.array([[largest], [-largest], [largest]], dtype)
    Z, A = output_and_weights(Q, K, np.array([[1.0], [2.0], [4.0]], dtype), scale=1.0)
    assert_array_equal(A, [[0.5, 0, 0.5], [0, 1, 0]])
    assert_array_equal(Z, [[2.5], [2]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [None, 0.7])
def test_equal_large_scores_share_the_weight_equally(dtype, scale):
    # both products are exact, so the scores are equal though no factor is
    Q = np.array([[3e6, 5e6, 7e6]], dtype)
    K = np.array([[7, 0, 0], [0, 0, 3]], dtype)
    Z, A = output_and_weights(Q, K, np.array([[1.0], [3.0]], dtype), scale=scale)
    assert_array_equal(A, [[0.5, 0.5]])
    assert_array_equal(Z, [[2]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_values_are_averaged_without_overflow(dtype):
    largest = np.finfo(dtype).max
    V = np.full((5, 2), largest)
    Z, _ = output_and_weights(np.zeros((4, 3), dtype), np.zeros((5, 3), dtype), V)
    assert_allclose(Z, np.full((4, 2), largest, dtype), rtol=1e-3 if dtype == np.float16 else 1e-6)
    Z, _ = output_and_weights(np.zeros((4, 3), dtype), np.zeros((5, 3), dtype), V, is_causal=True)
    assert_allclose(Z, np.full((4, 2), largest, dtype), rtol=1e-3 if dtype == np.float16 else 1e-6)


@pytest.mark.parametrize("n_times", [1, 9000])
@pytest.mark.parametrize("largest_value", [1e-3, 1.0, 1e37])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_largest_score_of_a_row_makes_no_difference(dtype, largest_value, n_times):
    # 1e37: what exp(15) makes of it is beyond float32, the average is not
    edge = np.floor(4 * np.log(np.finfo(dtype).max) - 0.5) / 4  # whose sum overflows, barely
    tops = np.array([-800, -edge - 8, -1, 0, 1, 15, 40, edge, 800])
    distances = np.array([0, 1, 2, 13])
    K = np.stack([np.ones(4), -distances], axis=1).astype(dtype)
    V = (normal(4, 3) * largest_value).astype(dtype)
    p = np.exp(-distances) / np.exp(-distances).sum()
    tolerance = {"rtol": 32 * np.finfo(dtype).eps, "atol": np.finfo(dtype).eps * largest_value}
    for some in (tops, tops[::-1], tops[3:6], tops[3:], tops[[4, 1]], tops[[4, 7]]):
        Q = np.stack([some, np.ones(len(some))], axis=1).astype(dtype)
        Q = np.tile(Q, (n_times, 1))
        Z = al.scaled_dot_product_attention(Q, K, V, scale=1)
        assert_allclose(Z, np.tile(p @ V.astype(np.float64), (len(Z), 1)), **tolerance)
        A = al.attention_weights(Q, K, scale=1)
        assert_allclose(A, np.tile(p, (len(A), 1)), rtol=32 * np.finfo(dtype).eps)


def test_a_query_that_sees_one_key_gets_exactly_its_value():
    Q, K, V = normal(300, 3, seed=1), normal(301, 3, seed=2), normal(301, 2, seed=3)
    one_each = np.arange(300)[:, None] == np.arange(301)
    for n in (5, 300):
        Z = al.scaled_dot_product_attention(Q[:n], K[: n + 1], V[: n + 1], one_each[:n, : n + 1])
        assert_array_equal(Z, V[:n])
        Z = al.scaled_dot_product_attention(Q[:n], K[:n], V[:n], is_causal=True)
        assert_array_equal(Z[0], V[0])
    assert_array_equal(al.scaled_dot_product_attention(Q, K[:1], V[:1]), np.tile(V[0], (300, 1)))


def test_a_scale_is_applied_to_the_scores_not_to_the_queries():
    # Q · scale would overflow, the scaled scores are 0 and ln 3
    trace = al.attend([[1e300]], [[0.0], [1e-300]], [[0.0], [4.0]], scale=np.log(3))
    assert_allclose(trace.A, [[0.25, 0.75]], rtol=1e-12)
    Z = al.scaled_dot_product_attention([[1e300]], [[0.0], [1e-310]], [[0.0], [4.0]], scale=1e10)
    assert_allclose(Z, [[4 / (1 + np.exp(-1))]], rtol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_beyond_the_dtype_give_nan_or_inf_never_a_wrong_number(dtype):
    big = np.array([[np.finfo(dtype).max]])
    K = np.array([[2.0], [-2.0]], dtype)
    V = np.array([[1.0], [3.0]], dtype)
    Z, A = output_and_weights(big.astype(dtype), K, V)
    assert np.isnan(A[0]).all()
    assert np.isnan(Z).all()
    # all at -inf: which is largest cannot be known
    Z, A = output_and_weights(big.astype(dtype), -np.abs(K), V)
    assert np.isnan(A).all()
    assert np.isnan(Z).all()
    Z, A = output_and_weights(big.astype(dtype), -np.abs(K), V, np.array([[True, True]]))
    assert np.isnan(Z).all()
    # nor where a mask leaves one of them; what it forbids has the weight 0 all the same
    Z, A = output_and_weights(big.astype(dtype), -np.abs(K), V, np.array([[False, True]]))
    assert_array_equal(A, [[0, NAN]])
    assert np.isnan(Z).all()


def test_a_score_of_minus_inf_beside_finite_ones_has_weight_zero():
    Z, A = output_and_weights([[1e200]], [[-1e200], [0.0]], [[1.0], [3.0]])
    assert_array_equal(A, [[0, 1]])
    assert_array_equal(Z, [[3]])


# NaN and inf that can be seen


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_visible_nan_in_a_key_reaches_the_rows_that_see_it_and_no_others(dtype):
    Q, K, V = qkv(dtype)
    clean, clean_A = output_and_weights(Q, K, V, is_causal=True)
    K[3] = NAN
    Z, A = output_and_weights(Q, K, V, is_causal=True)
    assert_array_equal(Z[:2], clean[:2])
    assert_array_equal(A[:2], clean_A[:2])
    assert np.isnan(Z[2:]).all()
    seen = al.causal_mask(4, 5)
    assert_array_equal(np.isnan(A[2:]), seen[2:])
    assert_array_equal(A[~seen], 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_visible_nan_in_a_value_reaches_its_feature_in_the_rows_that_see_it(dtype):
    Q, K, V = qkv(dtype)
    clean, _ = output_and_weights(Q, K, V, is_causal=True)
    V[3, 1] = NAN
    Z, A = output_and_weights(Q, K, V, is_causal=True)
    assert np.isfinite(A).all()
    expected = clean.copy()
    expected[2:, 1] = NAN
    assert_allclose(Z, expected, rtol=4 * np.finfo(dtype).eps)


def test_a_nan_in_a_query_reaches_its_own_row():
    Q, K, V = qkv()
    clean, _ = output_and_weights(Q, K, V)
    Q[1, 0] = NAN
    Z, _ = output_and_weights(Q, K, V)
    assert np.isnan(Z[1]).all()
    assert_allclose(Z[[0, 2, 3]], clean[[0, 2, 3]], rtol=1e-12)


def test_plus_inf_among_visible_scores_gives_a_nan_row():
    Q, K, V = np.ones((4, 1)), np.ones((5, 1)), normal(5, 2)
    K[3] = INF
    Z, A = output_and_weights(Q, K, V, is_causal=True)
    assert np.isnan(Z[2:]).all()
    assert np.isfinite(Z[:2]).all()
    bias = np.zeros((4, 5))
    bias[1, 2] = INF
    bias[2, 2] = NAN
    Z, A = output_and_weights(Q, np.ones((5, 1)), V, bias)
    assert_array_equal(np.isnan(Z).all(axis=1), [False, True, True, False])
    assert_array_equal(np.isnan(A).all(axis=1), [False, True, True, False])


def test_an_infinite_value_reaches_the_rows_that_see_it():
    Q, K, V = qkv()
    V[3, 0], V[4, 1] = INF, -INF
    Z, _ = output_and_weights(Q, K, V, is_causal=True)
    assert np.isfinite(Z[:2]).all()
    assert_array_equal(Z[2:, 0], [INF, INF])
    assert np.isfinite(Z[2, 1])
    assert Z[3, 1] == -INF


def test_infinite_values_of_both_signs_give_nan():
    Q, K, V = qkv()
    V[0, 0], V[3, 0] = INF, -INF
    Z, _ = output_and_weights(Q, K, V, is_causal=True)
    assert_array_equal(Z[:2, 0], [INF, INF])
    assert np.isnan(Z[2:, 0]).all()


def test_a_nan_in_one_head_stays_in_that_head():
    Q, K, V = (np.stack([M, M]) for M in qkv())
    V[1, 4] = NAN
    mask = np.array([[True] * 4 + [False]] * 3 + [[True] * 5])
    Z, _ = output_and_weights(Q, K, V, mask)
    assert np.isfinite(Z[0]).all()
    assert_array_equal(np.isnan(Z[1]).all(axis=1), [False, False, False, True])


def test_softmax_of_nan_and_plus_inf_is_nan_in_that_row_only():
    p = al.softmax([[NAN, 0.0], [INF, 0.0], [0.0, 0.0]])
    assert np.isnan(p[:2]).all()
    assert_array_equal(p[2], [0.5, 0.5])


# warnings


def test_no_warning_even_where_numpy_is_told_to_raise():
    Q, K, V = qkv(np.float32)
    mha = al.MultiHeadAttention.init(4, 2, np.random.default_rng(0))
    X = normal(2, 5, 4)
    Q[0], K[1], K[2], V[3], V[4] = 1e38, NAN, 1e38, INF, 1e-40
    X[0, 0], X[1, 1], X[1, 2] = NAN, INF, 1e308
    with np.errstate(all="raise"):
        for options in ({}, {"is_causal": True}, {"attn_mask": np.zeros((1, 5), bool)}):
            trace = al.attend(Q, K, V, **options)
            al.attention_backward(trace, np.full((4, 2), 1e38, np.float32))
            al.scaled_dot_product_attention(Q, K, V, **options)
            al.attention_weights(Q, K, **options)
            mha(X, **options)
            mha.backward(mha.trace(X, **options), X)
        al.scores(Q, K)
        al.scores(np.float16([[6e4]]), np.float16([[6e4]]))
        al.softmax([-1e308, 1e308, NAN, INF])
        al.self_attention(X, *mha.W_Q[None], *mha.W_K[None], *mha.W_V[None])
    assert not np.isfinite(trace.S).all()


def test_an_output_projection_that_overflows_gives_no_warning():
    W = np.ones((4, 4))
    mha = al.MultiHeadAttention(W, W, W, 1e308 * W, 2)
    with np.errstate(all="raise"):
        trace = mha.trace(np.ones((5, 4)))
        assert_array_equal(mha(np.ones((5, 4))), np.full((5, 4), INF))
        gradients = mha.backward(trace, np.ones((5, 4)))
    assert_array_equal(trace.O, np.full((5, 4), INF))
    assert not np.isfinite(gradients.dX).any()


def test_bias_that_overflows_gives_no_warning():
    Q, K, _ = qkv(np.float32)
    bias = np.full((4, 5), np.finfo(np.float32).max)
    with np.errstate(all="raise"):
        A = al.attention_weights(1e18 * Q, 1e18 * K, bias)
        B = al.attention_weights(Q, K, bias.astype(np.float64) * 1e10)
    # the sums are beyond float32, the largest is still told from the rest
    assert_array_equal(A, np.arange(5) == (Q @ K.T).argmax(axis=1)[:, None])
    # in float64 a score is lost beside 1e48
    assert_array_equal(B, np.full((4, 5), np.float32(0.2)))


@pytest.mark.claim("6.2")
def test_numbers_agree_with_the_row_by_row_reference_in_one_crowded_case():
    rng = np.random.default_rng(8)
    Q, K, V = normal(2, 1, 4, 3, seed=1), normal(3, 5, 3, seed=2), normal(5, 6, seed=3)
    K[1, 2], K[2, 0, 1], V[1], V[3, 2], V[4, 0] = NAN, INF, NAN, INF, -INF
    mask = np.where(rng.random((2, 3, 4, 5)) < 0.5, rng.standard_normal((2, 3, 4, 5)), -INF)
    A, Z = attention_row_by_row(Q, K, V, mask, is_causal=True)
    got, got_A = output_and_weights(Q, K, V, mask, is_causal=True)
    assert_allclose(got_A, A, rtol=1e-12)
    assert_allclose(got, Z, rtol=1e-12)
    assert np.isnan(Z).any()
    assert np.isfinite(Z).any()
