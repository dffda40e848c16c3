"""What learners really answer in chapter 7's test for leaks: right, and wrong by mistake.

Each wrong answer stands with the key of the property that must reject it.
"""

import numpy as np


def leaks(head, X, positions=None, replace=None, tolerance=1e-9, looks_at=None):
    Z = head(X)
    for j in range(1, len(X)) if positions is None else positions:
        changed = X.copy()
        changed[j] = np.random.default_rng(j).standard_normal(X.shape[1])
        if replace is not None:
            changed[j] = replace(X[j])
        before = slice(0, j) if looks_at is None else looks_at(j)
        if np.abs(head(changed)[before] - Z[before]).max(initial=0) > tolerance:
            return True
    return False


def only_growth(head, X):
    Z = head(X)
    for j in range(1, len(X)):
        changed = X.copy()
        changed[j] = np.random.default_rng(j).standard_normal(X.shape[1])
        if (head(changed)[:j] - Z[:j]).max(initial=0) > 1e-9:
            return True
    return False


def with_allclose(head, X):
    for j in range(len(X)):
        changed = X.copy()
        changed[j:] = np.random.default_rng(0).standard_normal(changed[j:].shape)
        if not np.allclose(head(X)[:j], head(changed)[:j]):
            return True
    return False


def against_prefixes(head, X):
    Z = head(X)
    return any(not np.allclose(head(X[:i])[-1], Z[i - 1]) for i in range(1, len(X) + 1))


def without_a_copy(head, X):
    Z = head(X)
    changed = X
    changed[-1] = 0
    Z = head(X)
    return bool(np.abs(head(changed)[:-1] - Z[:-1]).max(initial=0) > 0)


def always_replaces_a_fifth_token(head, X):
    changed = X.copy()
    changed[4] = np.random.default_rng(4).standard_normal(X.shape[1])
    return leaks(head, X) or bool(np.abs(head(changed)[:4] - head(X)[:4]).max(initial=0) > 1e-9)


RIGHT = {
    "causal-leaks": {
        "token by token": leaks,
        "all later tokens at once, allclose": with_allclose,
        "against attention over the prefix": against_prefixes,
    },
}

WRONG = {
    "causal-leaks": {
        "one answer for each token": (lambda head, X: [False] * len(X), "form"),
        "the size of the change": (lambda head, X: 0.0, "form"),
        "always True": (lambda head, X: True, "innocent"),
        "the token's own output counted": (
            lambda head, X: leaks(head, X, looks_at=lambda j: slice(0, j + 1)),
            "innocent",
        ),
        "later outputs counted": (
            lambda head, X: leaks(head, X, looks_at=lambda j: slice(j + 1, None)),
            "innocent",
        ),
        "always False": (lambda head, X: False, "unmasked"),
        "both changed": (without_a_copy, "unmasked"),
        "last token only": (lambda head, X: leaks(head, X, positions=[len(X) - 1]), "one pair"),
        "second token only": (lambda head, X: leaks(head, X, positions=[1]), "one pair"),
        "first output only": (
            lambda head, X: leaks(head, X, looks_at=lambda j: slice(0, 1)),
            "one pair",
        ),
        "the output before alone": (
            lambda head, X: leaks(head, X, looks_at=lambda j: slice(j - 1, j)),
            "far",
        ),
        "no absolute value": (only_growth, "sign"),
        "large tolerance": (lambda head, X: leaks(head, X, tolerance=0.25), "late"),
        "two decimals": (lambda head, X: leaks(head, X, tolerance=0.005), "faint"),
        "doubled": (lambda head, X: leaks(head, X, replace=lambda x: 2 * x), "silent token"),
        "set to 0": (lambda head, X: leaks(head, X, replace=lambda x: 0 * x), "silent token"),
        "1 added": (lambda head, X: leaks(head, X, replace=lambda x: x + 1), "difference"),
        "five tokens at least": (always_replaces_a_fifth_token, "any length"),
    },
}

# What a hint must not say: it would be the answer.
SPOILERS = {
    "causal-leaks": ["[:j]", "allclose", "rng", "standard_normal"],
}
