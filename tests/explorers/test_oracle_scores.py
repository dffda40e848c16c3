"""The scores explorer beside exact numbers: dot products and angles made of lengths alone."""

from fractions import Fraction
from itertools import accumulate, product
from math import atan2, degrees

from both_sides import TOKENS, assert_held
from oracles import decimal, dot, transposed
from oracles import product as times

from attnlib.example import running_example

EXAMPLE = running_example()
Q, K = times(EXAMPLE.X, EXAMPLE.W_Q), times(EXAMPLE.X, EXAMPLE.W_K)
S = [[dot(q, k) for k in K] for q in Q]

# every feature another, two keys along a query, two against it, a query that is 0
MOVED = [
    {
        "Q": [[2.5, -1.25, 0.5], [0, 0, 0], [-3, 3, 1.75], [0.1, 0.2, 0.3], [1, 0, 0]],
        "K": [[0.2, 0.4, 0.6], [3, 0, 0], [-0.5, 0, 0], [-0.1, -0.2, -0.3], [0.75, 2.25, -3]],
    },
    {"Q": [[3, 3, 3]] * 5, "K": [[-3, -3, 3]] * 4 + [[0, 0, 0]]},
]


def rows(state, query, key):
    """The query and the key of one direction, exact."""
    q, k = state.get("Q", Q)[state[query] - 1], state.get("K", K)[state[key] - 1]
    return [Fraction(x) for x in q], [Fraction(x) for x in k]


def length(x):
    return decimal(sum(a * a for a in x)).sqrt()


def apart(q, k, sign):
    """How far the ends of two unit vectors are apart, the second turned round where sign is -1."""
    steps = (
        decimal(a) / length(q) - sign * decimal(b) / length(k) for a, b in zip(q, k, strict=True)
    )
    return sum(step * step for step in steps).sqrt()


def angle(q, k):
    """From the two chords of the unit circle: twice the sine and cosine of half the angle."""
    if not any(q) or not any(k):
        return 90.0
    return degrees(2 * atan2(apart(q, k, 1), apart(q, k, -1)))


def cosine(q, k):
    """By the law of cosines."""
    if not any(q) or not any(k):
        return 0.0
    a, b, c = length(q), length(k), length([x - y for x, y in zip(q, k, strict=True)])
    return (a * a + b * b - c * c) / (2 * a * b)


def shadow(q, k):
    """How far along the query the point is that is nearest to the key."""
    if not any(q):
        return 0.0
    nearest = dot(q, k) / dot(q, q)  # of all multiples t q, by the derivative of |k - t q|²
    foot = [nearest * x for x in q]
    assert dot([x - y for x, y in zip(k, foot, strict=True)], q) == 0
    return length(foot).copy_sign(decimal(nearest))


def direction(query, key):
    """Oracles of one direction: whose query it is, and whose key."""

    def products(state):
        return [dot([a], [b]) for a, b in zip(*rows(state, query, key), strict=True)]

    def of(measure):
        return lambda state: measure(*rows(state, query, key))

    return {
        "query": of(lambda q, k: q),
        "key": of(lambda q, k: k),
        "product": products,
        "sum": lambda s: [*accumulate(products(s))],
        "query-length": of(lambda q, k: length(q)),
        "key-length": of(lambda q, k: length(k)),
        "angle": of(angle),
        "cosine": of(cosine),
        "shadow": of(shadow),
    }


ORACLES = {
    "S": lambda state: [[dot(q, k) for k in state.get("K", K)] for q in state.get("Q", Q)],
    **direction("i", "j"),
    **{f"back-{name}": oracle for name, oracle in direction("j", "i").items()},
}


def test_every_number_is_the_oracles():
    pairs = [{"i": i, "j": j} for i, j in product(TOKENS, TOKENS)]
    assert_held("scores", pairs, ORACLES)
    assert_held("scores", [moved | pair for moved in MOVED for pair in pairs], ORACLES)


def test_the_example_can_show_a_direction_that_is_turned_round():
    assert transposed(S) != S
