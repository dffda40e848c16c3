"""The scaling explorer beside quadrature, the drawn sample in whole numbers, and many samples."""

import math
import random
from bisect import bisect_right
from functools import cache
from itertools import pairwise
from statistics import fmean, median, stdev, variance

import numpy as np
import pytest
from both_sides import SIDES, assert_held, started
from oracles import STEP, decimal, softmax

from attnlib.explorers import ScalingExplorer

KEYS = 8
GRID = 2**16  # features are multiples of 1 / GRID
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(5)  # exact up to degree 9


def scale(state):
    root = math.isqrt(state["d_k"] << 80) / 2**40
    return {"none": 1.0, "sqrt_d_k": 1 / root, "d_k": 1 / state["d_k"]}[state["scaling"]]


def moments(state):
    """Of one product q_r k_r by quadrature: its mean, its variance, and that for a given query."""
    probability = WEIGHTS / WEIGHTS.sum()
    rho = state["rho"]
    means, squares, variances = [], [], []
    for a in NODES:
        q = state["mu_q"] + state["sigma_q"] * a
        partner = rho * a + math.sqrt(1 - rho**2) * NODES
        values = q * (state["mu_k"] + state["sigma_k"] * partner)
        means.append(values @ probability)
        squares.append(values**2 @ probability)
        # not a difference of two squares: what is left of it near 0 is rounding
        variances.append((values - means[-1]) ** 2 @ probability)
    mean, square, within = (
        float(x @ probability) for x in map(np.array, (means, squares, variances))
    )
    return mean, square - mean**2, within


def reach(state):
    """Half the width of the picture: twice as wide whenever a product deviates twice as much."""
    wider = math.ceil(math.log2(math.sqrt(moments(state)[1]) / 1.5))
    return (64 if state["scaling"] == "none" else 4) * 2 ** max(0, wider)


def derived(state):
    """What holds for every sample."""
    mean, spread, within = moments(state)
    d_k, factor = state["d_k"], scale(state)
    return {
        "divisor": 1 / factor,
        "scale": factor,
        "mean": factor * d_k * mean,
        "mean-per-feature": mean,
        "variance-per-feature": spread,
        "unscaled-variance": d_k * spread,
        "unscaled-sd": math.sqrt(d_k * spread),
        "variance": factor**2 * d_k * spread,
        "sd": factor * math.sqrt(d_k * spread),
        "row-sd": factor * math.sqrt(d_k * within),
    }


@cache
def added_up(items):
    """Each query's scores before the division: dot products in whole numbers."""
    state = dict(items)
    explorer = ScalingExplorer(**state)
    Q, K = ((M * GRID).astype(np.int64) for M in (explorer.Q, explorer.K))
    assert (Q == explorer.Q * GRID).all()
    assert (K == explorer.K * GRID).all()
    explorer.close()
    products = (K @ Q[:, :, None])[:, :, 0].tolist()
    return [[p / GRID**2 for p in row] for row in products]


def drawn(state, scaling=None):
    """Each query's scores, divided as the state says or otherwise."""
    factor = scale({**state, "scaling": scaling or state["scaling"]})
    return [[p * factor for p in row] for row in added_up(tuple(state.items()))]


def entropy(p):
    return -math.fsum(x * math.log(x) for x in p if x)


def size(p):
    """The norm of diag(p) − pᵀp, from sums of powers of the weights alone, in decimals.

    Where one weight is nearly 1 the sums cancel, and of doubles little would be left.
    """
    second, third = (sum(x**n for x in p) for n in (2, 3))
    return (second - 2 * third + second**2).sqrt()


def answers(row):
    """How all weights answer while one score after another moves: a list for each score."""

    def weights(t, by):
        return softmax([decimal(s) + by * (i == t) for i, s in enumerate(row)])

    pairs = [zip(weights(t, STEP), weights(t, -STEP), strict=True) for t in range(KEYS)]
    return [[(p - q) / (2 * STEP) for p, q in pair] for pair in pairs]


def answered(row):
    """The norm of the Jacobian."""
    return sum(x**2 for answer in answers(row) for x in answer).sqrt()


