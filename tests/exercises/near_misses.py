"""Wrong answers made from right ones by small changes, and what must reject each.

Every entry names the property that must reject the change, or the properties one of which must;
``None`` stands for a change that leaves the answer right, and must be accepted.
"""

from __future__ import annotations

import near_numbers
import numpy as np
import small_changes as small
import wrong_answers_aggregation as aggregation
import wrong_answers_causal as causal
import wrong_answers_heads as heads
import wrong_answers_qkv as qkv
import wrong_answers_scaling as scaling
import wrong_answers_scores as scores
import wrong_answers_weights as weights
import wrong_answers_what as what

# Each right answer, its inputs' names, and what rejects a change of the result or of an input.
CHANGED = {
    "what-context": (
        what.right_context,
        ("F", "V"),
        {"result": "shares", "rows off by one": "rows", "F": None, "V": "shares"},
    ),
    "qkv-code": (
        qkv.products,
        ("X", "W_Q", "W_K", "W_V"),
        {"result": "plain", "rows off by one": "rows", "columns off by one": "plain"}
        | dict.fromkeys(("X", "W_Q", "W_K", "W_V"), "plain"),
    ),
    "scores-code": (
        scores.right_scores,
        ("Q", "K"),
        {"result": "products", "rows off by one": "columns", "columns off by one": "columns"}
        | dict.fromkeys("QK", "products"),
    ),
    "scaling-scores": (
        scaling.right_scores,
        ("Q", "K"),
        {"result": "exact", "result + 0.1": "products", "sign lost": "products"}
        | {"rows off by one": "products", "columns off by one": "products"}
        | dict.fromkeys("QK", "exact"),
    ),
    "scaling-variance": (
        scaling.right_variance,
        ("mean_q", "std_q", "mean_k", "std_k"),
        {"result": "standard", "sign lost": None, "mean_q": "query means", "std_q": "standard"}
        | {"mean_k": "key means", "std_k": "standard"},
    ),
    "weights-softmax": (
        weights.right_softmax,
        ("S",),
        {"result": "shares", "sign lost": None, "columns off by one": "exponential"}
        | {"S": "exponential"},
    ),
    "aggregation-head": (
        aggregation.right_head,
        ("X", "W_Q", "W_K", "W_V"),
        {"result": "constant", "result + 0.1": "values", "rows off by one": "rows"}
        | {"X": "constant", "W_Q": "scale", "W_K": "scale", "W_V": "constant"},
    ),
    "causal-attention": (
        causal.right_attention,
        ("Q", "K", "V"),
        {"result": "average", "sign lost": "values", "rows off by one": "later"}
        | {"columns off by one": "values", "Q": "values", "K": "values", "V": "average"},
    ),
    "heads-multi-head": (
        heads.heads_with(),
        ("X", "W_Q", "W_K", "W_V", "W_O"),
        {"result": "even", "result + 0.1": "values", "rows off by one": "tokens"}
        | {"X": "even", "W_Q": "scale", "W_K": "scale", "W_V": "even", "W_O": "even"},
    ),
}

