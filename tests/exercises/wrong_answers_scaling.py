"""What learners really answer in chapter 4: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def hand(**changes):
    right = {
        "scaled scores": (2, 1, 0),
        "weights": (0.665, 0.245, 0.090),
        "reaction with scaling": 0.082,
        "reaction without scaling": 0.016,
    }
    return lambda: right | {name.replace("_", " "): value for name, value in changes.items()}


def right_scores(Q, K):
    return Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5


def scores_by_loops(Q, K):
    S = np.empty((*Q.shape[:-1], K.shape[-2]), dtype=Q.dtype)
    for *batch, i, j in np.ndindex(S.shape):
        q, k = Q[(*batch, i)], K[(*batch, j)]
        S[(*batch, i, j)] = sum(a * b for a, b in zip(q, k, strict=True)) / len(q) ** 0.5
    return S


def batch_by_batch(Q, K):
    if Q.ndim > 2:
        return np.array([batch_by_batch(q, k) for q, k in zip(Q, K, strict=True)])
    return Q @ K.T / Q.shape[-1] ** 0.5


def softmaxed(Q, K):
    E = np.exp(right_scores(Q, K))
    return E / E.sum(axis=-1, keepdims=True)


def in_place(Q, K):
    Q /= Q.shape[-1] ** 0.5
    return Q @ K.swapaxes(-1, -2)


def without_means(mean_q, std_q, mean_k, std_k):
    return np.sum(std_q**2 * std_k**2)


def right_variance(mean_q, std_q, mean_k, std_k):
    return np.sum(std_q**2 * std_k**2 + std_q**2 * mean_k**2 + std_k**2 * mean_q**2)


def predictions(**changes):
    right = dict(a="same", b="sharper", c="flatter", d="same", e="sharper", f="sharper")
    return lambda: right | changes


RIGHT = {
    "scaling-by-hand": {
        "three decimals": hand(),
        "as lists of exact values": hand(
            weights=[0.66524, 0.24473, 0.09003], reaction_with_scaling=0.08193
        ),
    },
    "scaling-scores": {
        "matrix form": right_scores,
        "query scaled first": lambda Q, K: (
            (Q * float(1 / np.sqrt(Q.shape[-1]))) @ np.moveaxis(K, -1, -2)
        ),
        "loops": scores_by_loops,
        "loop over the batch": batch_by_batch,
        "einsum": lambda Q, K: np.einsum("...ir,...jr->...ij", Q, K) / K.shape[-1] ** 0.5,
        "changes its own copies": in_place,
    },
    "scaling-variance": {
        "matrix form": right_variance,
        "einsum": lambda mq, sq, mk, sk: (
            np.einsum("r,r", sq**2, sk**2 + mk**2) + np.einsum("r,r", sk**2, mq**2)
        ),
        "second moment minus squared mean": lambda mq, sq, mk, sk: np.sum(
            (sq**2 + mq**2) * (sk**2 + mk**2) - mq**2 * mk**2
        ),
        "loops": lambda mq, sq, mk, sk: sum(
            (b * d) ** 2 + (b * c) ** 2 + (d * a) ** 2
            for a, b, c, d in zip(mq, sq, mk, sk, strict=True)
        ),
    },
    "scaling-predict": {"all six": predictions()},
}

WRONG = {
    "scaling-by-hand": {
        "a number for each list": (hand(weights=0.665), "form"),
        "numbers in quotes that are words": (hand(reaction_with_scaling="small"), "form"),
        "a name changed": (lambda: {"scores": (2, 1, 0)}, "form"),
        "sign slip in the second product": (hand(scaled_scores=(2, 2, 0)), "products"),
        "zero of the query overlooked": (hand(scaled_scores=(2, 1, 2.5)), "products"),
        "all zero": (hand(scaled_scores=(0, 0, 0)), "products"),
        "every sign turned round": (hand(scaled_scores=(-2, -1, 0)), "products"),
        "not scaled": (hand(scaled_scores=(4, 2, 0)), "scale"),
        "divided by d_k": (hand(scaled_scores=(1, 0.5, 0)), "scale"),
        "root of the number of keys": (hand(scaled_scores=(2.309, 1.155, 0)), "scale"),
        "exponentials not divided": (hand(weights=(7.39, 2.72, 1)), "sum"),
        "percent": (hand(weights=(66.5, 24.5, 9.0)), "sum"),
        "softmax of the raw scores": (hand(weights=(0.867, 0.117, 0.016)), "weights"),
        "scores divided by their sum": (hand(weights=(0.667, 0.333, 0)), "weights"),
        "softmax of scores over d_k": (hand(weights=(0.506, 0.307, 0.186)), "weights"),
        "the weight itself": (hand(reaction_with_scaling=0.090), "reaction"),
        "the first key's": (hand(reaction_with_scaling=0.223), "reaction"),
        "off the diagonal": (hand(reaction_with_scaling=-0.060), "reaction"),
        "the two exchanged": (
            hand(reaction_with_scaling=0.016, reaction_without_scaling=0.082),
            "reaction",
        ),
        "the same twice": (hand(reaction_without_scaling=0.082), "unscaled"),
        "raw score as a weight": (hand(reaction_without_scaling=0), "unscaled"),
    },
    "scaling-scores": {
        "keys and queries exchanged": (lambda Q, K: right_scores(K, Q), "shape"),
        "one score only": (lambda Q, K: np.sum(Q[0] * K[0]) / Q.shape[-1] ** 0.5, "shape"),
        "scores of the keys among themselves": (lambda Q, K: right_scores(K, K), "shape"),
        "transposed the wrong one": (lambda Q, K: Q.swapaxes(-1, -2) @ K, "shape"),
        "softmax applied": (softmaxed, "products"),
        "scaled after softmax": (
            lambda Q, K: softmaxed(Q * Q.shape[-1] ** 0.5, K) / Q.shape[-1] ** 0.5,
            "products",
        ),
        "rows normalised": (
            lambda Q, K: right_scores(Q / np.linalg.norm(Q, axis=-1, keepdims=True), K),
            "products",
        ),
        "negative factor": (lambda Q, K: -right_scores(Q, K), "products"),
        "root of the number of keys": (
            lambda Q, K: Q @ K.swapaxes(-1, -2) / K.shape[-2] ** 0.5,
            "own pair",
        ),
        "root of the number of queries": (
            lambda Q, K: Q @ K.swapaxes(-1, -2) / Q.shape[-2] ** 0.5,
            "own pair",
        ),
        "standardised by the scores seen": (
            lambda Q, K: right_scores(Q, K) / right_scores(Q, K).std(),
            "own pair",
        ),
        "not scaled": (lambda Q, K: Q @ K.swapaxes(-1, -2), "variance"),
        "divided by d_k": (lambda Q, K: Q @ K.swapaxes(-1, -2) / Q.shape[-1], "variance"),
        "multiplied by the root": (
            lambda Q, K: Q @ K.swapaxes(-1, -2) * Q.shape[-1] ** 0.5,
            "variance",
        ),
        "a fixed number": (lambda Q, K: Q @ K.swapaxes(-1, -2) / 8, "variance"),
        "root cut to a whole number": (
            lambda Q, K: Q @ K.swapaxes(-1, -2) / int(Q.shape[-1] ** 0.5),
            "exact",
        ),
        "a sample's root": (
            lambda Q, K: Q @ K.swapaxes(-1, -2) / (Q.shape[-1] + 1) ** 0.5,
            "exact",
        ),
        "zeros without a dtype": (
            lambda Q, K: right_scores(Q, K) + np.zeros((*Q.shape[:-1], K.shape[-2])),
            "float32",
        ),
        "both scaled": (
            lambda Q, K: right_scores(Q / Q.shape[-1] ** 0.5, K / Q.shape[-1] ** 0.5),
            "variance",
        ),
        "K.T": (lambda Q, K: Q @ K.T / Q.shape[-1] ** 0.5, "leading axes"),
        "np.dot": (lambda Q, K: np.dot(Q, K.swapaxes(-1, -2)) / Q.shape[-1] ** 0.5, "leading axes"),
        "np.sqrt promotes": (lambda Q, K: Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), "float32"),
    },
    "scaling-variance": {
        "one for each feature": (
            lambda mq, sq, mk, sk: sq**2 * sk**2 + sq**2 * mk**2 + sk**2 * mq**2,
            "form",
        ),
        "the average": (
            lambda mq, sq, mk, sk: right_variance(mq, sq, mk, sk) / len(sq),
            "standard",
        ),
        "the deviation": (
            lambda mq, sq, mk, sk: np.sqrt(right_variance(mq, sq, mk, sk)),
            "standard",
        ),
        "always 1": (lambda mq, sq, mk, sk: 1.0, "standard"),
        "always 3": (lambda mq, sq, mk, sk: 3.0, "standard"),
        "product of two sums": (
            lambda mq, sq, mk, sk: np.sum(sq**2) * np.sum(sk**2),
            "standard",
        ),
        "always d_k": (lambda mq, sq, mk, sk: len(sq), "deviations"),
        "deviations not squared": (lambda mq, sq, mk, sk: np.sum(sq * sk), "deviations"),
        "variances of sums, not of products": (
            lambda mq, sq, mk, sk: np.sum(sq**2 + sk**2) / 2,
            "deviations",
        ),
        "no means": (without_means, "key means"),
        "only the query's mean": (
            lambda mq, sq, mk, sk: np.sum(sq**2 * sk**2 + sk**2 * mq**2),
            "key means",
        ),
        "mean not squared": (
            lambda mq, sq, mk, sk: np.sum(sq**2 * sk**2 + sq**2 * mk + sk**2 * mq),
            "key means",
        ),
        "mean with the wrong partner": (
            lambda mq, sq, mk, sk: np.sum(sq**2 * sk**2 + sk**2 * mk**2 + sq**2 * mq**2),
            "key means",
        ),
        "only the key's mean": (
            lambda mq, sq, mk, sk: np.sum(sq**2 * sk**2 + sq**2 * mk**2),
            "query means",
        ),
        "second moment": (
            lambda mq, sq, mk, sk: np.sum((sq**2 + mq**2) * (sk**2 + mk**2)),
            "constants",
        ),
    },
    "scaling-predict": {
        "one left out": (lambda: dict(a="same"), "form"),
        "words of one's own": (predictions(a="more pointed"), "form"),
        "more features are always sharper": (predictions(a="sharper"), "a"),
        "more features, more averaging": (predictions(a="flatter"), "a"),
        "scale does not matter to softmax": (predictions(b="same"), "b"),
        "division by d_k does as well": (predictions(c="same"), "c"),
        "larger keys are sharper": (predictions(d="sharper"), "d"),
        "query means are a shift too": (predictions(e="same"), "e"),
        "variance 1 is all that counts": (predictions(f="same"), "f"),
        "equal features carry less": (predictions(f="flatter"), "f"),
    },
}

# What a hint must not say: it would be the answer.
SPOILERS = {
    "scaling-by-hand": ["0.665", ".245", ".090", ".082", ".016", "(2, 1, 0)", "sqrt", "√"],
    "scaling-scores": ["sqrt", "√", "** 0.5", "swapaxes", "square root", "平方根", "float("],
    "scaling-variance": ["² +", "**", "σ", "d_k"],
}
