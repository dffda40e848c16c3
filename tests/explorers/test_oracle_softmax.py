"""The softmax explorer beside differences of T ln Σ exp(x): its slopes are weights and entropy."""

import random
from decimal import Decimal
from fractions import Fraction

from both_sides import TOKENS, assert_held
from oracles import STEP, slope


def scores(state):
    return [Decimal(state[f"score_{j}"]) for j in TOKENS]


def x(state):
    s, c, T = (
        [Fraction(state[f"score_{j}"]) for j in TOKENS],
        state["shift"],
        state["temperature"],
    )
    return [(s_j + Fraction(c)) / Fraction(T) for s_j in s]


def exp(state):
    c, T = Decimal(state["shift"]), Decimal(state["temperature"])
    return [(c / T).exp() * (s / T).exp() for s in scores(state)]


def potential(state, moved=(), warmer=0):
    """T ln Σ exp((s + c) / T), with some scores moved, or the temperature."""
    T = Decimal(state["temperature"]) + warmer
    s = scores(state)
    for j, by in moved:
        s[j] += by
    return T * sum(((s_j + Decimal(state["shift"])) / T).exp() for s_j in s).ln()


def weight(state):
    """A weight is the slope of the potential in its score."""
    return [slope(lambda by, j=j: potential(state, [(j, by)])) for j in range(5)]


def entropy(state):
    """The entropy is its slope in the temperature."""
    return slope(lambda by: potential(state, warmer=by))


def jacobian(state):
    """And the Jacobian its curvature: how weight j answers to score t."""

    def answer(j, t):
        corners = [
            a * b * potential(state, [(j, a * STEP), (t, b * STEP)])
            for a in (1, -1)
            for b in (1, -1)
        ]
        return sum(corners) / (4 * STEP**2)

    return [[answer(j, t) for t in range(5)] for j in range(5)]


ORACLES = {
    "x": x,
    "exp": exp,
    "weight": weight,
    "J": jacobian,
    "exp-sum": lambda state: sum(exp(state)),
    "weight-sum": lambda state: 1,
    "entropy": entropy,
}


def states():
    rng = random.Random(5)
    yield {}
    for _ in range(12):
        traits = {f"score_{j}": rng.uniform(-5, 5) for j in TOKENS}
        yield {**traits, "temperature": rng.uniform(0.3, 5), "shift": rng.uniform(-10, 10)}


def test_every_number_is_the_oracles():
    assert_held("softmax", states(), ORACLES)
