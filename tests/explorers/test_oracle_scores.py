"""The scores explorer beside whole numbers, and dot products made of lengths alone."""

from itertools import accumulate, product

from both_sides import TOKENS, assert_held
from oracles import dot, transposed
from oracles import product as times

from attnlib.example import running_example

EXAMPLE = running_example()
Q, K = times(EXAMPLE.X, EXAMPLE.W_Q), times(EXAMPLE.X, EXAMPLE.W_K)
S = [[dot(q, k) for k in K] for q in Q]


def direction(query, key):
    """Oracles of one direction: whose query it is, and whose key."""

    def q(state):
        return Q[state[query] - 1]

    def k(state):
        return K[state[key] - 1]

    def products(state):
        return [dot([a], [b]) for a, b in zip(q(state), k(state), strict=True)]

    return {"query": q, "key": k, "product": products, "sum": lambda s: [*accumulate(products(s))]}


ORACLES = {
    "Q": lambda state: Q,
    "K": lambda state: K,
    "S": lambda state: S,
    **direction("i", "j"),
    **{f"back-{name}": oracle for name, oracle in direction("j", "i").items()},
}


def test_every_number_is_the_oracles():
    assert_held("scores", [{"i": i, "j": j} for i, j in product(TOKENS, TOKENS)], ORACLES)


def test_the_example_can_show_a_direction_that_is_turned_round():
    assert transposed(S) != S
