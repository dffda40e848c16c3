"""What X and each projection decide: whose weights, whose values, and what stays as it is."""

import numpy as np
import pytest

from attnlib import scores, self_attention


def drawn(*shape, seed):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.fixture
def X():
    return drawn(6, 4, seed=1)  # (n, d_model)


@pytest.fixture
def weights():
    shapes = {"W_Q": (4, 3), "W_K": (4, 3), "W_V": (4, 5)}
    return {name: drawn(*s, seed=k) for k, (name, s) in enumerate(shapes.items(), start=2)}


@pytest.mark.claim("1.2")
def test_every_token_has_an_output_of_its_own(X, weights):
    Z = self_attention(X, **weights).Z
    assert Z.shape == (6, 5)
    assert len(np.unique(Z.round(9), axis=0)) == 6


@pytest.mark.claim("1.5", "2.5")
def test_another_token_changes_its_own_projections_and_the_weights_of_every_row(X, weights):
    before = self_attention(X, **weights)
    X_new = X.copy()
    X_new[2] += 1
    after = self_attention(X_new, **weights)
    assert (np.abs(after.A - before.A).max(axis=1) > 1e-3).all()
    for name in "QKV":
        moved = (getattr(after, name) != getattr(before, name)).any(axis=1)
        assert moved.tolist() == [False, False, True, False, False, False]


@pytest.mark.claim("2.1", "2.2")
def test_rows_are_projected_one_by_one(X, weights):
    trace = self_attention(X, **weights)
    for name in "QKV":
        by_sums = [[sum(x[m] * W[m] for m in range(4)) for W in weights[f"W_{name}"].T] for x in X]
        np.testing.assert_allclose(getattr(trace, name), by_sums, rtol=1e-12)


@pytest.mark.claim("2.3")
def test_queries_and_keys_share_their_width_and_values_have_any(X, weights):
    for d_v in (1, 2, 7):
        trace = self_attention(X, **weights | {"W_V": drawn(4, d_v, seed=5)})
        assert trace.Z.shape == (6, d_v)
    for name in ("W_Q", "W_K"):
        with pytest.raises(ValueError, match="d_k"):
            self_attention(X, **weights | {name: drawn(4, 2, seed=6)})


@pytest.mark.claim("2.4")
@pytest.mark.parametrize(
    ("changed", "stays", "moves"), [("W_V", "A", "V"), ("W_Q", "V", "A"), ("W_K", "V", "A")]
)
def test_queries_and_keys_decide_the_weights_and_values_what_is_passed_on(
    changed, stays, moves, X, weights
):
    before = self_attention(X, **weights)
    after = self_attention(X, **weights | {changed: weights[changed] + 1})
    np.testing.assert_array_equal(getattr(after, stays), getattr(before, stays))
    assert np.abs(getattr(after, moves) - getattr(before, moves)).max() > 0.1
    assert np.abs(after.Z - before.Z).max() > 0.1


@pytest.mark.claim("2.6")
def test_an_invertible_change_of_query_and_key_features_changes_no_weight(X, weights):
    M = drawn(3, 3, seed=7)
    turned = {"W_Q": weights["W_Q"] @ M, "W_K": weights["W_K"] @ np.linalg.inv(M).T}
    before, after = self_attention(X, **weights), self_attention(X, **weights | turned)
    assert np.abs(after.Q - before.Q).max() > 0.1
    np.testing.assert_allclose(after.S, before.S, rtol=1e-9)
    np.testing.assert_allclose(after.A, before.A, rtol=1e-9)


@pytest.mark.claim("3.3")
def test_scores_are_not_symmetric_and_need_no_likeness(X):
    W_Q, W_K = np.zeros((2, 4, 2))
    W_Q[0, 0] = W_K[1, 0] = 3
    unlike = np.eye(4)[[0, 1, 0]]  # the first token and its copy, and one at a right angle
    S = scores(unlike @ W_Q, unlike @ W_K)
    assert S[0, 1] == 9
    assert S[1, 0] == S[0, 2] == S[0, 0] == 0
