"""The aggregation explorer beside the ONNX operator: values are left out, and Z moves by a term."""

from itertools import product

from both_sides import TOKENS, assert_held
from oracles import attention
from oracles import product as times

from attnlib.example import running_example

EXAMPLE = running_example()
Q, K, V = (times(EXAMPLE.X, W) for W in (EXAMPLE.W_Q, EXAMPLE.W_K, EXAMPLE.W_V))


def z(state, kept):
    """The chosen entry of Z where only these tokens have a value."""
    some = [v if j in kept else [0, 0] for j, v in enumerate(V, start=1)]
    return attention(Q, K, some)[1][state["i"] - 1][state["r"] - 1]


def alpha(state):
    """A weight is how far the output moves while one value moves by one."""
    unit = [[[float(j == t)] for j in TOKENS] for t in TOKENS]
    return [attention(Q, K, values)[1][state["i"] - 1][0] for values in unit]


ORACLES = {
    "A": lambda state: attention(Q, K, V)[0],
    "V": lambda state: V,
    "Z": lambda state: attention(Q, K, V)[1],
    "alpha": alpha,
    "value": lambda state: [v[state["r"] - 1] for v in V],
    "term": lambda state: [z(state, {j}) for j in TOKENS],
    "sum": lambda state: [z(state, range(j + 1)) for j in TOKENS],
}


def test_every_number_is_the_oracles():
    assert_held("aggregation", [{"i": i, "r": r} for i, r in product(TOKENS, (1, 2))], ORACLES)
