"""The mixing explorer beside exact fractions; a corner is what no other values can be mixed to."""

import random
from fractions import Fraction
from itertools import combinations

from both_sides import TOKENS, assert_held
from oracles import product as times

from attnlib.example import running_example

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


ORACLES = {
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
            yield {"mask": mask, "i": i, **{f"share_{j}": rng.randint(0, 100) for j in TOKENS}}
            # nothing is left for those who are visible
            yield {"mask": mask, "i": i, **{f"share_{j}": 50 * (j > i) for j in TOKENS}}


def test_every_number_is_the_oracles():
    assert_held("mixing", states(), ORACLES)


def test_no_three_values_are_in_line():
    assert all(side(*corners) for corners in combinations(V, 3))
