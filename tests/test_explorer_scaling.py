"""The numbers of the scaling explorer, in Python: derived, drawn, after softmax."""

import numpy as np
import pytest

import attnlib
from attnlib.explorers import ScalingExplorer
from attnlib.explorers.draws import standard_normals


def test_drawn_numbers_are_standard_normal_and_independent_of_size():
    z = standard_normals(11, 400_000)
    moments = [np.mean(z**power) for power in (1, 2, 3, 4)]
    np.testing.assert_allclose(moments, [0, 1, 0, 3], atol=0.03)
    assert abs(np.mean(z[::2] * z[1::2])) < 0.01
    assert abs(np.mean(z * standard_normals(12, 400_000))) < 0.01
    np.testing.assert_array_equal(z[:1000], standard_normals(11, 1000))
    for size in (3, -2, 2**20 + 2):
        with pytest.raises(ValueError, match="size must be even and at most 1048576"):
            standard_normals(0, size)


@pytest.mark.parametrize(
    ("mu_q", "mu_k", "sigma_q", "sigma_k", "rho"),
    [
        (0, 0, 1, 1, 0),
        (0, 1.5, 0.5, 2, 0),
        (1.25, 0, 1, 0.5, 0),
        (0, 0, 1, 1, 1),
        (1, -1, 1, 1, 0.75),
        (2, 1, 0.75, 1.5, -0.6),
    ],
)
def test_derived_moments_are_those_of_normal_components(mu_q, mu_k, sigma_q, sigma_k, rho):
    rng = np.random.default_rng(5)
    a, b = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=400_000).T
    product = (mu_q + sigma_q * a) * (mu_k + sigma_k * b)
    traits = dict(mu_q=mu_q, mu_k=mu_k, sigma_q=sigma_q, sigma_k=sigma_k, rho=rho)
    for scaling, divisor in [("none", 1), ("sqrt_d_k", 48**0.5), ("d_k", 48)]:
        explorer = ScalingExplorer(d_k=48, scaling=scaling, **traits)
        assert explorer.variance_per_feature == pytest.approx(product.var(), rel=0.02)
        assert explorer.variance == pytest.approx(48 * product.var() / divisor**2, rel=0.02)
        assert explorer.mean == pytest.approx(48 * product.mean() / divisor, rel=0.02, abs=0.3)
        assert explorer.measured_variance == pytest.approx(explorer.variance, rel=0.35)
        assert abs(explorer.measured_mean - explorer.mean) < 0.4 * explorer.sd
        # given q, a key is mu_k + rho… plus noise of variance σ_k²(1 − ρ²)
        spread = sigma_k * (1 - rho**2) ** 0.5 * np.linalg.norm(explorer.Q, axis=1) / divisor
        root_mean_square = np.sqrt(np.mean(spread**2))
        assert explorer.row_sd == pytest.approx(root_mean_square, rel=0.1)
        assert explorer.measured_row_sd == pytest.approx(root_mean_square, rel=0.1, abs=1e-3)
        explorer.close()


def test_weights_are_attnlibs_and_a_row_is_its_softmax():
    explorer = ScalingExplorer(d_k=24, scaling="sqrt_d_k", rho=0.3)
    assert explorer.Q.shape == (100, 24)
    assert explorer.K.shape == (100, 8, 24)
    expected = [
        attnlib.attention_weights(q[None], k)[0]
        for q, k in zip(explorer.Q, explorer.K, strict=True)
    ]
    np.testing.assert_allclose(explorer.all_weights, expected, rtol=1e-12)
    np.testing.assert_allclose(explorer.weights, attnlib.softmax(explorer.scores), rtol=1e-12)
    p = explorer.weights
    assert explorer.entropy == pytest.approx(-(p * np.log(p)).sum())
    assert explorer.jacobian_norm == pytest.approx(np.linalg.norm(np.diag(p) - np.outer(p, p)))
    assert explorer.counts.sum() == 800
    explorer.close()


def test_dot_products_carry_no_rounding():
    explorer = ScalingExplorer(d_k=512, scaling="none", mu_q=1.7, mu_k=-1.3, sigma_q=2, rho=0.37)
    backwards = attnlib.scores(explorer.Q[:, None, ::-1].copy(), explorer.K[:, :, ::-1].copy())
    np.testing.assert_array_equal(explorer.all_scores, backwards[:, 0, :])
    explorer.close()


def test_a_key_mean_moves_the_scores_and_leaves_the_weights():
    explorer = ScalingExplorer()
    weights, variance = explorer.all_weights, explorer.measured_variance
    explorer.mu_k = 2
    np.testing.assert_allclose(explorer.all_weights, weights, atol=1e-4)
    assert explorer.measured_variance > 3 * variance
    explorer.mu_k, explorer.mu_q = 0, 2
    entropies = -(weights * np.log(weights)).sum(axis=1)
    assert explorer.numbers["mean-entropy"] < entropies.mean() - 0.4
    explorer.close()
