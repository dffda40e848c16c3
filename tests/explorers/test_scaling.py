"""The numbers of the scaling explorer, in Python: derived, drawn, after softmax."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import attnlib
from attnlib.explorers import ScalingExplorer
from attnlib.explorers.scaling.draws import standard_normals
from attnlib.symbolic.moments import Expectation

q, noise, f = sp.symbols("q epsilon f")
mu_q, mu_k, sigma_q, sigma_k, rho = sp.symbols("mu_q mu_k sigma_q sigma_k rho")


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


@pytest.mark.claim("4.2", "4.5")
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


@pytest.mark.claim("4.3")
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


@pytest.mark.claim("4.5")
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


def variance_by_the_rules(fourth, standard_k, others, values):
    """Variance of (μ_q + σ_q q)(μ_k + σ_k k), from the moments of q and of what k is made of."""
    moments = {q: 0, q**2: 1, q**3: 0, q**4: fourth}
    product = (mu_q + sigma_q * q) * (mu_k + sigma_k * standard_k)
    return float(Expectation(moments, others).variance(product).subs(values))


@pytest.mark.claim("4.5")
@pytest.mark.parametrize(
    "values",
    [(0, 0, 1, 1, 0.6), (1.5, -0.75, 0.5, 2, -0.8), (-2, 1.25, 1.75, 0.25, 0.3), (1, 2, 1, 1, 0)],
)
def test_the_variance_per_feature_follows_for_normal_features_and_not_for_coins(values):
    values = dict(zip((mu_q, mu_k, sigma_q, sigma_k, rho), values, strict=True))
    explorer = ScalingExplorer(**{str(symbol): value for symbol, value in values.items()})
    partner = rho * q + sp.sqrt(1 - rho**2) * noise
    normal = variance_by_the_rules(3, partner, {noise: 0, noise**2: 1}, values)
    assert explorer.variance_per_feature == pytest.approx(normal)
    coins = variance_by_the_rules(1, f * q, {f: rho, f**2: 1}, values)
    apart = 2 * (values[rho] * values[sigma_q] * values[sigma_k]) ** 2
    assert normal - coins == pytest.approx(apart)
    explorer.close()


def stops():
    """The stops of the slider of d_k, as the page has them."""
    view = Path(attnlib.__file__).with_name("explorers") / "scaling" / "view.js"
    return json.loads(re.search(r"STOPS = (\[.*?\]);", view.read_text(encoding="utf-8"))[1])


@pytest.mark.claim("4.3")
def test_what_the_reader_is_sent_to_find_without_division_has_one_answer():
    """The first thing to try in chapter 4: where the average entropy falls below 1 for good."""
    found, largest = {}, {}
    for d_k in stops():
        explorer = ScalingExplorer(d_k=d_k, scaling="none")
        found[d_k] = explorer.numbers["mean-entropy"]
        largest[d_k] = explorer.weights.max()
        explorer.close()
    below = [d_k for d_k, value in found.items() if value < 1]
    assert below == [d_k for d_k in stops() if d_k >= 8]
    # as shown, with three decimals, neither neighbour reads 1.00
    assert found[6] > 1.05
    assert found[8] < 0.95
    # the one row goes up and down, by more than can be overlooked
    assert largest[12] < largest[8] - 0.1
    # between the stops, for who types a number: the same answer
    for d_k, above in ((7, True), (9, False), (10, False), (11, False)):
        explorer = ScalingExplorer(d_k=d_k, scaling="none")
        assert (explorer.numbers["mean-entropy"] > 1) is above
        explorer.close()


@pytest.mark.claim("4.4", "4.6")
def test_with_the_root_no_derived_number_moves_with_d_k_and_with_d_k_three_fall():
    names = ("mean", "variance", "sd", "row-sd")

    def derived(scaling, d_k):
        explorer = ScalingExplorer(d_k=d_k, scaling=scaling)
        numbers = explorer.numbers
        explorer.close()
        return [numbers[name] for name in names]

    for d_k in stops():
        assert derived("sqrt_d_k", d_k) == pytest.approx([0, 1, 1, 1])
        expected = [0, 1 / d_k, d_k**-0.5, d_k**-0.5]
        assert derived("d_k", d_k) == pytest.approx(expected)


@pytest.mark.claim("4.5")
def test_rho_moves_the_mean_like_the_root_and_at_one_all_keys_are_alike():
    means = []
    for d_k in (16, 64):
        explorer = ScalingExplorer(d_k=d_k, rho=0.5)
        means.append(explorer.mean)
        explorer.close()
    assert means[1] == pytest.approx(2 * means[0])
    for rho_end, scaling in ((1, "none"), (-1, "sqrt_d_k"), (1, "d_k")):
        explorer = ScalingExplorer(d_k=48, rho=rho_end, scaling=scaling, mu_k=0.5, sigma_k=1.5)
        np.testing.assert_array_equal(explorer.all_weights, np.full((100, 8), 1 / 8))
        explorer.close()
