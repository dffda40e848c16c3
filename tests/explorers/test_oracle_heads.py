"""The heads explorer beside the packed ONNX operator; a share is what goes when a head goes."""

import json
import random
from functools import cache
from itertools import accumulate
from itertools import product as product_of
from math import dist

import numpy as np
from both_sides import SIDES, assert_held, started
from oracles import operator, product, softmax

from attnlib.tasks import role_weights

STORED = json.loads(role_weights.PATH.read_text(encoding="utf-8"))
UNIT = STORED["unit"]
HEADS = range(1, 5)
AVERAGES = np.array(STORED["averages"]) / 10
LONGEST = 10  # words of the longest sentence: shorter ones leave rows of 0


@cache
def matrix(name):
    return np.array(STORED["params"][name]) / UNIT


def sentence_of(state):
    """As it is stored, or its two names exchanged."""
    stored = STORED["sentences"][state["sentence"] - 1]
    if state["swap"] == "off":
        return stored
    giver, thing, receiver, time = stored["answers"]
    tokens = [*stored["tokens"]]
    first, last = tokens.index(giver), tokens.index(receiver)
    tokens[first], tokens[last] = receiver, giver
    return {**stored, "tokens": tokens, "answers": [receiver, thing, giver, time]}


@cache
def read(sentence, swap):
    """The verb's row: its input, the weights of each head, what the heads give side by side."""
    stored = sentence_of({"sentence": sentence, "swap": swap})
    tokens, verb = stored["tokens"], stored["verb"]
    slots = [STORED["verb_slot"] + j - verb for j in range(len(tokens))]
    X = matrix("token_embedding")[tokens] + matrix("position_embedding")[slots]
    packed = {name: (X @ matrix(f"W_{name}"))[None] for name in "QKV"}
    given = {**packed, "mask": np.zeros((len(tokens), len(tokens)))}
    C, A = operator(is_multi_head=True).run(None, given)
    return X[verb], A[0, :, verb], C[0, verb]


@cache
def made(sentence, swap, on):
    """The output where these heads alone are on."""
    C = [c if r // 4 + 1 in on else 0.0 for r, c in enumerate(read(sentence, swap)[2].tolist())]
    return [float(o) for o in product([C], matrix("W_O").tolist())[0]]


def output(state, heads=HEADS):
    """What these heads add: those that are on, and what stands in place of the others."""
    on = frozenset(h for h in heads if state[f"head_{h}"] == "on")
    total = np.array(made(state["sentence"], state["swap"], on))
    if state["ablation"] == "mean":
        total += sum((AVERAGES[h - 1] for h in {*heads} - on), np.zeros(16))
    return total.tolist()


def share(state, h):
    """What the output loses when this head goes."""
    pairs = zip(output(state), output(state, {*HEADS} - {h}), strict=True)
    return [whole - without for whole, without in pairs]


def logits(state):
    """For each question the number of each word, the verb's row read out."""
    y = read(state["sentence"], state["swap"])[0] + output(state)
    return (y @ matrix("readout")).tolist()


def feature(state):
    return state["feature"] - 1


def weights(state):
    A = read(state["sentence"], state["swap"])[1].T.tolist()
    return A + [[0.0] * 4] * (LONGEST - len(A))


def probabilities(state):
    labels = sentence_of(state)["answers"]
    return [softmax(row)[label] for row, label in zip(logits(state), labels, strict=True)]


def answers(state):
    return [sorted(range(len(row)), key=row.__getitem__)[-1] for row in logits(state)]


def length(state, heads):
    x = read(state["sentence"], state["swap"])[0]
    return dist(x, [-o for o in output(state, heads)])


def right(state):
    """Sentence 2 is sentence 1 exchanged: five sentences and their exchanges are ten."""
    cases = [{**state, "sentence": s, "swap": w} for s in (1, 3, 4, 5, 6) for w in ("off", "on")]
    said = [zip(answers(case), sentence_of(case)["answers"], strict=True) for case in cases]
    return np.sum([[a == b for a, b in pairs] for pairs in said], axis=0).tolist()


ORACLES = {
    "norm_x": lambda state: length(state, []),
    "stream": lambda state: [length(state, range(1, h + 1)) for h in HEADS],
    "right": right,
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
    for sentence, swap, ablation in product_of(range(1, 7), ("off", "on"), ("zero", "mean")):
        switches = {f"head_{h}": rng.choice(["on", "on", "off"]) for h in HEADS}
        named = {"sentence": sentence, "swap": swap, "ablation": ablation}
        yield {**named, "feature": rng.randint(1, 16), **switches}
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


def test_the_two_heads_that_surprise_can_be_found():
    """No answer misses head 2 in the first sentence; head 4 brings the thing alone."""
    off = {2: {"head_2": "off"}, 4: {"head_4": "off"}}
    steps = [off[2], {**off[2], "swap": "on"}, off[4], {**off[4], "ablation": "mean"}]
    cases = started("heads", steps)
    for side, numbers_of in SIDES.items():
        lost, counts = [], []
        for state, shown in zip(cases, numbers_of("heads", cases), strict=True):
            labels = sentence_of(state)["answers"]
            lost.append([q for q in HEADS if shown[f"answer-{q}"] != labels[q - 1]])
            counts.append([int(shown[f"right-{q}"]) for q in HEADS])
        assert lost == [[], [1], [2, 3], [2]], side
        assert counts[0] == counts[1] == [1, 9, 9, 8], side
        assert counts[2][0] < 10 > counts[2][2], side
        assert counts[3] == [10, 1, 10, 10], side
