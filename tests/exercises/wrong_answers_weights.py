"""What learners really answer in chapter 5: the right answers, and the wrong ones by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np

WEIGHTS = (0.083, 0.610, 0.225, 0.083)


def hand(weights=WEIGHTS, second=WEIGHTS, ratio=7.4):
    return lambda: {"weights": weights, "weights of the second row": second, "ratio": ratio}


def predictions(**changes):
    right = dict(a="same", b="sharper", c="flatter", d="reversed", e="flatter", f="flatter")
    return lambda: right | changes


def right_softmax(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / E.sum(axis=-1, keepdims=True)


def softmax_by_einsum(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return np.einsum("...j,...->...j", E, 1 / np.einsum("...j->...", E))


def softmax_by_loops(S):
    A = np.zeros_like(S)
    for row in np.ndindex(S.shape[:-1]):
        largest = max(S[row])
        E = [np.exp(s - largest) for s in S[row]]
        for j in range(S.shape[-1]):
            A[(*row, j)] = E[j] / sum(E)
    return A


def row_by_row(S):
    if S.ndim > 1:
        return np.array([row_by_row(part) for part in S])
    return np.exp(S - S.max()) / np.exp(S - S.max()).sum()


def along(axis):
    """Softmax along another axis."""

    def softmax(S):
        E = np.exp(S - S.max(axis=axis, keepdims=True))
        return E / E.sum(axis=axis, keepdims=True)

    return softmax


def naive(S):
    return np.exp(S) / np.exp(S).sum(axis=-1, keepdims=True)


def one_maximum(S):
    E = np.exp(S - S.max())
    return E / E.sum(axis=-1, keepdims=True)


def totals_of_no_row(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return (E.T / E.sum(axis=-1)).T if S.ndim < 3 else E / E.sum(axis=-1)


def totals_at_the_wrong_rows(S):
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    return E / np.roll(E.sum(axis=-1, keepdims=True), 1, axis=0)


RIGHT = {
    "weights-by-hand": {
        "three decimals": hand(),
        "exact": hand(weights=[0.0826, 0.6103, 0.2245, 0.0826], ratio=7.389),
    },
    "weights-softmax": {
        "matrix form": right_softmax,
        "einsum": softmax_by_einsum,
        "loops": softmax_by_loops,
        "loop over the batch": row_by_row,
        "with logarithms": lambda S: np.exp(S - np.logaddexp.reduce(S, axis=-1, keepdims=True)),
        "another constant for each row": lambda S: right_softmax(S + S[..., :1]),
    },
    "weights-predict": {"all six": predictions()},
}

WRONG = {
    "weights-by-hand": {
        "one weight": (hand(weights=0.611), "form"),
        "words": (hand(ratio="e squared"), "form"),
        "three weights": (hand(second=WEIGHTS[:3]), "form"),
        "exponentials not divided": (hand(weights=(0.135, 1, 0.368, 0.135)), "sum"),
        "percent": (hand(weights=(8.2, 61.1, 22.5, 8.2)), "sum"),
        "scores divided by their sum": (hand(weights=(0.143, 0.429, 0.286, 0.143)), "weights"),
        "everything to the largest": (hand(weights=(0, 1, 0, 0)), "weights"),
        "order of the exponentials": (hand(weights=(0.082, 0.225, 0.611, 0.082)), "weights"),
        "in equal parts": (hand(weights=(0.25, 0.25, 0.25, 0.25)), "weights"),
        "larger scores, larger weights": (hand(second=(0, 1, 0, 0)), "shifted"),
        "nearly even": (hand(second=(0.248, 0.253, 0.251, 0.248)), "shifted"),
        "difference of the scores": (hand(ratio=2), "ratio"),
        "ratio of the scores": (hand(ratio=3), "ratio"),
        "upside down": (hand(ratio=0.135), "ratio"),
        "the next one": (hand(ratio=2.7), "ratio"),
    },
    "weights-softmax": {
        "the sum": (lambda S: np.exp(S).sum(axis=-1), "shape"),
        "the index of the largest": (lambda S: S.argmax(axis=-1), "shape"),
        "exponentials not divided": (np.exp, "shares"),
        "divided by the sum of scores": (lambda S: S / S.sum(axis=-1, keepdims=True), "shares"),
        "hard maximum": (lambda S: np.floor(S - S.max(axis=-1, keepdims=True)) + 1, "shares"),
        "divided by the largest": (
            lambda S: np.exp(S) / np.exp(S).max(axis=-1, keepdims=True),
            "shares",
        ),
        "absolute values": (
            lambda S: np.abs(S) / np.abs(S).sum(axis=-1, keepdims=True),
            "exponential",
        ),
        "powers of 2": (lambda S: 2**S / (2**S).sum(axis=-1, keepdims=True), "exponential"),
        "squares": (lambda S: S**2 / (S**2).sum(axis=-1, keepdims=True), "exponential"),
        "sign lost": (lambda S: right_softmax(-S), "exponential"),
        "scaled once more": (lambda S: right_softmax(S / S.shape[-1] ** 0.5), "exponential"),
        "twice": (lambda S: right_softmax(right_softmax(S)), "exponential"),
        "along the queries": (along(0), "rows"),
        "everything sums to 1": (lambda S: np.exp(S) / np.exp(S).sum(), "rows"),
        "totals of other rows": (totals_at_the_wrong_rows, "rows"),
        "no shift": (naive, "large"),
        "one maximum for all": (one_maximum, "large"),
        "shift by the mean of all": (lambda S: naive(S - S.mean()), "large"),
        "clipped": (lambda S: naive(np.clip(S, -700, 700)), "large"),
        "along axis 1": (
            lambda S: right_softmax(S) if S.ndim < 3 else along(1)(S),
            "batch",
        ),
        "no keepdims": (totals_of_no_row, "batch"),
        "two axes only": (lambda S: right_softmax(S) if S.ndim < 3 else along(-2)(S), "batch"),
    },
    "weights-predict": {
        "one left out": (lambda: dict(a="same"), "form"),
        "words of one's own": (predictions(c="more even"), "form"),
        "a: larger scores, larger weights": (predictions(a="sharper"), "a"),
        "b: ratios stay": (predictions(b="same"), "b"),
        "c: ratios stay": (predictions(c="same"), "c"),
        "d: softmax makes all positive": (predictions(d="same"), "d"),
        "e: the base does not matter": (predictions(e="same"), "e"),
        "e: the wrong way round": (predictions(e="sharper"), "e"),
        "f: already normalised": (predictions(f="same"), "f"),
        "f: even more decided": (predictions(f="sharper"), "f"),
    },
}

# What must not stand in the text of a failed check.
SPOILERS = {
    "weights-by-hand": ["0.083", "0.610", "7.4", "e²", "subtract 3"],
    "weights-softmax": ["np.exp", "keepdims", "max(", "maximum", "largest", "最大"],
}
