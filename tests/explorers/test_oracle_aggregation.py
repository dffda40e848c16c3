"""The aggregation explorer beside the ONNX operator: values are left out, and Z moves by a term.

A weight that is set by hand is the operator's, too: a number is added to one score, so large that
softmax gives the weight.
"""

from itertools import product

from both_sides import TOKENS, assert_held
from oracles import attention, decimal
from oracles import product as times

from attnlib.example import running_example

EXAMPLE = running_example()
Q, K, V = (times(EXAMPLE.X, W) for W in (EXAMPLE.W_Q, EXAMPLE.W_K, EXAMPLE.W_V))
WEIGHTS = (0.07, 0.5, 0.93)
# the operator reaches 0 and 1 with a score that is as good as none
ENDS = {0.0: -1e30, 1.0: 1e4}


def head(state, values):
    """(A, Z) where a bias of one score brings its weight to what is set by hand."""
    bias = [[0.0] * 5 for _ in TOKENS]
    i, source = state["i"] - 1, state["source"] - 1
    if state["source"]:
        p, w = attention(Q, K, V)[0][i][source], state["weight"]
        odds = [decimal(x) / (1 - decimal(x)) for x in (w, p) if x < 1]
        bias[i][source] = ENDS[w] if w in ENDS else float((odds[0] / odds[1]).ln())
    return attention(Q, K, values, bias)


def outputs(state, kept):
    """Row i of Z where only these tokens have a value."""
    some = [v if j in kept else [0, 0] for j, v in enumerate(V, start=1)]
    return head(state, some)[1][state["i"] - 1]


def alpha(state):
    """A weight is how far the output moves while one value moves by one."""
    unit = [[[float(j == t)] for j in TOKENS] for t in TOKENS]
    return [head(state, values)[1][state["i"] - 1][0] for values in unit]


def factor(state):
    """What a weight that nobody set has become, divided by what it was."""
    (other, *_) = (j for j in range(5) if j != state["source"] - 1)
    was, row = attention(Q, K, V)[0][state["i"] - 1], head(state, V)[0][state["i"] - 1]
    return row[other] / was[other]


def z(state, kept):
    return outputs(state, kept)[state["r"] - 1]


ORACLES = {
    "A": lambda state: head(state, V)[0],
    "V": lambda state: V,
    "Z": lambda state: head(state, V)[1],
    "computed": lambda state: attention(Q, K, V)[0][state["i"] - 1],
    "alpha": alpha,
    "value": lambda state: [v[state["r"] - 1] for v in V],
    "term": lambda state: [z(state, {j}) for j in TOKENS],
    "sum": lambda state: [z(state, range(j + 1)) for j in TOKENS],
    "path": lambda state: [outputs(state, range(j + 1)) for j in TOKENS],
    "factor": factor,
    "total": lambda state: 1.0,
}


def test_every_number_is_the_oracles():
    entries = [{"i": i, "r": r} for i, r in product(TOKENS, (1, 2))]
    assert_held("aggregation", entries, ORACLES)
    by_hand = [{"source": j, "weight": w} for j, w in product(TOKENS, (*WEIGHTS, *ENDS))]
    assert_held("aggregation", [e | h for e in entries[::3] for h in by_hand], ORACLES)
