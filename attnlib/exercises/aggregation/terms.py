"""The terms of one entry of Z, in code."""

import numpy as np

from attnlib.attention import attend
from attnlib.exercises.answers import close, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _weights_and_values():
    rng = np.random.default_rng(61)
    Q, K, V = rng.standard_normal((5, 3)), rng.standard_normal((4, 3)), rng.standard_normal((4, 6))
    return attend(Q, K, V).A, V


def _all_terms(f):
    A, V = _weights_and_values()
    return A, V, {(i, r): f(A, V, i, r) for i in range(3) for r in range(3)}


def _add_up(f):
    A, V, terms = _all_terms(f)
    return all(close(term.sum(), (A @ V)[entry]) for entry, term in terms.items())


def _each_in_its_place(f):
    A, V, terms = _all_terms(f)
    return all(close(term, A[i] * V[:, r]) for (i, r), term in terms.items())


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives one term for each position that gives", "每个提供信息的位置各有一项"),
            Text(
                "With 5 queries, 4 keys and 6 features there must be 4 terms. Which index runs?",
                "有 5 个 Query、4 个 Key、6 个特征时，应有 4 项。哪一个下标在变化？",
            ),
            lambda f: _all_terms(f) is not None,
        ),
        Property(
            "sum",
            Text("the terms add up to the entry (i, r) of Z", "各项之和等于 Z 的元素 (i, r)"),
            Text(
                "Token i receives, feature r is looked at. Check which axis of A belongs to i and "
                "which axis of V belongs to r.",
                "接收信息的是第 i 个 Token，所看的是特征 r。"
                "请检查 A 的哪个轴对应 i，V 的哪个轴对应 r。",
            ),
            _add_up,
        ),
        Property(
            "order",
            Text("each term stands in the place of its position j", "每一项都在自己的位置 j 上"),
            Text(
                "The sum is right, the single terms are not: term j belongs to position j alone.",
                "和是对的，但各项不对：第 j 项只与位置 j 有关。",
            ),
            _each_in_its_place,
        ),
    ),
    shaped(lambda A, V, i, r: V.shape[:1]),
)
