"""The pipeline explorer beside exact fractions, the ONNX operator, and every cell moved in turn."""

import json
import math
import random
from functools import cache
from itertools import product

import pytest
from both_sides import TOKENS, assert_held
from oracles import attention, dot, transposed, up_to
from oracles import product as times

STAGES = ("Q", "K", "V", "S", "S_scaled", "S_masked", "A", "Z")
GIVEN = ("X", "W_Q", "W_K", "W_V")


@cache
def made(text):
    """Every stage, of the matrices of a state and its mask as JSON."""
    given, causal = json.loads(text)
    Q, K, V = (times(given[0], W) for W in given[1:])
    S = [[dot(q, k) for k in K] for q in Q]
    # the root of half the square: no √2 is written down
    S_scaled = [[math.copysign(math.sqrt(s * s / 2), s) for s in row] for row in S]
    keys = [i if causal == "on" else 5 for i in TOKENS]
    rows = zip(S_scaled, keys, strict=True)
    S_masked = [row[:seen] + [-math.inf] * (5 - seen) for row, seen in rows]
    A, Z = attention(Q, K, V, up_to(0) if causal == "on" else None)
    return dict(zip(STAGES, (Q, K, V, S, S_scaled, S_masked, A, Z), strict=True))


def stage(name):
    return lambda state: made(json.dumps([[state[n] for n in GIVEN], state["causal"]]))[name]


def forward(given, causal, moved=None):
    """Every matrix, where one cell of one of them is moved; what comes later is made of that.

    A weight that the mask holds at 0 is no term of an output.
    """
    found = {}

    def keep(name, matrix):
        found[name] = [[*row] for row in matrix]
        if moved and moved[0] == name:
            found[name][moved[1]][moved[2]] += 0.25
        return found[name]

    def multiplied(A, B):
        return [
            [sum(a * b for a, b in zip(row, c, strict=True)) for c in transposed(B)] for row in A
        ]

    X, *weights = (keep(name, given[name]) for name in GIVEN)
    Q, K, V = (keep(name, multiplied(X, W)) for name, W in zip("QKV", weights, strict=True))
    S = keep("S", multiplied(Q, transposed(K)))
    S_scaled = keep("S_scaled", [[s / 2**0.5 for s in row] for row in S])
    seen = [i if causal == "on" else 5 for i in TOKENS]
    hidden = [row[:n] + [-math.inf] * (5 - n) for row, n in zip(S_scaled, seen, strict=True)]
    powers = [[math.exp(s) for s in row] for row in keep("S_masked", hidden)]
    A = keep("A", [[power / sum(row) for power in row] for row in powers])
    terms = [row[:n] + [0] * (5 - n) for row, n in zip(A, seen, strict=True)]
    keep("Z", multiplied(terms, V))
    return found


@cache
def followers(causal):
    """For each cell of each matrix, all matrices after it moved, from numbers that are not 0."""
    rng = random.Random(6)
    given = {
        name: [[rng.choice([-1, 1]) * rng.uniform(0.3, 1.2) for _ in range(2)] for _ in range(n)]
        for name, n in zip(GIVEN, (5, 2, 2, 2), strict=True)
    }
    still = forward(given, causal)
    cells = [
        (name, r, c)
        for name, M in still.items()
        for r, c in product(range(len(M)), range(len(M[0])))
    ]
    return still, {cell: forward(given, causal, cell) for cell in cells}


def needed(name, side):
    """The rows, or the columns, of the cells of a matrix that move the chosen one, and its own."""

    def oracle(state):
        chosen, i = state["stage"], state["i"] - 1
        column = state["r" if chosen in "QKVZ" else "j"] - 1
        if name == chosen:
            return [(i + 1, column + 1)[side]]
        still, after = followers(state["causal"])
        found = set()
        for (moved, row, at), matrices in after.items():
            old, new = still[chosen][i][column], matrices[chosen][i][column]
            # −∞ that stays −∞ has not moved
            if moved == name and new != old and abs(new - old) > 1e-9:
                found.add((row + 1, at + 1))
        rows, columns = ([*sorted({cell[k] for cell in found})] for k in (0, 1))
        assert found == {*product(rows, columns)}, "no block"
        return (rows, columns)[side]

    return oracle


ORACLES = {
    **{name: lambda state, name=name: state[name] for name in GIVEN},
    **{name: stage(name) for name in STAGES},
    **{f"rows-{name}": needed(name, 0) for name in (*GIVEN, *STAGES)},
    **{f"columns-{name}": needed(name, 1) for name in (*GIVEN, *STAGES)},
}


def states(causal):
    """Every cell of every stage, each with the mask or without; now and then other matrices."""
    rng = random.Random(4)
    for stage in STAGES:
        for i, column in product(TOKENS, range(1, 3 if stage in "QKVZ" else 6)):
            state = {"stage": stage, "i": i, "r" if stage in "QKVZ" else "j": column}
            if i == 3 and column == 2:
                for name, n in zip(GIVEN, (5, 2, 2, 2), strict=True):
                    state[name] = [[rng.uniform(-3, 3) for _ in range(2)] for _ in range(n)]
            yield {**state, "causal": causal}


@pytest.mark.parametrize("causal", ["on", "off"])
def test_every_number_is_the_oracles(causal):
    assert_held("pipeline", states(causal), ORACLES)
