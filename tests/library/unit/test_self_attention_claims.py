"""What the first chapters say of one head: what each part decides, and how far a change reaches."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al

N, D_MODEL, D_K, D_V = 6, 8, 3, 5


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.fixture
def X():
    return normal(N, D_MODEL)


@pytest.fixture
def weights():
    return normal(D_MODEL, D_K, seed=1), normal(D_MODEL, D_K, seed=2), normal(D_MODEL, D_V, seed=3)


@pytest.mark.claim("1.1")
def test_permuted_tokens_give_permuted_outputs(X, weights):
    order = np.array([3, 0, 5, 1, 4, 2])
    Z = al.self_attention(X, *weights).Z
    assert_allclose(al.self_attention(X[order], *weights).Z, Z[order], rtol=1e-12)


@pytest.mark.claim("1.2", "2.3")
def test_every_token_has_one_vector_of_the_width_of_the_values(X, weights):
    assert al.self_attention(X, *weights).Z.shape == (N, D_V)


@pytest.mark.claim("1.5", "2.5")
def test_another_token_changes_every_row_of_weights_but_no_parameter(X, weights):
    copies = [W.copy() for W in weights]
    A = al.self_attention(X, *weights).A
    assert not np.isclose(A[0], A[1:]).all(axis=1).any()
    X[4] += 1
    assert (al.self_attention(X, *weights).A != A).any(axis=1).all()
    for W, copy in zip(weights, copies, strict=True):
        assert_array_equal(W, copy)


@pytest.mark.claim("2.2")
def test_a_row_of_a_projection_is_the_projection_of_the_row(X, weights):
    trace = al.self_attention(X, *weights)
    for i in range(N):
        for M, W in zip((trace.Q, trace.K, trace.V), weights, strict=True):
            assert_allclose(M[i], sum(X[i, r] * W[r] for r in range(D_MODEL)), rtol=1e-12)


@pytest.mark.claim("2.4")
def test_queries_and_keys_decide_the_weights_and_values_what_is_passed_on(X, weights):
    W_Q, W_K, W_V = weights
    trace = al.self_attention(X, *weights)
    other_values = al.self_attention(X, W_Q, W_K, W_V + 1)
    assert_array_equal(other_values.A, trace.A)
    assert (other_values.Z != trace.Z).all()
    for other in (al.self_attention(X, W_Q + 1, W_K, W_V), al.self_attention(X, W_Q, W_K + 1, W_V)):
        assert_array_equal(other.V, trace.V)
        assert (other.A != trace.A).all()


@pytest.mark.claim("2.6")
def test_queries_and_keys_may_change_their_features_together(X, weights):
    W_Q, W_K, W_V = weights
    M = normal(D_K, D_K, seed=4)
    changed = al.self_attention(X, W_Q @ M, W_K @ np.linalg.inv(M).T, W_V)
    trace = al.self_attention(X, *weights)
    assert_allclose(changed.S, trace.S, rtol=1e-10, atol=1e-10)
    assert not np.isclose(changed.Q, trace.Q).any()


@pytest.mark.claim("3.1", "3.2")
def test_a_score_is_the_dot_product_of_its_query_and_its_key():
    Q, K = normal(4, D_K), normal(N, D_K, seed=1)
    S = al.scores(Q, K)
    for i, j in np.ndindex(4, N):
        assert S[i, j] == pytest.approx(sum(Q[i, r] * K[j, r] for r in range(D_K)), rel=1e-12)


@pytest.mark.claim("4.2", "4.4", "4.6")
@pytest.mark.parametrize("d_k", [4, 64])
def test_independent_features_give_scores_the_variance_d_k_and_scaled_ones_1(d_k):
    trace = al.attend(normal(500, d_k), normal(600, d_k, seed=1), np.ones((600, 1)))
    assert trace.S.var() == pytest.approx(d_k, rel=0.05)
    assert trace.S_scaled.var() == pytest.approx(1, rel=0.05)
    divided_by_d_k = al.attend(trace.Q, trace.K, trace.V, scale=1 / d_k).S_scaled
    assert divided_by_d_k.var() == pytest.approx(1 / d_k, rel=0.05)


@pytest.mark.claim("5.4", "6.1")
def test_a_token_takes_from_a_value_the_share_that_its_weight_says(X, weights):
    trace = al.self_attention(X, *weights)
    change = normal(D_V, seed=5)
    V = trace.V.copy()
    V[2] += change
    moved = al.scaled_dot_product_attention(trace.Q, trace.K, V) - trace.Z
    assert_allclose(moved, np.outer(trace.A[:, 2], change), rtol=0, atol=1e-13)
