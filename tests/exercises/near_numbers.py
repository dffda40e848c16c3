"""Answers on paper and predictions in which one entry is wrong, and what must reject each."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from attnlib.exercises.catalogue import exercise, exercise_ids


def makers(kind, function):
    """What makes the answers to each exercise of a kind: a function beside its wrong answers."""
    chapters = {id_: id_.removesuffix(kind) for id_ in exercise_ids() if id_.endswith(kind)}
    return {
        id_: getattr(import_module(f"wrong_answers_{chapter}"), function)
        for id_, chapter in chapters.items()
    }


BY_HAND = makers("-by-hand", "hand")
PREDICT = makers("-predict", "predictions")

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
    """The words to choose from for a change."""
    fields = {field.name: field for field in exercise(exercise_id).fields}
    return [word.en for word in fields[name].options]
