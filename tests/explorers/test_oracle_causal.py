"""The causal explorer beside the ONNX operator, tokens that are changed, and keys counted."""

import random
from itertools import product

from both_sides import SIDES, TOKENS, assert_held, started
from oracles import attention, dot, up_to
from oracles import product as times

from attnlib.example import running_example

EXAMPLE = running_example()
MASKS = ("none", "causal", "zero_before", "zero_after", "off_by_one")


def opposite(Q, K):
    """What brings the scores of later keys to 0."""
    score = [[float(dot(q, k)) / 3**0.5 for k in K] for q in Q]
    return [[-s if j > i else 0.0 for j, s in enumerate(row)] for i, row in enumerate(score)]


def run(state, X=EXAMPLE.X, values=None):
    """(A, Z) under the mask of a state, with other values where they are given."""
    Q, K, V = (times(X, W) for W in (EXAMPLE.W_Q, EXAMPLE.W_K, EXAMPLE.W_V))
    V = V if values is None else values
    bias = {"causal": up_to(0), "off_by_one": up_to(1)}
    if state["mask"] == "zero_before":
        bias["zero_before"] = opposite(Q, K)
    A, Z = attention(Q, K, V, bias.get(state["mask"]))
    if state["mask"] == "zero_after":
        A = [row[: i + 1] + [0.0] * (4 - i) for i, row in enumerate(A)]
        Z = times(A, V)
    return A, Z


def weights(state):
    return run(state)[0]


def values(X):
    return [[float(v) for v in row] for row in times(X, EXAMPLE.W_V)]


def changed(state):
    X = EXAMPLE.X.tolist()
    X[state["token"] - 1] = [state["factor"] * x for x in X[state["token"] - 1]]
    return X


def after(state):
    return run(state, changed(state))[1]


def written(state):
    """The last output of each beginning of the sentence, of which nothing is masked."""
    X = changed(state)
    return [run({"mask": "none"}, X[:i])[1][-1] for i in TOKENS]


def apart(state):
    pairs = zip(after(state), written(state), strict=True)
    return [max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairs]


def scores(state, keys):
    """Queries and keys that meet, counted one by one; `keys` says which ones in row i."""
    return len([(i, j) for i in TOKENS if i <= state["step"] for j in keys(i)])


def on_token(state):
    """How far each output moves while the value of the chosen token alone moves by one."""
    still, moved = ([[by * (j == state["token"])] for j in TOKENS] for by in (0.0, 1.0))
    pairs = zip(run(state, values=moved)[1], run(state, values=still)[1], strict=True)
    return [new - old for (new,), (old,) in pairs]


def moved(state):
    pairs = zip(after(state), run(state)[1], strict=True)
    return [max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairs]


def free(state):
    return weights({**state, "mask": "none"})[state["i"] - 1]


def kept(state):
    return weights(state)[state["i"] - 1]


ORACLES = {
    "V": lambda state: values(EXAMPLE.X),
    "V_after": lambda state: values(changed(state)),
    "A": weights,
    "A_after": lambda state: run(state, changed(state))[0],
    "written": written,
    "apart": apart,
    "masked": lambda state: scores({"step": 5}, lambda i: TOKENS),
    "cached": lambda state: scores(state, lambda i: range(i)),
    "afresh": lambda state: scores(state, lambda i: product(range(i), range(i))),
    "Z": lambda state: run(state)[1],
    "after": after,
    "onToken": on_token,
    "moved": moved,
    "free": free,
    "kept": kept,
    "seen-free": lambda state: sum(free(state)[: state["i"]]),
    "seen-kept": lambda state: sum(kept(state)[: state["i"]]),
}


def states():
    rng = random.Random(3)
    for mask, token in product(MASKS, TOKENS):
        state = {"mask": mask, "token": token, "i": rng.choice(TOKENS), "step": rng.choice(TOKENS)}
        yield {**state, "factor": rng.uniform(-2, 2)}


def test_every_number_is_the_oracles():
    assert_held("causal", states(), ORACLES)


def test_query_i_has_as_many_keys_as_its_mask_leaves_it_and_only_they_move_it():
    """Counted, with nothing computed: weights that are not 0, and outputs that move."""
    keys = {"none": [5] * 5, "causal": [1, 2, 3, 4, 5], "off_by_one": [2, 3, 4, 5, 5]}
    keys |= {"zero_before": [5] * 5, "zero_after": [1, 2, 3, 4, 5]}
    cases = started("causal", [{"mask": m, "token": t} for m, t in product(MASKS, TOKENS)])
    for side, numbers_of in SIDES.items():
        for state, shown in zip(cases, numbers_of("causal", cases), strict=True):
            mask, t = state["mask"], state["token"]
            counts = [sum(shown[f"A-{i}-{j}"] != 0 for j in TOKENS) for i in TOKENS]
            assert counts == keys[mask], (side, state)
            looks = {i for i in TOKENS if shown[f"onToken-{i}"] != 0}
            assert looks == {i for i in TOKENS if t <= keys[mask][i - 1]}, (side, state)
            # weights that are set to 0 afterwards were divided by a sum with the later tokens in it
            sums_to_1 = [abs(sum(shown[f"A-{i}-{j}"] for j in TOKENS) - 1) < 1e-9 for i in TOKENS]
            assert sums_to_1 == [mask != "zero_after"] * 4 + [True], (side, state)
            moves = {i for i in TOKENS if shown[f"moved-{i}"] > 1e-9}
            assert looks - moves == set(), (side, state)
            early = {i for i in moves if i < t}
            assert bool(early) == (mask != "causal" and t > 1), (side, state)


def test_only_under_the_causal_mask_training_computes_what_is_there_in_writing():
    cases = started("causal", [{"mask": mask, "token": 3, "factor": 0.7} for mask in MASKS])
    for side, numbers_of in SIDES.items():
        for state, shown in zip(cases, numbers_of("causal", cases), strict=True):
            same = [shown[f"apart-{i}"] < 1e-9 for i in TOKENS]
            assert all(same) == (state["mask"] == "causal"), (side, state)
            # the last row has nothing after it
            assert same[4], (side, state)
