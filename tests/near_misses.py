"""Wrong answers made from right ones by small changes, and what must reject each.

Every entry names the property that must reject the change, or the properties one of which must;
``None`` stands for a change that leaves the answer right, and must be accepted.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import wrong_answers_ch01 as ch01
import wrong_answers_ch02 as ch02
import wrong_answers_ch03 as ch03
import wrong_answers_ch04 as ch04
import wrong_answers_ch05 as ch05
import wrong_answers_ch06 as ch06
import wrong_answers_ch07 as ch07
import wrong_answers_ch08 as ch08

from attnlib.exercises.ch03 import predict as ch03_predict

BY_HAND = {
    "what-by-hand": ch01.hand,
    "qkv-by-hand": ch02.hand,
    "scores-by-hand": ch03.hand,
    "scaling-by-hand": ch04.hand,
    "weights-by-hand": ch05.hand,
    "aggregation-by-hand": ch06.hand,
    "causal-by-hand": ch07.hand,
    "heads-by-hand": ch08.hand,
}
PREDICT = {
    "what-predict": ch01.predictions,
    "qkv-predict": ch02.predictions,
    "scores-predict": ch03.predictions,
    "scaling-predict": ch04.predictions,
    "weights-predict": ch05.predictions,
    "aggregation-predict": ch06.predictions,
    "causal-predict": ch07.predictions,
    "heads-predict": ch08.predictions,
}


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
    return lambda Q, K, V: ch07.masked(Q, K, V, ch07.allowed(Q), fill)


def causal_divided(divisor):
    return lambda Q, K, V: ch07.masked(
        Q / divisor(Q.shape[-1]) * Q.shape[-1] ** 0.5, K, V, ch07.allowed(Q)
    )


def head_divided(divisor):
    return ch06.head_scaled_by(lambda X, W_K: 1 / divisor(W_K.shape[-1]))


def heads_filled(fill):
    return ch08.heads_with(weigh=lambda S, mask: ch08.softmax(np.where(mask, S, fill)))


def heads_divided(divisor):
    return ch08.heads_with(score=lambda Q, K: Q @ ch08.swap(K) / divisor(Q.shape[-1]))


def with_mask(change):
    return lambda *inputs: ch08.heads_with()(*inputs[:-1], change(inputs[-1]))


def inverted_and_finite(S, mask):
    return ch08.softmax(np.where(mask, -1e9, S))


def always_causal_head(S):
    return ch06.softmax(np.where(np.tri(S.shape[-1], dtype=bool), S, -np.inf))


def variance_with(*factors):
    a, b, c = factors

    def variance(mq, sq, mk, sk):
        return np.sum(a * (sq * sk) ** 2 + b * (sq * mk) ** 2 + c * (sk * mq) ** 2)

    return variance


def context_cut_at(k):
    """Causal, with the border off by some places, and no row left empty."""
    return ch01.causal_only(
        lambda F: ch01.rows(np.tril(F, k) + (np.arange(len(F)) == 0) * np.eye(len(F)) * (k < 0))
    )


def terms(change):
    return lambda A, V, i, r: change(A[i] * V[:, r])


def leaks_where(looks_at, positions=None):
    return partial(ch07.leaks, looks_at=looks_at, positions=positions)


def all_but_the_last_token(head, X):
    return ch07.leaks(head, X, positions=range(1, len(X) - 1))


# Each right answer, its inputs' names, and what rejects a change of the result or of an input.
CHANGED = {
    "what-context": (
        ch01.right_context,
        ("F", "V"),
        {"result": "shares", "rows off by one": "rows", "F": None, "V": "shares"},
    ),
    "qkv-code": (
        ch02.products,
        ("X", "W_Q", "W_K", "W_V"),
        {"result": "plain", "rows off by one": "rows", "columns off by one": "plain"}
        | dict.fromkeys(("X", "W_Q", "W_K", "W_V"), "plain"),
    ),
    "scores-code": (
        ch03.right_scores,
        ("Q", "K"),
        {"result": "products", "rows off by one": "columns", "columns off by one": "columns"}
        | dict.fromkeys("QK", "products"),
    ),
    "scaling-scores": (
        ch04.right_scores,
        ("Q", "K"),
        {"result": "exact", "result + 0.1": "products", "sign lost": "products"}
        | {"rows off by one": "products", "columns off by one": "products"}
        | dict.fromkeys("QK", "exact"),
    ),
    "scaling-variance": (
        ch04.right_variance,
        ("mean_q", "std_q", "mean_k", "std_k"),
        {"result": "standard", "sign lost": None, "mean_q": "query means", "std_q": "standard"}
        | {"mean_k": "key means", "std_k": "standard"},
    ),
    "weights-softmax": (
        ch05.right_softmax,
        ("S",),
        {"result": "shares", "sign lost": None, "columns off by one": "exponential"}
        | {"S": "exponential"},
    ),
    "aggregation-head": (
        ch06.right_head,
        ("X", "W_Q", "W_K", "W_V"),
        {"result": "constant", "result + 0.1": "values", "rows off by one": "rows"}
        | {"X": "constant", "W_Q": "scale", "W_K": "scale", "W_V": "constant"},
    ),
    "causal-attention": (
        ch07.right_attention,
        ("Q", "K", "V"),
        {"result": "average", "sign lost": "values", "rows off by one": "later"}
        | {"columns off by one": "values", "Q": "values", "K": "values", "V": "average"},
    ),
    "heads-multi-head": (
        ch08.heads_with(),
        ("X", "W_Q", "W_K", "W_V", "W_O"),
        {"result": "even", "result + 0.1": "values", "rows off by one": "tokens"}
        | {"X": "even", "W_Q": "scale", "W_K": "scale", "W_V": "even", "W_O": "even"},
    ),
}

SPECIFIC = {
    "qkv-lookup": {
        "query × 0.9 of what is enough": (ch02.lookup(0.52 * ch02.ASKED), "sharp"),
        "content × 0.9": (ch02.lookup(W_V=0.9 * ch02.CONTENT), "value"),
        "content × 1.1": (ch02.lookup(W_V=1.1 * ch02.CONTENT), "value"),
        "query × 1.1": (ch02.lookup(1.1 * ch02.ASKED), None),
        "labels off by one": (ch02.lookup(np.roll(ch02.ASKED, 1, axis=0)), "right token"),
        "label features off by one": (ch02.lookup(np.roll(ch02.ASKED, 1, axis=1)), "right token"),
        "content off by one": (ch02.lookup(W_V=np.roll(ch02.CONTENT, -1, axis=0)), "value"),
    },
    "scores-unlike": {
        f"{name} × {factor}": (ch03.projections(factor * W_Q, W_K), "match")
        for factor in (0.9, 1.1)
        for name, W_Q, W_K in [
            ("query", np.array([[2, 0], [0, 0], [0, 0]]), np.array([[0, 0], [0, 0], [2, 0]])),
            ("queries", np.array([[1, 3], [0, 0], [0, 0]]), np.array([[0, 0], [3, -1], [1, 1]])),
        ]
    },
    "what-context": {
        "one later token visible": (context_cut_at(1), "first token"),
        "the token itself hidden": (context_cut_at(-1), "causal"),
        "divided by the other sums": (
            ch01.mixed(lambda F, c: ch01.cut(F, c) / ch01.cut(F, c).sum(axis=0, keepdims=True)),
            "shares",
        ),
        "residual added": (lambda F, V, c: ch01.right_context(F, V, c) + V, "shares"),
        "causal and not exchanged": (lambda F, V, c: ch01.right_context(F, V, not c), "rows"),
    },
    "scores-code": {
        "keys off by one": (lambda Q, K: Q @ ch03.swap(np.roll(K, 1, axis=-2)), "columns"),
        "features off by one": (lambda Q, K: np.roll(Q, 1, axis=-1) @ ch03.swap(K), "products"),
    },
    "scaling-scores": {
        name: (
            lambda Q, K, divisor=divisor: Q @ np.swapaxes(K, -1, -2) / divisor(Q.shape[-1]),
            "variance" if name in ("one added to the root", "root of one less") else "exact",
        )
        for name, divisor in ROOTS.items()
    },
    "scaling-variance": {
        f"{name} term × {factor}": (variance_with(*factors), key)
        for factor in (0.9, 1.1)
        for name, factors, key in [
            ("first", (factor, 1, 1), "standard"),
            ("second", (1, factor, 1), "key means"),
            ("third", (1, 1, factor), "query means"),
        ]
    },
    "weights-softmax": {
        **{
            f"less the {name}": (shifted_by(shift), "rows" if "column" in name else "large")
            for name, shift in SHIFTS.items()
        },
        **{name: (shifted_by(shift), None) for name, shift in HARMLESS_SHIFTS.items()},
        "divided by the largest": (
            normalised_by(lambda E: E.max(axis=-1, keepdims=True)),
            "shares",
        ),
        "divided by the length of the row": (
            normalised_by(lambda E: np.sqrt((E**2).sum(axis=-1, keepdims=True))),
            "shares",
        ),
        "divided by their number": (normalised_by(lambda E: E.shape[-1]), "shares"),
        "0.01 added to the sum": (
            normalised_by(lambda E: E.sum(axis=-1, keepdims=True) + 0.01),
            "shares",
        ),
        "divided by the sum of the column": (
            normalised_by(lambda E: E.sum(axis=0, keepdims=True)),
            "rows",
        ),
    },
    "aggregation-terms": {
        "terms × 0.9": (terms(lambda t: 0.9 * t), "sum"),
        "terms × 1.1": (terms(lambda t: 1.1 * t), "sum"),
        "j off by one": (terms(lambda t: np.roll(t, 1)), "order"),
        "backwards": (terms(lambda t: t[::-1]), "order"),
        "i off by one": (lambda A, V, i, r: A[i + 1] * V[:, r], "sum"),
        "r off by one": (lambda A, V, i, r: A[i] * V[:, r + 1], "sum"),
        "i counted from 1": (lambda A, V, i, r: A[i - 1] * V[:, r], "sum"),
        "r counted from 1": (lambda A, V, i, r: A[i] * V[:, r - 1], "sum"),
        "divided again": (terms(lambda t: t / t.sum()), "sum"),
    },
    "aggregation-head": {
        **{name: (head_divided(divisor), "scale") for name, divisor in ROOTS.items()},
        "always causal": (ch06.head_with(always_causal_head), "even"),
        "values off by one": (
            lambda X, Q, K, V: ch06.shares(X, Q, K) @ np.roll(X @ V, 1, axis=-2),
            "rows",
        ),
        "divided by the number of tokens": (
            ch06.head_with(lambda S: np.exp(S) / S.shape[-1]),
            "constant",
        ),
        "d_k read off the second axis": (
            lambda X, Q, K, V: (
                ch06.softmax(X @ Q @ ch06.swap(X @ K) / (X @ Q).shape[1] ** 0.5) @ (X @ V)
            ),
            "scale",
        ),
    },
    "causal-attention": {
        **{f"forbidden scores {fill}": (causal_filled(fill), "small") for fill in FILLS},
        **{f"forbidden scores {fill}": (causal_filled(fill), None) for fill in RIGHT_FILLS},
        **{name: (causal_divided(divisor), "values") for name, divisor in ROOTS.items()},
        "residual added": (lambda *inputs: ch07.right_attention(*inputs) + inputs[-1], "average"),
        "values off by one": (
            lambda Q, K, V: ch07.right_attention(Q, K, np.roll(V, 1, axis=-2)),
            "later",
        ),
        "divided by the number of tokens": (
            lambda Q, K, V: np.exp(ch07.scaled(Q, K)) * ch07.allowed(Q) / len(Q) @ V,
            "average",
        ),
        "d_k read off the second axis": (
            lambda Q, K, V: ch07.right_attention(Q * (Q.shape[-1] / Q.shape[1]) ** 0.5, K, V),
            "leading axes",
        ),
    },
    "causal-leaks": {
        "the output just before": (leaks_where(lambda j: slice(j - 1, j)), "far"),
        "two outputs before": (leaks_where(lambda j: slice(max(j - 2, 0), j)), "far"),
        "all but the output just before": (leaks_where(lambda j: slice(0, j - 1)), "one pair"),
        "all but the last token": (all_but_the_last_token, "far"),
    },
    "heads-multi-head": {
        **{f"forbidden scores {fill}": (heads_filled(fill), "small") for fill in FILLS},
        **{f"forbidden scores {fill}": (heads_filled(fill), None) for fill in RIGHT_FILLS},
        **{name: (heads_divided(divisor), "scale") for name, divisor in ROOTS.items()},
        "mask inverted, large negative numbers": (
            ch08.heads_with(weigh=inverted_and_finite),
            "everyone",
        ),
        "always causal": (with_mask(lambda mask: np.tri(len(mask), dtype=bool)), "everyone"),
        "causal as well": (with_mask(lambda mask: np.tril(mask)), "everyone"),
        "mask transposed": (with_mask(lambda mask: mask.T), "mask"),
        "mask never used": (with_mask(lambda mask: np.ones_like(mask)), "mask"),
        "heads off by one": (
            ch08.heads_with(merge=lambda z: ch08.merge(np.roll(z, 1, axis=-3))),
            "even",
        ),
        "divided by the number of tokens": (
            ch08.heads_with(weigh=lambda S, mask: np.exp(S) * mask / S.shape[-1]),
            "heads",
        ),
    },
}


# What rejects a wrong number, for each name in which it may stand: one of these properties.
REJECT = {
    "what-by-hand": {
        "missing weight": ["missing weight"],
        "z_2": ["output"],
        "causal z_1": ["first token"],
        "causal z_2": ["second token"],
    },
    "qkv-by-hand": {
        "q_1": ["query"],
        "k_2": ["key"],
        "v_2": ["value"],
        "match": ["match"],
        "shape of W_K": ["shape of W_K"],
        "shape of W_V": ["shape of W_V"],
    },
    "scores-by-hand": {
        "row of q_1": ["row"],
        "column of k_2": ["column"],
        "feature": ["form", "feature"],
    },
    "scaling-by-hand": {
        "scaled scores": ["products", "scale"],
        "weights": ["sum", "weights"],
        "reaction with scaling": ["reaction"],
        "reaction without scaling": ["unscaled"],
    },
    "weights-by-hand": {
        "weights": ["sum", "weights"],
        "weights of the second row": ["shifted"],
        "ratio": ["ratio"],
    },
    "aggregation-by-hand": {"z_1": ["output"], "Z_22": ["entry"], "change of Z_21": ["change"]},
    "causal-by-hand": {
        "weights of token 2": ["later", "sum", "weights"],
        "z_1": ["first"],
        "z_2": ["second"],
        "z_2 masked too late": ["too late"],
        "z_2 masked too late, token 3 replaced": ["leak"],
    },
    "heads-by-hand": {
        "c": ["heads", "order"],
        "share of head 1": ["share 1"],
        "share of head 2": ["share 2"],
        "o": ["output"],
        "y": ["residual"],
    },
}


def with_value(right, name, value):
    return lambda: {**right, name: value}


def wrong_numbers(exercise_id):
    """Each number of an answer on paper: 0.9 and 1.1 times itself, its negative, one beside it."""
    right = BY_HAND[exercise_id]()()
    for name, value in right.items():
        for place in np.ndindex(np.shape(value)):
            number = float(np.asarray(value)[place])
            wrongs = {0.9 * number, 1.1 * number, -number, number + 1, number - 1} - {number}
            # the fourth feature ties with the third
            for wrong in wrongs - ({4} if name == "feature" else set()):
                changed = np.array(value, dtype=float)
                changed[place] = wrong
                answer = with_value(right, name, changed.tolist())
                yield f"{name}{list(place) or ''}: {wrong:.4g}", answer, REJECT[exercise_id][name]
        if np.ndim(value) and len(set(value)) > 1:
            answer = with_value(right, name, np.roll(value, 1).tolist())
            yield f"{name}: off by one", answer, REJECT[exercise_id][name]


def wrong_predictions(exercise_id):
    """Each prediction: every other word, or one letter or position too many or too few."""
    right = PREDICT[exercise_id]()()
    for name, value in right.items():
        for wrong in other_values(exercise_id, name, value):
            yield f"{name}: {wrong}", with_value(right, name, wrong), [name]


def other_values(exercise_id, name, value):
    if exercise_id == "qkv-predict":
        found = {"".join(sorted(set(value.split()) ^ {letter})) for letter in "QKVAZ"}
        return sorted(found - {""})
    if exercise_id == "causal-predict":
        return [value ^ {position} for position in range(1, 6)]
    return [word for word in words_of(exercise_id, name) if word != value]


def words_of(exercise_id, name):
    if exercise_id == "scores-predict":
        return ch03_predict.KEPT if name == "c" else ch03_predict.PARTS
    return {
        "what-predict": ("same", "changed"),
        "scaling-predict": ("sharper", "flatter", "same"),
        "weights-predict": ("same", "sharper", "flatter", "reversed"),
        "aggregation-predict": ("doubled", "shifted", "same", "other"),
        "heads-predict": ("same", "doubled", "other"),
    }[exercise_id]


def of_exercise(exercise_id):
    """All near misses of an exercise: name, answer, and the properties one of which rejects it."""
    if exercise_id in BY_HAND:
        return list(wrong_numbers(exercise_id))
    if exercise_id in PREDICT:
        return list(wrong_predictions(exercise_id))
    found = dict(SPECIFIC.get(exercise_id, {}))
    if exercise_id in CHANGED:
        f, names, keys = CHANGED[exercise_id]
        for name, change in (RESULT | inputs_times(*names)).items():
            base = name.partition(" × ")[0]
            if exercise_id in ("scaling-variance", "weights-softmax") and "off by one" in name:
                continue
            found[name] = (change(f), keys.get(name, keys.get(base, keys["result"])))
    return [(name, answer, [key] if key else []) for name, (answer, key) in found.items()]