SPECIFIC = {
    "qkv-lookup": {
        "query × 0.9 of what is enough": (qkv.lookup(0.52 * qkv.ASKED), "sharp"),
        "content × 0.9": (qkv.lookup(W_V=0.9 * qkv.CONTENT), "value"),
        "content × 1.1": (qkv.lookup(W_V=1.1 * qkv.CONTENT), "value"),
        "query × 1.1": (qkv.lookup(1.1 * qkv.ASKED), None),
        "labels off by one": (qkv.lookup(np.roll(qkv.ASKED, 1, axis=0)), "right token"),
        "label features off by one": (qkv.lookup(np.roll(qkv.ASKED, 1, axis=1)), "right token"),
        "content off by one": (qkv.lookup(W_V=np.roll(qkv.CONTENT, -1, axis=0)), "value"),
    },
    "scores-unlike": {
        f"{name} × {factor}": (scores.projections(factor * W_Q, W_K), "match")
        for factor in (0.9, 1.1)
        for name, W_Q, W_K in [
            ("query", np.array([[2, 0], [0, 0], [0, 0]]), np.array([[0, 0], [0, 0], [2, 0]])),
            ("queries", np.array([[1, 3], [0, 0], [0, 0]]), np.array([[0, 0], [3, -1], [1, 1]])),
        ]
    },
    "scores-never-first": {
        "parts × 0.9": (scores.first(parts=(0.45, 0.225, 0.225)), "sum"),
        "parts × 1.1": (scores.first(parts=(0.55, 0.275, 0.275)), "sum"),
        "parts off by one": (scores.first(parts=(0.25, 0.5, 0.25)), "parts"),
        "a little of one part in another": (scores.first(parts=(0.52, 0.23, 0.25)), "parts"),
        "tokens off by one": (scores.first(never=(4, 5)), "never"),
        "just past level with token 1": (scores.first(query=(1, 0.999)), "query"),
        "just past level with token 2": (scores.first(query=(1, 3.001)), "query"),
        "just inside": (scores.first(query=(1, 2.999)), None),
        "query × -1": (scores.first(query=(-2, -3)), "query"),
    },
    "what-context": {
        "one later token visible": (small.context_cut_at(1), "first token"),
        "the token itself hidden": (small.context_cut_at(-1), "causal"),
        "divided by the other sums": (
            what.mixed(lambda F, c: what.cut(F, c) / what.cut(F, c).sum(axis=0, keepdims=True)),
            "shares",
        ),
        "residual added": (lambda F, V, c: what.right_context(F, V, c) + V, "shares"),
        "causal and not exchanged": (lambda F, V, c: what.right_context(F, V, not c), "rows"),
    },
    "scores-code": {
        "keys off by one": (lambda Q, K: Q @ scores.swap(np.roll(K, 1, axis=-2)), "columns"),
        "features off by one": (lambda Q, K: np.roll(Q, 1, axis=-1) @ scores.swap(K), "products"),
    },
    "scaling-scores": {
        name: (
            lambda Q, K, divisor=divisor: Q @ np.swapaxes(K, -1, -2) / divisor(Q.shape[-1]),
            "variance" if name in ("one added to the root", "root of one less") else "exact",
        )
        for name, divisor in small.ROOTS.items()
    },
    "scaling-variance": {
        f"{name} term × {factor}": (small.variance_with(*factors), key)
        for factor in (0.9, 1.1)
        for name, factors, key in [
            ("first", (factor, 1, 1), "standard"),
            ("second", (1, factor, 1), "key means"),
            ("third", (1, 1, factor), "query means"),
        ]
    },
    "weights-softmax": {
        **{
            f"less the {name}": (small.shifted_by(shift), "rows" if "column" in name else "large")
            for name, shift in small.SHIFTS.items()
        },
        **{name: (small.shifted_by(shift), None) for name, shift in small.HARMLESS_SHIFTS.items()},
        "divided by the largest": (
            small.normalised_by(lambda E: E.max(axis=-1, keepdims=True)),
            "shares",
        ),
        "divided by the length of the row": (
            small.normalised_by(lambda E: np.sqrt((E**2).sum(axis=-1, keepdims=True))),
            "shares",
        ),
        "divided by their number": (small.normalised_by(lambda E: E.shape[-1]), "shares"),
        "0.01 added to the sum": (
            small.normalised_by(lambda E: E.sum(axis=-1, keepdims=True) + 0.01),
            "shares",
        ),
        "divided by the sum of the column": (
            small.normalised_by(lambda E: E.sum(axis=0, keepdims=True)),
            "rows",
        ),
    },
    "aggregation-terms": {
        "terms × 0.9": (small.terms(lambda t: 0.9 * t), "sum"),
        "terms × 1.1": (small.terms(lambda t: 1.1 * t), "sum"),
        "j off by one": (small.terms(lambda t: np.roll(t, 1)), "order"),
        "backwards": (small.terms(lambda t: t[::-1]), "order"),
        "i off by one": (lambda A, V, i, r: A[i + 1] * V[:, r], "sum"),
        "r off by one": (lambda A, V, i, r: A[i] * V[:, r + 1], "sum"),
        "i counted from 1": (lambda A, V, i, r: A[i - 1] * V[:, r], "sum"),
        "r counted from 1": (lambda A, V, i, r: A[i] * V[:, r - 1], "sum"),
        "divided again": (small.terms(lambda t: t / t.sum()), "sum"),
    },
    "aggregation-head": {
        **{name: (small.head_divided(divisor), "scale") for name, divisor in small.ROOTS.items()},
        "always causal": (aggregation.head_with(small.always_causal_head), "even"),
        "values off by one": (
            lambda X, Q, K, V: aggregation.shares(X, Q, K) @ np.roll(X @ V, 1, axis=-2),
            "rows",
        ),
        "divided by the number of tokens": (
            aggregation.head_with(lambda S: np.exp(S) / S.shape[-1]),
            "constant",
        ),
        "d_k read off the second axis": (
            lambda X, Q, K, V: (
                aggregation.softmax(X @ Q @ aggregation.swap(X @ K) / (X @ Q).shape[1] ** 0.5)
                @ (X @ V)
            ),
            "scale",
        ),
    },
    "causal-attention": {
        **{
            f"forbidden scores {fill}": (small.causal_filled(fill), "small") for fill in small.FILLS
        },
        **{
            f"forbidden scores {fill}": (small.causal_filled(fill), None)
            for fill in small.RIGHT_FILLS
        },
        **{
            name: (small.causal_divided(divisor), "values") for name, divisor in small.ROOTS.items()
        },
        "residual added": (lambda *inputs: causal.right_attention(*inputs) + inputs[-1], "average"),
        "values off by one": (
            lambda Q, K, V: causal.right_attention(Q, K, np.roll(V, 1, axis=-2)),
            "later",
        ),
        "divided by the number of tokens": (
            lambda Q, K, V: np.exp(causal.scaled(Q, K)) * causal.allowed(Q) / len(Q) @ V,
            "average",
        ),
        "d_k read off the second axis": (
            lambda Q, K, V: causal.right_attention(Q * (Q.shape[-1] / Q.shape[1]) ** 0.5, K, V),
            "leading axes",
        ),
    },
    "causal-leaks": {
        "the output just before": (small.leaks_where(lambda j: slice(j - 1, j)), "far"),
        "two outputs before": (small.leaks_where(lambda j: slice(max(j - 2, 0), j)), "far"),
        "all but the output just before": (
            small.leaks_where(lambda j: slice(0, j - 1)),
            "one pair",
        ),
        "all but the last token": (small.all_but_the_last_token, "far"),
    },
    "heads-multi-head": {
        **{f"forbidden scores {fill}": (small.heads_filled(fill), "small") for fill in small.FILLS},
        **{
            f"forbidden scores {fill}": (small.heads_filled(fill), None)
            for fill in small.RIGHT_FILLS
        },
        **{name: (small.heads_divided(divisor), "scale") for name, divisor in small.ROOTS.items()},
        "mask inverted, large negative numbers": (
            heads.heads_with(weigh=small.inverted_and_finite),
            "everyone",
        ),
        "always causal": (small.with_mask(lambda mask: np.tri(len(mask), dtype=bool)), "everyone"),
        "causal as well": (small.with_mask(lambda mask: np.tril(mask)), "everyone"),
        "mask transposed": (small.with_mask(lambda mask: mask.T), "mask"),
        "mask never used": (small.with_mask(lambda mask: np.ones_like(mask)), "mask"),
        "heads off by one": (
            heads.heads_with(merge=lambda z: heads.merge(np.roll(z, 1, axis=-3))),
            "even",
        ),
        "divided by the number of tokens": (
            heads.heads_with(weigh=lambda S, mask: np.exp(S) * mask / S.shape[-1]),
            "heads",
        ),
    },
}


def of_exercise(exercise_id):
    """All near misses of an exercise: name, answer, and the properties one of which rejects it."""
    if exercise_id in near_numbers.BY_HAND:
        return list(near_numbers.wrong_numbers(exercise_id))
    if exercise_id in near_numbers.PREDICT:
        return list(near_numbers.wrong_predictions(exercise_id))
    found = dict(SPECIFIC.get(exercise_id, {}))
    if exercise_id in CHANGED:
        f, names, keys = CHANGED[exercise_id]
        for name, change in (small.RESULT | small.inputs_times(*names)).items():
            base = name.partition(" × ")[0]
            if exercise_id in ("scaling-variance", "weights-softmax") and "off by one" in name:
                continue
            found[name] = (change(f), keys.get(name, keys.get(base, keys["result"])))
    return [(name, answer, [key] if key else []) for name, (answer, key) in found.items()]
