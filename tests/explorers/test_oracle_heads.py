"""The heads explorer beside the packed ONNX operator; a share is what goes when a head goes."""

import json
import random
from functools import cache
from itertools import accumulate
from math import dist

import numpy as np
from both_sides import SIDES, assert_held, started
from oracles import operator, product, softmax

from attnlib.tasks import role_weights

STORED = json.loads(role_weights.PATH.read_text(encoding="utf-8"))
UNIT = STORED["unit"]
HEADS = range(1, 5)
LONGEST = 10  # words of the longest sentence: shorter ones leave rows of 0


@cache
def matrix(name):
    return np.array(STORED["params"][name]) / UNIT


def sentence_of(state):
    return STORED["sentences"][state["sentence"] - 1]


@cache
def read(sentence):
    """The verb's row: its input, the weights of each head, what the heads give side by side."""
    stored = STORED["sentences"][sentence - 1]
    tokens, verb = stored["tokens"], stored["verb"]
    slots = [STORED["verb_slot"] + j - verb for j in range(len(tokens))]
    X = matrix("token_embedding")[tokens] + matrix("position_embedding")[slots]
    packed = {name: (X @ matrix(f"W_{name}"))[None] for name in "QKV"}
    given = {**packed, "mask": np.zeros((len(tokens), len(tokens)))}
    C, A = operator(is_multi_head=True).run(None, given)
    return X[verb], A[0, :, verb], C[0, verb]


@cache
def made(sentence, on):
    """The output where these heads alone are on."""
    C = [c if r // 4 + 1 in on else 0.0 for r, c in enumerate(read(sentence)[2].tolist())]
    return [float(o) for o in product([C], matrix("W_O").tolist())[0]]


def output(state, heads=HEADS):
    on = frozenset(h for h in heads if state[f"head_{h}"] == "on")
    return made(state["sentence"], on)


def share(state, h):
    """What the output loses when this head goes."""
    pairs = zip(output(state), output(state, {*HEADS} - {h}), strict=True)
    return [whole - without for whole, without in pairs]


def distributions(state):
    """For each question the probability of each word, the verb's row read out."""
    y = read(state["sentence"])[0] + output(state)
    return [softmax(row) for row in (y @ matrix("readout")).tolist()]


def feature(state):
    return state["feature"] - 1


def weights(state):
    A = read(state["sentence"])[1].T.tolist()
    return A + [[0.0] * 4] * (LONGEST - len(A))


def probabilities(state):
    labels = sentence_of(state)["answers"]
    return [p[label] for p, label in zip(distributions(state), labels, strict=True)]


def answers(state):
    return [sorted(range(len(p)), key=p.__getitem__)[-1] for p in distributions(state)]


ORACLES = {
    "A": weights,
    "sum": lambda state: [1, 1, 1, 1],
    "norm": lambda state: [dist(share(state, h), [0] * 16) for h in HEADS],
    "norm_o": lambda state: dist(output(state), [0] * 16),
    "share": lambda state: [share(state, h)[feature(state)] for h in HEADS],
    "so_far": lambda state: [output(state, range(1, h + 1))[feature(state)] for h in HEADS],
    "o": lambda state: output(state)[feature(state)],
    "concat": lambda state: [*accumulate(share(state, h)[feature(state)] for h in HEADS)][-1],
    "p": probabilities,
    "answer": answers,
}


def states():
    rng = random.Random(8)
    for sentence in range(1, 7):
        switches = {f"head_{h}": rng.choice(["on", "on", "off"]) for h in HEADS}
        yield {"sentence": sentence, "feature": rng.randint(1, 16), **switches}
    yield {"sentence": 1, "feature": 16}


def test_every_number_is_the_oracles():
    assert_held("heads", states(), ORACLES)


def test_with_all_heads_on_the_answers_are_those_of_the_sentence():
    """Nobody's arithmetic: who stands before 把 gives, who stands last is given to."""
    cases = started("heads", [{"sentence": s} for s in range(1, 7)])
    for side, numbers_of in SIDES.items():
        for state, shown in zip(cases, numbers_of("heads", cases), strict=True):
            said = [STORED["words"][int(shown[f"answer-{q}"])] for q in HEADS]
            giver, thing, receiver, time = said
            before, after = sentence_of(state)["zh"].split("把")
            assert before.endswith(giver), (side, state)
            assert after.startswith(time), (side, state)
            assert after.rstrip("。").endswith(receiver), (side, state)
            assert thing in after, (side, state)
