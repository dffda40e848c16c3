"""What learners really answer in chapter 3: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def swap(M):
    return np.swapaxes(M, -1, -2)


def hand(row=(0, 7, -13), column=(7, 0), feature=(3,)):
    return lambda: {"row of q_1": row, "column of k_2": column, "feature": feature}


def first(
    never=(5, 6), parts=(0.5, 0.25, 0.25), query=(2, 3), change="a number added to its score"
):
    return lambda: {
        "never first": never,
        "parts of k_5": parts,
        "query for token 3": query,
        "puts token 5 first": change,
    }


def predictions(**changes):
    right = dict(
        a="one row",
        b="one column",
        c="all but row 2 and column 2",
        d="nothing",
        e="nothing",
        f="all",
    )
    return lambda: right | changes


def right_scores(Q, K):
    return Q @ swap(K)


def softmaxed(Q, K):
    E = np.exp(right_scores(Q, K))
    return E / E.sum(axis=-1, keepdims=True)


def normalised(M):
    return M / np.linalg.norm(M, axis=-1, keepdims=True)


def loops(Q, K):
    S = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for *batch, i, j in np.ndindex(S.shape):
        S[(*batch, i, j)] = np.dot(Q[(*batch, i)], K[(*batch, j)])
    return S


def projections(W_Q, W_K):
    return lambda: (W_Q, W_K)


ZERO = [0, 0]

RIGHT = {
    "scores-by-hand": {
        "feature 3": hand(),
        "feature 4": hand(feature=[4]),
        "a number alone": hand(feature=3),
        "both that tie": hand(feature=(3, 4)),
        "both, as a set": hand(feature={4, 3}),
    },
    "scores-code": {
        "matrix form": right_scores,
        "einsum": lambda Q, K: np.einsum("...ir,...jr->...ij", Q, K),
        "loops": loops,
        "loop over the batch": lambda Q, K: (
            [q @ k.T for q, k in zip(Q, K, strict=True)] if Q.ndim == 3 else Q @ K.T
        ),
    },
    "scores-unlike": {
        "one feature": projections([[2, 0], ZERO, ZERO], [ZERO, ZERO, [2, 0]]),
        "products that cancel": projections([[1, 1], ZERO, ZERO], [[1, -1], [-1, 1], [2, 2]]),
        "both features": projections([[1, 3], ZERO, ZERO], [ZERO, [3, -1], [1, 1]]),
    },
    "scores-never-first": {
        "at right angles": first(),
        "the way from the nearest point": first(query=(6 / 13, 9 / 13)),
        "nearly level with token 2": first(query=(1, 2.99)),
        "nearly level with token 1": first(query=(1.01, 1.02)),
        "a very short query": first(query=(2e-9, 3e-9)),
        "a very long query": first(query=(2e9, 3e9)),
        "a set": first(never={6, 5}),
    },
    "scores-predict": {"all six": predictions()},
}

WRONG = {
    "scores-by-hand": {
        "one score for the row": (hand(row=0), "form"),
        "three scores in the column": (hand(column=(7, 0, 1)), "form"),
        "words": (hand(feature=("third",)), "form"),
        "signs lost": (hand(row=(4, 7, 13)), "row"),
        "zero of the query overlooked": (hand(row=(5, 8, -13)), "row"),
        "the other query's row": (hand(row=(11, 0, 5)), "row"),
        "a column instead": (hand(row=(0, 11, -13)), "row"),
        "the column of k_1": (hand(column=(0, 11)), "column"),
        "upside down": (hand(column=(0, 7)), "column"),
        "second row's start": (hand(column=(11, 0)), "column"),
        "counted from 0": (hand(feature=(2,)), "feature"),
        "the smallest": (hand(feature=(1,)), "feature"),
        "one of them does not tie": (hand(feature=(2, 3)), "feature"),
        "all": (hand(feature=(1, 2, 3, 4)), "feature"),
        "none": (hand(feature=()), "feature"),
        "a fifth feature": (hand(feature=5), "form"),
    },
    "scores-code": {
        "no transpose": (lambda Q, K: Q @ K if Q.shape[-1] == K.shape[-2] else Q.T @ K.T, "shape"),
        "keys times queries": (lambda Q, K: K @ swap(Q), "shape"),
        "each token for itself": (lambda Q, K: np.sum(Q[:3] * K, axis=-1), "shape"),
        "query transposed": (lambda Q, K: Q.T @ Q, "shape"),
        "sum of all": (lambda Q, K: np.sum(Q @ swap(K)), "shape"),
        "queries with queries": (lambda Q, K: (Q @ swap(Q))[:, : len(K)], "columns"),
        "transposed where it fits": (
            lambda Q, K: K @ swap(Q) if len(Q) == len(K) else Q @ swap(K),
            "columns",
        ),
        "no transpose where it fits": (
            lambda Q, K: Q @ K if Q.shape[-1] == K.shape[-2] else Q @ swap(K),
            "columns",
        ),
        "softmax": (softmaxed, "columns"),
        "largest score taken off": (
            lambda Q, K: right_scores(Q, K) - right_scores(Q, K).mean(-1, keepdims=True),
            "columns",
        ),
        "scaled": (lambda Q, K: right_scores(Q, K) / Q.shape[-1] ** 0.5, "products"),
        "cosine": (lambda Q, K: right_scores(normalised(Q), normalised(K)), "products"),
        "distance": (
            lambda Q, K: -np.sum((Q[..., :, None, :] - K[..., None, :, :]) ** 2, axis=-1),
            "products",
        ),
        "average": (lambda Q, K: right_scores(Q, K) / Q.shape[-1], "products"),
        "K.T": (lambda Q, K: Q @ K.T, "batch"),
        "np.dot": (lambda Q, K: np.dot(Q, swap(K)), "batch"),
        "np.inner": (np.inner, "batch"),
    },
    "scores-unlike": {
        "transposed": (projections(np.zeros((2, 3)), np.zeros((2, 3))), "shape"),
        "square": (projections(np.eye(3), np.eye(3)), "shape"),
        "all zero": (projections(np.zeros((3, 2)), np.zeros((3, 2))), "match"),
        "half as much": (projections([[1, 0], ZERO, ZERO], [ZERO, ZERO, [2, 0]]), "match"),
        "roles exchanged": (projections([ZERO, ZERO, [2, 0]], [[2, 0], ZERO, ZERO]), "match"),
        "different features": (projections([[2, 0], ZERO, ZERO], [ZERO, ZERO, [0, 2]]), "match"),
        "everybody is found": (
            projections([[2, 0], ZERO, ZERO], [[2, 0], [2, 0], [2, 0]]),
            "no other",
        ),
        "finds itself too": (
            projections([[2, 0], ZERO, [2, 0]], [[2, 0], ZERO, [2, 0]]),
            "no other",
        ),
        "found in return": (
            projections([[2, 0], ZERO, [0, 2]], [[0, 2], ZERO, [2, 0]]),
            "not back",
        ),
    },
    "scores-never-first": {
        "no query": (first(query=(2,)), "form"),
        "another change": (first(change="a shorter query"), "form"),
        "a seventh token": (first(never=(5, 7)), "form"),
        "the border comes first": (first(never=(5,)), "never"),
        "a short key is never first": (first(never=(4, 5, 6)), "never"),
        "only the largest in a feature come first": (first(never=(3, 4, 5, 6)), "never"),
        "none": (first(never=()), "never"),
        "those that come first": (first(never=(1, 2, 3, 4)), "never"),
        "the last part forgotten": (first(parts=(0.5, 0.25, 0)), "sum"),
        "percentages": (first(parts=(50, 25, 25)), "sum"),
        "even parts": (first(parts=(1 / 3, 1 / 3, 1 / 3)), "parts"),
        "the other two exchanged": (first(parts=(0.25, 0.5, 0.25)), "parts"),
        "an extrapolation": (first(parts=(0.75, 0.5, -0.25)), "parts"),
        "both features alike: a tie": (first(query=(1, 1)), "query"),
        "its own key: a tie": (first(query=(3, 3)), "query"),
        "level with token 2": (first(query=(1, 3)), "query"),
        "back to front": (first(query=(-2, -3)), "query"),
        "along the line": (first(query=(3, -2)), "query"),
        "features exchanged": (first(query=(3, 2)), "query"),
        "no direction": (first(query=(0, 0)), "query"),
        "longer": (first(change="a longer query"), "after all"),
        "a key bias": (first(change="one row added to every key"), "after all"),
        "doubled": (first(change="all keys doubled"), "after all"),
    },
    "scores-predict": {
        "one left out": (lambda: dict(a="one row"), "form"),
        "c answered with a part": (predictions(c="one row"), "form"),
        "a: a column": (predictions(a="one column"), "a"),
        "b: a row": (predictions(b="one row"), "b"),
        "c: what changes": (predictions(c="row 2 and column 2"), "c"),
        "d: everything": (predictions(d="all"), "d"),
        "e: both count": (predictions(e="all"), "e"),
        "f: one query": (predictions(f="one row"), "f"),
    },
}

# What must not stand in the text of a failed check.
SPOILERS = {
    "scores-by-hand": ["-13", "(0, 7", "feature 3", "feature 4"],
    "scores-code": ["swapaxes", "einsum", "K.T", "@"],
    "scores-unlike": ["[2", "(2, 0)"],
    "scores-never-first": ["5 and 6", "5, 6", "0.25", "1/4", "(2, 3)", "number added"],
}