def of_sample(state):
    """What is measured: counted, or taken of the scores and of their weights."""
    rows = drawn(state)
    sums = added_up(tuple(state.items()))
    scores = sorted(s for row in rows for s in row)
    low, width = derived(state)["mean"] - reach(state), reach(state) / 16
    below = [bisect_right(scores, low + k * width) for k in range(33)]
    inside = below[-1] - below[0]
    exact = [softmax(row) for row in rows]
    weights = [[float(p) for p in row] for row in exact]
    reactions = [float(answer[t]) for t, answer in enumerate(answers(rows[0]))]
    ranked = [sorted(row, reverse=True) for row in weights]
    others = {
        f"weights-{scaling}": [float(p) for p in softmax(drawn(state, scaling)[0])]
        for scaling in ("none", "sqrt_d_k", "d_k")
    }
    return {
        **others,
        "sums": sums[0],
        "measured-unscaled-sd": stdev(x for row in sums for x in row),
        "reactions": reactions,
        "stuck": sum(reaction < 0.001 for reaction in reactions),
        "typical": [median(rank) for rank in zip(*ranked, strict=True)],
        "measured-mean": fmean(scores),
        "measured-variance": variance(scores),
        "measured-sd": stdev(scores),
        "measured-row-sd": math.sqrt(fmean(map(variance, rows))),
        "tallest": max(b - a for a, b in pairwise(below)),
        "outside": 1 - inside / 800,
        "scores": rows[0],
        "weights": weights[0],
        "entropy": entropy(weights[0]),
        "mean-entropy": fmean(map(entropy, weights)),
        "jacobian-norm": answered(rows[0]),
        "mean-jacobian-norm": fmean(map(size, exact)),
    }


@cache
def everything(items):
    state = dict(items)
    return derived(state) | of_sample(state)


def oracle(name):
    return lambda state: everything(tuple(state.items()))[name]


NAMES = (
    "divisor scale mean variance-per-feature unscaled-variance variance sd row-sd measured-mean "
    "measured-variance measured-sd measured-row-sd tallest outside scores weights entropy "
    "mean-entropy jacobian-norm mean-jacobian-norm mean-per-feature unscaled-sd sums "
    "measured-unscaled-sd reactions stuck typical weights-none weights-sqrt_d_k weights-d_k"
)
ORACLES = {name: oracle(name) for name in NAMES.split()}


def states():
    rng = random.Random(9)
    for d_k, scaling in [
        (1, "none"),
        (7, "sqrt_d_k"),
        (30, "d_k"),
        (48, "none"),
        (400, "sqrt_d_k"),
    ]:
        means = {name: rng.uniform(-2, 2) for name in ("mu_q", "mu_k")}
        sizes = {name: rng.uniform(0.25, 2) for name in ("sigma_q", "sigma_k")}
        yield {
            "d_k": d_k,
            "scaling": scaling,
            **means,
            **sizes,
            "rho": rng.uniform(-1, 1),
            "seed": d_k,
        }
    yield {"d_k": 12, "rho": 1.0, "mu_k": 0.5}
    # weights that react a little more, and a little less, than what is called stuck
    yield {"d_k": 40, "scaling": "none", "seed": 5}


def test_every_number_is_the_oracles():
    assert_held("scaling", states(), ORACLES)


SAMPLES = 40
MEASURED = {"mean": "measured-mean", "variance": "measured-variance", "row-sd": "measured-row-sd"}


@pytest.mark.parametrize(
    "traits",
    [
        {"mu_q": 1.5, "mu_k": 0.5, "sigma_q": 0.5, "rho": 0.6},
        {"mu_q": -1.0, "mu_k": 2.0, "sigma_k": 1.75, "rho": -0.5, "scaling": "none"},
        {"sigma_q": 2.0, "sigma_k": 0.25, "scaling": "d_k"},
    ],
)
def test_samples_scatter_around_what_is_derived(traits):
    """40 samples: their mean lies within 4 standard errors of what quadrature says for all."""
    cases = started("scaling", [{"d_k": 9, **traits, "seed": seed} for seed in range(SAMPLES)])
    expected = derived(cases[0])
    for side, numbers_of in SIDES.items():
        shown = numbers_of("scaling", cases)
        for name, measured in MEASURED.items():
            power = 2 if name == "row-sd" else 1  # its square has no bias
            values = [numbers[measured] ** power for numbers in shown]
            error = stdev(values) / math.sqrt(SAMPLES)
            assert error < 0.05 * max(1, expected["variance"]), "the bound says something"
            assert abs(fmean(values) - expected[name] ** power) < 4 * error, (side, name)
            # no two samples are alike
            assert len({*values}) == SAMPLES
