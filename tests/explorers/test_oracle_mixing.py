"""The mixing explorer beside exact fractions; a corner is what no other values can be mixed to.

A pull has no formula here: that its mixture is the most even one is seen from what any exchange
between the tokens that leaves z where it is would do to the entropy.
"""

import cmath
import math
import random
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest
from both_sides import TOKENS, assert_held, in_node
from oracles import product as times

from attnlib.example import running_example
from attnlib.explorers import MixingExplorer
from attnlib.explorers.mixing.pull import most_even, whole_percents

EXAMPLE = running_example()
V = times(EXAMPLE.X, EXAMPLE.W_V)


def hidden(state):
    return [state["mask"] == "causal" and j > state["i"] for j in TOKENS]


def weight(state):
    """Every token is dealt its share of the cards; with no cards, each visible one gets one."""
    shares = [
        0 if gone else state[f"share_{j}"] for j, gone in zip(TOKENS, hidden(state), strict=True)
    ]
    if not any(shares):
        shares = [int(not gone) for gone in hidden(state)]
    return [Fraction(share, sum(shares)) for share in shares]


def side(p, a, b):
    """On which side of the line from a to b a point lies."""
    (x, y), (x_a, y_a), (x_b, y_b) = p, a, b
    return (x_b - x_a) * (y - y_a) - (y_b - y_a) * (x - x_a)


def is_mixed_of(p, corners):
    """Whether a point lies in a triangle, its border included; no three values are in line."""
    a, b, c = corners
    sides = [side(p, a, b), side(p, b, c), side(p, c, a)]
    return min(sides) >= 0 or max(sides) <= 0


def corner(state):
    seen = [v for v, gone in zip(V, hidden(state), strict=True) if not gone]
    triangles = [*combinations(seen, 3)]
    inside = [any(is_mixed_of(v, corners) for corners in triangles if v not in corners) for v in V]
    return [int(v in seen and not mixed) for v, mixed in zip(V, inside, strict=True)]


def turned(state):
    """The values, turned until the direction points to the right: heights are first numbers."""
    back = cmath.rect(1, -math.radians(state["direction"]))
    return [(complex(*map(float, v)) * back).real for v in V]


def border(state):
    return max(x for x, gone in zip(turned(state), hidden(state), strict=True) if not gone)


def level(state):
    """From the share of 100 draws that each token would get."""
    return sum(float(100 * a) * x for a, x in zip(weight(state), turned(state), strict=True)) / 100


ORACLES = {
    "level": level,
    "border": border,
    "V": lambda state: V,
    "weight": weight,
    "z": lambda state: times([weight(state)], V)[0],
    "corner": corner,
    "total": lambda state: 1,
    "corners": lambda state: sum(corner(state)),
}


def states():
    rng = random.Random(1)
    for mask in ("none", "causal"):
        for i in TOKENS:
            common = {"mask": mask, "i": i, "direction": rng.randint(0, 359)}
            yield {**common, **{f"share_{j}": rng.randint(0, 100) for j in TOKENS}}
            # nothing is left for those who are visible
            yield {**common, **{f"share_{j}": 50 * (j > i) for j in TOKENS}}


def test_every_number_is_the_oracles():
    assert_held("mixing", states(), ORACLES)


def test_no_three_values_are_in_line():
    assert all(side(*corners) for corners in combinations(V, 3))


def test_no_mixture_gets_beyond_the_border_and_one_token_alone_gets_there():
    rng = random.Random(3)
    for state in states():
        heights, most = turned(state), border(state)
        seen = [j for j, gone in enumerate(hidden(state)) if not gone]
        for _ in range(50):
            cards = [rng.choice(seen) for _ in range(9)]
            assert sum(heights[j] for j in cards) / 9 <= most + 1e-12
        assert most in [heights[j] for j in seen]


def exchanges(seen):
    """Amounts that four tokens can exchange, so that neither the sum nor z changes."""
    for four in combinations(seen, 4):
        amounts = []
        for k in range(4):  # by Cramer's rule, from the areas of the triangles of the others
            a, b, c = (V[j] for j in four[:k] + four[k + 1 :])
            amounts.append((-1) ** k * side(c, a, b))
        yield dict(zip(four, amounts, strict=True))


