"""Contract, numbers: rows that see nothing, and what a mask hides."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

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


# rows with nothing to attend to


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["bool", "float"])
def test_a_row_with_nothing_to_attend_to_has_weights_output_and_gradient_zero(dtype, kind):
    allowed = np.ones((4, 5), bool)
    allowed[1] = False
    mask = allowed if kind == "bool" else np.where(allowed, 0, -INF)
    Q, K, V = qkv(dtype)
    Z, A = output_and_weights(Q, K, V, mask)
    assert_array_equal(A[1], 0)
    assert_array_equal(Z[1], 0)
    assert_allclose(A[[0, 2, 3]].sum(axis=1), 1, rtol=1e-2)
    gradients = al.attention_backward(al.attend(Q, K, V, mask), np.ones_like(Z))
    assert_array_equal(gradients.dQ[1], 0)
    without = al.attention_backward(al.attend(np.delete(Q, 1, 0), K, V), np.ones_like(Z[1:]))
    assert_allclose(gradients.dK, without.dK, rtol=1e-2, atol=1e-2)
    assert_allclose(gradients.dV, without.dV, rtol=1e-2, atol=1e-2)


def test_more_queries_than_keys_leave_the_first_causal_rows_empty():
    Z, A = output_and_weights(*qkv(n_q=5, n_k=3), is_causal=True)
    assert_array_equal(A[:2], 0)
    assert_array_equal(Z[:2], 0)
    assert_allclose(A[2:].sum(axis=1), 1, rtol=1e-12)


def test_an_empty_row_is_zero_whatever_the_query_holds():
    Q, K, V = qkv()
    Q[1] = NAN
    Q[2] = INF
    allowed = np.ones((4, 5), bool)
    allowed[1:3] = False
    Z, A = output_and_weights(Q, K, V, allowed)
    assert_array_equal(A[1:3], 0)
    assert_array_equal(Z[1:3], 0)
    clean = al.scaled_dot_product_attention(*qkv())
    assert_allclose(Z[[0, 3]], clean[[0, 3]], rtol=1e-12)


def test_softmax_of_nothing_but_minus_inf_is_zero():
    assert_array_equal(al.softmax([[-INF, -INF], [0.0, -INF]]), [[0, 0], [1, 0]])
    assert_array_equal(al.softmax([[-INF, 0.0], [-INF, -INF]], axis=0), [[0, 1], [0, 0]])


# masked positions


@pytest.mark.parametrize("hidden", [NAN, INF, -INF, 1e300, 0.0])
@pytest.mark.parametrize("kind", ["bool", "float", "causal", "bool row"])
def test_masked_positions_never_influence_an_output(hidden, kind):
    Q, K, V = qkv()
    allowed = np.random.default_rng(4).random((4, 5)) < 0.5
    allowed[:, 2] = False
    options = {
        "bool": {"attn_mask": allowed},
        "float": {"attn_mask": np.where(allowed, normal(4, 5, seed=5), -INF)},
        "bool row": {"attn_mask": np.array([[True, True, False, True, False]])},
        "causal": {"is_causal": True},
    }[kind]
    Z, A = output_and_weights(Q, K, V, **options)
    clean = al.attend(Q, K, V, **options)
    may_attend = A > 0
    for j in range(5):
        K_hidden, V_hidden = K.copy(), V.copy()
        K_hidden[j], V_hidden[j] = hidden, hidden
        blind = ~may_attend[:, j]
        Z_hidden = al.scaled_dot_product_attention(Q, K_hidden, V_hidden, **options)
        A_hidden = al.attention_weights(Q, K_hidden, **options)
        assert_array_equal(A_hidden[blind], A[blind])
        assert_array_equal(Z_hidden[blind], Z[blind])
        assert_array_equal(A_hidden[:, j][blind], 0)
        trace = al.attend(Q, K_hidden, V_hidden, **options)
        assert_array_equal(trace.A, A_hidden)
        assert_array_equal(trace.Z[blind], clean.Z[blind])


def test_finite_masked_values_change_not_one_bit():
    Q, K, V = qkv()
    mask = al.causal_mask(4, 5)
    Z = al.scaled_dot_product_attention(Q, K, V, mask)
    K[4], V[4] = 17, -3e30
    assert_array_equal(al.scaled_dot_product_attention(Q, K, V, mask)[:3], Z[:3])


@pytest.mark.parametrize("hidden", [NAN, INF, -INF, 1e300])
def test_masked_positions_never_influence_a_gradient(hidden):
    Q, K, V = qkv()
    allowed = np.random.default_rng(4).random((4, 5)) < 0.7
    allowed[:, 2] = False
    trace = al.attend(Q, K, V, allowed)
    clean = al.attention_backward(trace, normal(4, 2))
    K[2], V[2] = hidden, hidden
    gradients = al.attention_backward(al.attend(Q, K, V, allowed), normal(4, 2))
    for got, expected in zip(gradients, clean, strict=True):
        assert_allclose(got, expected, rtol=1e-12, atol=1e-14)
    assert_array_equal(gradients.dK[2], 0)
    assert_array_equal(gradients.dV[2], 0)


def test_a_bias_beyond_the_computing_dtype_still_does_not_forbid():
    # -1e300 is -inf in float32, yet the mask does not say -inf: the NaN there is visible
    Q, K, V = qkv(np.float32)
    V[2] = NAN
    bias = np.zeros((4, 5))
    bias[:, 2] = -1e300
    Z, A = output_and_weights(Q, K, V, bias)
    assert_array_equal(A[:, 2], 0)
    assert np.isnan(Z).all()
