"""The projection explorer beside exact fractions and the ONNX operator, before and after."""

import random

from both_sides import TOKENS, assert_held, started
from oracles import attention
from oracles import product as times

GIVEN = ("X", "W_Q", "W_K", "W_V")
(START,) = started("projection", [{}])


def made(state):
    Q, K, V = (times(state["X"], state[f"W_{name}"]) for name in "QKV")
    A, Z = attention(Q, K, V)
    return {"Q": Q, "K": K, "V": V, "A": A, "Z": Z}


def moved(name):
    """The largest of all changes since the start."""

    def oracle(state):
        pairs = zip(made(state)[name], made(START)[name], strict=True)
        changes = [abs(a - b) for row, old in pairs for a, b in zip(row, old, strict=True)]
        return sorted(changes)[-1]

    return oracle


ORACLES = {
    **{name: lambda state, name=name: made(state)[name] for name in "QKVAZ"},
    **{f"moved-{name}": moved(name) for name in "QKVAZ"},
}


def states():
    rng = random.Random(2)
    for changed in ((), ("X",), ("W_Q",), ("W_K",), ("W_V",), GIVEN, GIVEN):
        sizes = {name: len(START[name]) for name in changed}
        matrices = {
            name: [[rng.uniform(-3, 3) for _ in range(2)] for _ in range(n)]
            for name, n in sizes.items()
        }
        yield {"i": rng.choice(TOKENS), **matrices}


def test_every_number_is_the_oracles():
    assert_held("projection", states(), ORACLES)


def test_only_what_is_made_of_a_changed_matrix_moves():
    """Claim by claim of the page, with no arithmetic: what a change of one matrix reaches."""
    reached = {"X": "QKVAZ", "W_Q": "QAZ", "W_K": "KAZ", "W_V": "VZ"}
    for changed, names in reached.items():
        another = [[x + 0.5 for x in row] for row in START[changed]]
        (state,) = started("projection", [{changed: another}])
        assert {name for name in "QKVAZ" if moved(name)(state) > 1e-9} == {*names}, changed