def test_an_exchange_changes_neither_sum_nor_output():
    for amounts in exchanges(range(5)):
        assert sum(amounts.values()) == 0
        assert all(sum(x * V[j][r] for j, x in amounts.items()) == 0 for r in range(2))


@cache
def mixtures(n):
    """Very many mixtures of two of the first values; of the one, where there is one."""
    corners = [[float(x) for x in v] for v in V[:n]]
    return [
        [t / 400 * x + (1 - t / 400) * y for x, y in zip(a, b, strict=True)]
        for a, b in combinations_with_replacement(corners, 2)
        for t in range(401)
    ]


def places(seen):
    rng = random.Random(len(seen))
    yield from ([rng.uniform(-4, 4), rng.uniform(-4, 4)] for _ in range(40))
    for _ in range(40):  # inside, some of them next to the border
        cards = [rng.choice(seen) for _ in range(rng.choice([2, 3, 12]))]
        yield [float(sum(V[j][r] for j in cards)) / len(cards) for r in range(2)]


PULL = """
  const { V } = HEAD;
  const result = data.map(([n, place]) => {
    const weights = mostEven(V.slice(0, n), place);
    return { weights, percents: sharesAt(V.slice(0, n), place) };
  });
"""


@pytest.mark.parametrize("n", TOKENS)
def test_a_pull_takes_the_most_even_mixture_of_the_nearest_place(n):
    seen = range(n)
    exact = [[float(x) for x in v] for v in V[:n]]
    asked = [*places(seen)]
    in_page = in_node("mixing", PULL, [[n, place] for place in asked])
    for place, page in zip(asked, in_page, strict=True):
        weights = most_even(exact, place)
        assert page["weights"] == pytest.approx([*weights], abs=1e-9)
        assert page["percents"] == whole_percents(weights)
        assert min(weights) >= 0
        assert math.isclose(sum(weights), 1)
        z = [sum(a * v[r] for a, v in zip(weights, exact, strict=True)) for r in range(2)]
        triangles = combinations(V[:n], 3)
        if any(is_mixed_of([Fraction(x) for x in place], corners) for corners in triangles):
            assert z == pytest.approx(place, abs=2e-6)
        else:
            nearest = min(math.dist(place, point) for point in mixtures(n))
            assert nearest - 0.01 < math.dist(z, place) <= nearest + 1e-9
        if min(weights) > 1e-9:  # not on the border, where some have nothing to give
            for amounts in exchanges(seen):
                gain = sum(float(x) * -math.log(weights[j]) for j, x in amounts.items())
                assert abs(gain) < 1e-9 * max(map(abs, amounts.values()))


def test_percents_are_whole_sum_to_100_and_none_is_off_by_one():
    rng = random.Random(5)
    for _ in range(300):
        parts = [rng.random() ** 3 for _ in range(rng.randint(1, 5))]
        weights = [part / sum(parts) for part in parts]
        percents = whole_percents(weights)
        assert sum(percents) == 100
        assert all(abs(p - 100 * w) < 1 for p, w in zip(percents, weights, strict=True))
    assert whole_percents([1 / 3, 1 / 3, 1 / 3]) == [34, 33, 33]


def test_z_of_a_pull_is_the_z_of_its_percents():
    with_python = MixingExplorer(i=3, mask="causal", share_5=77)
    with_python.pull((0.25, 1.1))
    shares = [getattr(with_python, f"share_{j}") for j in TOKENS]
    assert (sum(shares[:3]), shares[4]) == (100, 77)
    hundredths = [sum(s * v[r] for s, v in zip(shares[:3], V[:3], strict=True)) for r in range(2)]
    assert with_python.z == pytest.approx([float(x) / 100 for x in hundredths], abs=1e-12)
    assert with_python.z == pytest.approx([0.25, 1.1], abs=0.03)
    with_python.close()
