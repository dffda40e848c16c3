"""What learners really answer in chapter 6: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def hand(**changes):
    right = {"z_1": (-1, 3.6), "Z_22": 4.4, "change of Z_21": 3}
    return lambda: right | {name.replace("_of_", " of "): v for name, v in changes.items()}


def predictions(**changes):
    right = dict(
        a="doubled", b="shifted", c="same", d="same", e="other", f="same", g="other"
    )  # fmt: skip
    return lambda: right | changes


def swap(M):
    return np.swapaxes(M, -1, -2)


def shares(X, W_Q, W_K):
    return softmax(X @ W_Q @ swap(X @ W_K) / W_K.shape[-1] ** 0.5)


def right_head(X, W_Q, W_K, W_V):
    return shares(X, W_Q, W_K) @ (X @ W_V)


def head_scaled_by(scale):
    return lambda X, W_Q, W_K, W_V: (
        softmax(X @ W_Q @ swap(X @ W_K) * scale(X, W_K)) @ X @ W_V
    )  # fmt: skip


def head_with(weights):
    """A head with other weights, made from the scaled scores."""

    def head(X, W_Q, W_K, W_V):
        return weights(X @ W_Q @ swap(X @ W_K) / W_K.shape[-1] ** 0.5) @ (X @ W_V)

    return head


def head_by_einsum(X, W_Q, W_K, W_V):
    Q, K, V = (np.einsum("bnm,md->bnd", X, W) for W in (W_Q, W_K, W_V))
    A = softmax(np.einsum("bid,bjd->bij", Q, K) / W_Q.shape[1] ** 0.5)
    return np.einsum("bij,bjr->bir", A, V)


def head_by_loops(X, W_Q, W_K, W_V):
    batch, n, _ = X.shape
    Z = np.zeros((batch, n, W_V.shape[1]), dtype=X.dtype)
    for b in range(batch):
        Q, K, V = X[b] @ W_Q, X[b] @ W_K, X[b] @ W_V
        for i in range(n):
            weights = softmax(np.array([Q[i] @ K[j] / len(Q[i]) ** 0.5 for j in range(n)]))
            for j in range(n):
                Z[b, i] += weights[j] * V[j]
    return Z


def sentence_by_sentence(X, *weights):
    return [right_head(x, *weights) for x in X]


def head_of_three_axes(X, W_Q, W_K, W_V):
    batch, n, d_model = X.shape
    rows = X.reshape(batch * n, d_model)
    Q, K, V = ((rows @ W).reshape(batch, n, -1) for W in (W_Q, W_K, W_V))
    return softmax(Q @ K.transpose(0, 2, 1) / Q.shape[2] ** 0.5) @ V


def terms_by_loop(A, V, i, r):
    return [A[i, j] * V[j, r] for j in range(len(V))]


RIGHT = {
    "aggregation-by-hand": {
        "as numbers": hand(),
        "as a list": hand(z_1=[-1.0, 3.6]),
    },
    "aggregation-terms": {
        "matrix form": lambda A, V, i, r: A[i] * V[:, r],
        "einsum": lambda A, V, i, r: np.einsum("ij,jr->irj", A, V)[i, r],
        "loops": terms_by_loop,
    },
    "aggregation-head": {
        "matrix form": right_head,
        "einsum": head_by_einsum,
        "loops": head_by_loops,
        "loop over the batch": sentence_by_sentence,
        "three axes only": head_of_three_axes,
        "mixed before projected": lambda X, W_Q, W_K, W_V: shares(X, W_Q, W_K) @ X @ W_V,
        "query scaled first": lambda X, W_Q, W_K, W_V: (
            softmax((X @ W_Q / W_Q.shape[-1] ** 0.5) @ swap(X @ W_K)) @ (X @ W_V)
        ),
    },
    "aggregation-predict": {"all seven": predictions()},
}

WRONG = {
    "aggregation-by-hand": {
        "one number for a pair": (hand(z_1=-1), "form"),
        "words": (hand(Z_22="four"), "form"),
        "a name changed": (lambda: {"z": (-1, 3.6)}, "form"),
        "sign lost": (hand(z_1=(11, 3.6)), "output"),
        "weights of the other token": (hand(z_1=(-5, 4.4)), "output"),
        "plain average": (hand(z_1=(-10 / 3, 4)), "output"),
        "largest value only": (hand(z_1=(10, 2)), "output"),
        "token and feature exchanged": (hand(Z_22=-5), "entry"),
        "token 1 instead of 2": (hand(Z_22=3.6), "entry"),
        "one term only": (hand(Z_22=2.4), "entry"),
        "the new value": (hand(change_of_Z_21=-2), "change"),
        "the whole rise": (hand(change_of_Z_21=5), "change"),
        "the share that token 1 takes": (hand(change_of_Z_21=1), "change"),
        "divided among the tokens": (hand(change_of_Z_21=5 / 3), "change"),
    },
    "aggregation-terms": {
        "the sum": (lambda A, V, i, r: (A @ V)[i, r], "shape"),
        "the output": (lambda A, V, i, r: A[i] @ V, "shape"),
        "column of the weights": (lambda A, V, i, r: A[:4, i] * V[:, r], "sum"),
        "rows and columns exchanged": (lambda A, V, i, r: A[r] * V[:, i], "sum"),
        "row of the values": (lambda A, V, i, r: A[i] * V[i, r], "sum"),
        "values without weights": (lambda A, V, i, r: V[:, r], "sum"),
        "weights alone": (lambda A, V, i, r: A[i], "sum"),
        "in equal parts": (lambda A, V, i, r: np.full(4, (A[i] @ V[:, r]) / 4), "order"),
        "added up as they come": (
            lambda A, V, i, r: np.diff(np.cumsum((A[i] * V[:, r])[::-1]), prepend=0),
            "order",
        ),
    },
    "aggregation-head": {
        "the weights": (lambda X, W_Q, W_K, W_V: shares(X, W_Q, W_K), "shape"),
        "X for the values": (lambda X, W_Q, W_K, W_V: shares(X, W_Q, W_K) @ X, "shape"),
        "one vector for the sentence": (
            lambda X, W_Q, W_K, W_V: right_head(X, W_Q, W_K, W_V).mean(axis=-2),
            "shape",
        ),
        "scores from the values": (
            lambda X, W_Q, W_K, W_V: softmax(X @ W_V @ swap(X @ W_V)) @ (X @ W_V),
            "values",
        ),
        "softmax of the output": (
            lambda X, W_Q, W_K, W_V: softmax(right_head(X, W_Q, W_K, W_V)),
            "values",
        ),
        "softmax along the queries": (head_with(lambda S: softmax(S, axis=-2)), "constant"),
        "weights transposed": (head_with(lambda S: swap(softmax(S))), "constant"),
        "no softmax": (head_with(lambda S: S), "constant"),
        "scaled after softmax": (head_with(lambda S: softmax(S) / 3**0.5), "constant"),
        "exponentials not divided": (head_with(np.exp), "constant"),
        "scores of the input": (
            lambda X, W_Q, W_K, W_V: softmax(X @ swap(X)) @ (X @ W_V),
            "even",
        ),
        "keys with keys": (lambda X, W_Q, W_K, W_V: right_head(X, W_K, W_K, W_V), "even"),
        "queries and keys exchanged": (
            lambda X, W_Q, W_K, W_V: right_head(X, W_K, W_Q, W_V),
            "rows",
        ),
        "queries with queries": (lambda X, W_Q, W_K, W_V: right_head(X, W_Q, W_Q, W_V), "rows"),
        "not scaled": (head_scaled_by(lambda X, W_K: 1.0), "scale"),
        "divided by d_k": (head_scaled_by(lambda X, W_K: 1 / W_K.shape[-1]), "scale"),
        "root of d_model": (head_scaled_by(lambda X, W_K: X.shape[-1] ** -0.5), "scale"),
        "root of n": (head_scaled_by(lambda X, W_K: X.shape[-2] ** -0.5), "scale"),
        ".T": (
            lambda X, W_Q, W_K, W_V: softmax(X @ W_Q @ (X @ W_K).T / 3**0.5) @ (X @ W_V),
            "batch",
        ),
        "softmax along axis 1": (
            lambda X, W_Q, W_K, W_V: softmax(X @ W_Q @ swap(X @ W_K) / 3**0.5, axis=1) @ (X @ W_V),
            "constant",
        ),
    },
    "aggregation-predict": {
        "one left out": (lambda: dict(a="doubled"), "form"),
        "words of one's own": (predictions(b="moved"), "form"),
        "a: shares change too": (predictions(a="other"), "a"),
        "b: lost in the shares": (predictions(b="same"), "b"),
        "c: like a value": (predictions(c="shifted"), "c"),
        "d: order matters": (predictions(d="other"), "d"),
        "e: order never matters": (predictions(e="same"), "e"),
        "f: twice as much": (predictions(f="doubled"), "f"),
        "g: everything doubles": (predictions(g="doubled"), "g"),
    },
}

# What must not stand in the text of a failed check.
SPOILERS = {
    "aggregation-by-hand": ["3.6", "4.4", "0.6", ".5 ·"],
    "aggregation-terms": ["A[i]", "V[:, r]", "[:,"],
    "aggregation-head": ["swapaxes", "** 0.5", "√", "X @"],
}
