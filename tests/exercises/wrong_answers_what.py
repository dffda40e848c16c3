"""What learners really answer in chapter 1: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def hand(missing_weight=0.2, z_2=(0.4, 3.0), causal_z_1=(4, 1), causal_z_2=(1, 4.75)):
    return lambda: {
        "missing weight": missing_weight,
        "z_2": z_2,
        "causal z_1": causal_z_1,
        "causal z_2": causal_z_2,
    }


def right_context(F, V, is_causal):
    if is_causal:
        F = np.tril(F)
    return F / F.sum(axis=1, keepdims=True) @ V


def by_loops(F, V, is_causal):
    n, d_v = V.shape
    Z = np.zeros((n, d_v))
    for i in range(n):
        seen = range(i + 1) if is_causal else range(n)
        total = sum(F[i, j] for j in seen)
        for j in seen:
            Z[i] += F[i, j] / total * V[j]
    return Z


def as_lists(F, V, is_causal):
    return [list(row) for row in right_context(F, V, is_causal)]


def mixed(weigh):
    """An answer that makes its weights by a rule of its own."""
    return lambda F, V, is_causal: weigh(F, is_causal) @ V


def rows(F):
    return F / F.sum(axis=1, keepdims=True)


def causal_only(weigh):
    """An answer that is right without the restriction, and mixes by another rule with it."""
    return lambda F, V, is_causal: weigh(F) @ V if is_causal else right_context(F, V, False)


def rest_to_itself(F):
    A = np.tril(rows(F))
    return A + np.diag(1 - A.sum(axis=1))


def last_two(F):
    return rows(np.tril(F) - np.tril(F, -2))


def even(F, is_causal):
    return rows(np.tril(np.ones_like(F)) if is_causal else np.ones_like(F))


def cut(F, is_causal):
    return np.tril(F) if is_causal else F


def predictions(**changes):
    right = dict(a="same", b="same", c="changed", d="same", e="changed", f="changed")
    return lambda: right | changes


RIGHT = {
    "what-by-hand": {
        "as decimals": hand(),
        "as lists and fractions": hand(missing_weight=1 / 5, causal_z_2=[4 / 4, 19 / 4]),
    },
    "what-context": {
        "matrix form": right_context,
        "einsum": lambda F, V, is_causal: np.einsum(
            "ij,jr,i->ir", cut(F, is_causal), V, 1 / cut(F, is_causal).sum(axis=1)
        ),
        "loops": by_loops,
        "lists": as_lists,
        "divided at the end": lambda F, V, is_causal: (
            cut(F, is_causal) @ V / cut(F, is_causal).sum(axis=1)[:, None]
        ),
    },
    "what-predict": {"all six": predictions()},
}

WRONG = {
    "what-by-hand": {
        "an output as one number": (hand(z_2=3.4), "form"),
        "a word": (hand(z_2=("a", "b")), "form"),
        "a name changed": (lambda: {"alpha_23": 0.2}, "form"),
        "a number in quotes": (hand(missing_weight="0.1"), "form"),
        "a truth value": (hand(missing_weight=True), "form"),
        "column made to sum to 1": (hand(missing_weight=0.5), "missing weight"),
        "the same as the row above": (hand(missing_weight=0.1), "missing weight"),
        "even share": (hand(missing_weight=0.333), "missing weight"),
        "percent": (hand(missing_weight=20), "missing weight"),
        "weights of the column": (hand(z_2=(0.2, 1.9)), "output"),
        "missing weight left out": (hand(z_2=(0.8, 3.8)), "output"),
        "sign lost": (hand(z_2=(1.2, 4.6)), "output"),
        "plain average": (hand(z_2=(0.667, 1.0)), "output"),
        "the sum of the values": (hand(z_2=(2, 3)), "output"),
        "token 1 as if it saw all": (hand(causal_z_1=(2.2, 2.0)), "first token"),
        "not shares again": (hand(causal_z_1=(2.4, 0.6)), "first token"),
        "sees nothing": (hand(causal_z_1=(0, 0)), "first token"),
        "sees the later tokens": (hand(causal_z_1=(-0.5, 3.5)), "first token"),
        "token 2 as if it saw all": (hand(causal_z_2=(0.4, 3.0)), "second token"),
        "cut, and not shares again": (hand(causal_z_2=(0.8, 3.8)), "second token"),
        "even shares": (hand(causal_z_2=(2, 3.5)), "second token"),
        "without itself": (hand(causal_z_2=(4, 1)), "second token"),
        "the cut weight given to itself": (hand(causal_z_2=(0.8, 5.0)), "second token"),
    },
    "what-context": {
        "one vector for the sentence": (
            lambda F, V, c: right_context(F, V, c).mean(axis=0),
            "shape",
        ),
        "the weights": (lambda F, V, c: rows(cut(F, c)), "shape"),
        "features as rows": (lambda F, V, c: right_context(F, V, c).T, "shape"),
        "one token only": (lambda F, V, c: right_context(F, V, c)[-1], "shape"),
        "not divided": (mixed(cut), "shares"),
        "columns divided": (mixed(lambda F, c: cut(F, c) / cut(F, c).sum(axis=0)), "shares"),
        "sum without keepdims": (mixed(lambda F, c: cut(F, c) / cut(F, c).sum(axis=1)), "shares"),
        "one sum for the whole table": (mixed(lambda F, c: cut(F, c) / cut(F, c).sum()), "shares"),
        "rows divided, columns mixed": (mixed(lambda F, c: rows(cut(F, c)).T), "shares"),
        "divided by the largest": (
            mixed(lambda F, c: cut(F, c) / F.max(axis=1, keepdims=True)),
            "shares",
        ),
        "divided by their number": (mixed(lambda F, c: cut(F, c) / len(F)), "shares"),
        "table read the other way": (lambda F, V, c: right_context(F.T, V, c), "rows"),
        "plain average": (mixed(even), "rows"),
        "exponentials of the numbers": (mixed(lambda F, c: rows(cut(np.exp(F), c))), "rows"),
        "squares of the numbers": (mixed(lambda F, c: rows(cut(F**2, c))), "rows"),
        "the winner takes all": (
            mixed(lambda F, c: np.eye(len(F))[cut(F, c).argmax(axis=1)]),
            "rows",
        ),
        "always causal": (lambda F, V, c: right_context(F, V, True), "rows"),
        "never causal": (lambda F, V, c: right_context(F, V, False), "first token"),
        "cut after dividing": (causal_only(lambda F: np.tril(rows(F))), "first token"),
        "the later tokens instead": (causal_only(lambda F: rows(np.triu(F))), "first token"),
        "without itself": (
            causal_only(lambda F: np.tril(F, -1) / np.tril(F, -1).sum(axis=1).clip(1)[:, None]),
            "first token",
        ),
        "one token too many": (causal_only(lambda F: rows(np.tril(F, 1))), "first token"),
        "the cut weight given to itself": (causal_only(rest_to_itself), "future"),
        "lower triangle of the table read the other way": (
            causal_only(lambda F: rows(np.tril(F.T))),
            "causal",
        ),
        "even shares where causal": (causal_only(lambda F: even(F, True)), "causal"),
        "the last two only": (causal_only(last_two), "causal"),
        "itself only": (causal_only(lambda F: np.eye(len(F))), "causal"),
    },
    "what-predict": {
        "one left out": (lambda: dict(a="same"), "form"),
        "words of one's own": (predictions(a="moved"), "form"),
        "order always counts": (predictions(a="changed"), "a"),
        "every token counts": (predictions(b="changed"), "b"),
        "order never counts": (predictions(c="same"), "c"),
        "causal always feels the order": (predictions(d="changed"), "d"),
        "nothing new was said": (predictions(e="same"), "e"),
        "places do not matter": (predictions(f="same"), "f"),
    },
}

# What a hint must not say: it would be the answer.
SPOILERS = {
    "what-by-hand": ["0.2", "0.4", "3.0", "4.75", "0.8", "(4, 1)", "0.25", "0.75"],
    "what-context": ["tril", "F.sum", "sum(axis", "keepdims", "F[i, :", "is 1", "是 1"],
}
