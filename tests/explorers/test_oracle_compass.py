"""The compass beside 60 digits: one query, the first page's keys, and the word in between."""

from decimal import Decimal
from fractions import Fraction
from math import pi

import pytest
from both_sides import SIDES, TOKENS, assert_held, started
from oracles import dot, softmax
from oracles import product as times

from attnlib.example import running_example

EXAMPLE = running_example()
FEATURES, OF_KEYS = [0, 3], [0, 2]
X = [[row[r] for r in FEATURES] for row in EXAMPLE.X.tolist()]
K = times(X, [[EXAMPLE.W_K[r, c] for c in OF_KEYS] for r in FEATURES])
V = times(X, EXAMPLE.W_V[FEATURES].tolist())
ROOT = Decimal(2).sqrt()
WHOLE_TURN = 2 * Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def series(x, first):
    """x^first / first! − x^(first + 2) / (first + 2)! + …: the cosine from 0, the sine from 1."""
    total, term = Decimal(0), x**first if first else Decimal(1)
    for k in range(first, 80, 2):
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
    return total


def q(state):
    turn = WHOLE_TURN * Decimal(state["angle"]) / 360
    return [Decimal(state["length"]) * series(turn, first) for first in (0, 1)]


def score(state):
    query = [Fraction(x) for x in q(state)]
    return [dot(query, key) for key in K]


def scaled(state):
    return [Decimal(s.numerator) / s.denominator / ROOT for s in score(state)]


def weight(state):
    return softmax(scaled(state))


def sums(state):
    """What has been added up after each word, from behind: the whole less what is still to come."""
    terms = [[a * int(v) for v in row] for a, row in zip(weight(state), V, strict=True)]
    return [[sum(term[r] for term in terms[: j + 1]) for r in (0, 1)] for j in range(5)]


def lead(state):
    first, second, *_ = sorted(weight(state), reverse=True)
    return first - second


def mean(state):
    a = weight(state)
    return (a[2] * a[4]).sqrt()


ORACLES = {
    "K": lambda state: K,
    "V": lambda state: V,
    "q": q,
    "score": scaled,
    "weight": weight,
    "z": lambda state: sums(state)[-1],
    "sum": sums,
    "lead": lead,
    "mean": mean,
}


def states():
    for angle in (0, 12.5, 70, 135, 243.43, 315, 360):
        for length in (0, 0.7, 4):
            yield {"angle": angle, "length": length}


def test_every_number_is_the_oracles():
    assert_held("compass", states(), ORACLES)


TURNS = [{"angle": a, "length": length} for a in range(360) for length in (0.5, 1.75, 4)]


@pytest.mark.claim("3.4")
@pytest.mark.parametrize("side", SIDES)
def test_the_word_between_two_others_never_wins_and_each_of_the_others_does(side):
    """Over 360 directions and three lengths."""
    found = SIDES[side]("compass", started("compass", TURNS))
    winners = set()
    for numbers in found:
        a = {j: numbers[f"weight-{j}"] for j in TOKENS}
        assert a[1] == pytest.approx((a[3] * a[5]) ** 0.5, abs=1e-12)
        assert a[1] <= max(a[3], a[5]) + 1e-12
        if numbers["lead"] > 1e-9:
            winners.add(max(a, key=a.get))
    assert winners == {2, 3, 4, 5}


def test_its_key_is_the_midpoint():
    assert K[0] == [(a + b) / 2 for a, b in zip(K[2], K[4], strict=True)]
    assert abs(float(WHOLE_TURN) - 2 * pi) < 1e-15
