"""Right answers with one small change each: a factor, a root, a fill, a shift, an axis."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import wrong_answers_aggregation as aggregation
import wrong_answers_causal as causal
import wrong_answers_causal_leaks as causal_leaks
import wrong_answers_heads as heads
import wrong_answers_what as what


def after(change):
    """Change the result, or each of several results."""

    def changed(f):
        def answer(*inputs):
            result = f(*inputs)
            return [change(r) for r in result] if isinstance(result, tuple) else change(result)

        return answer

    return changed


def before(which, factor):
    """Multiply an input by a factor."""

    def changed(f):
        def answer(*inputs):
            inputs = list(inputs)
            inputs[which] = inputs[which] * factor
            return f(*inputs)

        return answer

    return changed


def rolled(axis):
    return after(lambda result: np.roll(result, 1, axis=axis))


RESULT = {
    "result × 0.9": after(lambda result: 0.9 * result),
    "result × 1.1": after(lambda result: 1.1 * result),
    "result + 0.1": after(lambda result: result + 0.1),
    "sign lost": after(np.abs),
    "rows off by one": rolled(-2),
    "columns off by one": rolled(-1),
}


def inputs_times(*names):
    return {
        f"{name} × {factor}": before(which, factor)
        for which, name in enumerate(names)
        for factor in (0.9, 1.1)
    }


ROOTS = {
    "root cut to a whole number": lambda d: int(d**0.5),
    "isqrt": math.isqrt,
    "root rounded": lambda d: round(d**0.5),
    "root rounded up": lambda d: math.ceil(d**0.5),
    "root of one more": lambda d: (d + 1) ** 0.5,
    "root of one less": lambda d: (d - 1) ** 0.5,
    "one added to the root": lambda d: d**0.5 + 1,
    "exponent .49": lambda d: d**0.49,
    "exponent .51": lambda d: d**0.51,
    "divisor × 0.9": lambda d: 0.9 * d**0.5,
    "divisor × 1.1": lambda d: 1.1 * d**0.5,
}
SHIFTS = {
    "smallest score": lambda S: S.min(axis=-1, keepdims=True),
    "mean of the row": lambda S: S.mean(axis=-1, keepdims=True),
    "median of the row": lambda S: np.median(S, axis=-1, keepdims=True),
    "first score": lambda S: S[..., :1],
    "last score": lambda S: S[..., -1:],
    "maximum of the column": lambda S: S.max(axis=0, keepdims=True),
    "half the maximum": lambda S: S.max(axis=-1, keepdims=True) / 2,
    "size of the largest": lambda S: -np.abs(S).max(axis=-1, keepdims=True),
}
HARMLESS_SHIFTS = {
    "a little above the maximum": lambda S: S.max(axis=-1, keepdims=True) + 3,
    "a little below the maximum": lambda S: S.max(axis=-1, keepdims=True) - 3,
}


def shifted_by(shift):
    def softmax(S):
        E = np.exp(S - shift(S))
        return E / E.sum(axis=-1, keepdims=True)

    return softmax


def normalised_by(total):
    def softmax(S):
        E = np.exp(S - S.max(axis=-1, keepdims=True))
        return E / total(E)

    return softmax


FILLS = (-20.0, -50.0, -100.0, -1000.0, -2000.0)
RIGHT_FILLS = (-1e9, np.finfo(float).min, np.finfo(np.float32).min, -np.inf)


def causal_filled(fill):
    return lambda Q, K, V: causal.masked(Q, K, V, causal.allowed(Q), fill)


def causal_divided(divisor):
    return lambda Q, K, V: causal.masked(
        Q / divisor(Q.shape[-1]) * Q.shape[-1] ** 0.5, K, V, causal.allowed(Q)
    )


def head_divided(divisor):
    return aggregation.head_scaled_by(lambda X, W_K: 1 / divisor(W_K.shape[-1]))


def heads_filled(fill):
    return heads.heads_with(weigh=lambda S, mask: heads.softmax(np.where(mask, S, fill)))


def heads_divided(divisor):
    return heads.heads_with(score=lambda Q, K: Q @ heads.swap(K) / divisor(Q.shape[-1]))


def with_mask(change):
    return lambda *inputs: heads.heads_with()(*inputs[:-1], change(inputs[-1]))


def inverted_and_finite(S, mask):
    return heads.softmax(np.where(mask, -1e9, S))


def always_causal_head(S):
    return aggregation.softmax(np.where(np.tri(S.shape[-1], dtype=bool), S, -np.inf))


def variance_with(*factors):
    a, b, c = factors

    def variance(mq, sq, mk, sk):
        return np.sum(a * (sq * sk) ** 2 + b * (sq * mk) ** 2 + c * (sk * mq) ** 2)

    return variance


def context_cut_at(k):
    """Causal, with the border off by some places, and no row left empty."""
    return what.causal_only(
        lambda F: what.rows(np.tril(F, k) + (np.arange(len(F)) == 0) * np.eye(len(F)) * (k < 0))
    )


def terms(change):
    return lambda A, V, i, r: change(A[i] * V[:, r])


def leaks_where(looks_at, positions=None):
    return partial(causal_leaks.leaks, looks_at=looks_at, positions=positions)


def all_but_the_last_token(head, X):
    return causal_leaks.leaks(head, X, positions=range(1, len(X) - 1))
