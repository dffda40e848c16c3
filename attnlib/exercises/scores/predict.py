"""Which part of S six changes touch: predicted first, then computed."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.declared import form
from attnlib.exercises.fields import choice
from attnlib.exercises.predictions import predictions

WORDS = ("one row | 一行", "one column | 一列", "all | 全部", "nothing | 都不变")
KEPT = (
    "row 2 and column 2 | 第 2 行与第 2 列",
    "all but row 2 and column 2 | 除第 2 行与第 2 列以外的全部",
)


def _start():
    rng = np.random.default_rng(36)
    return rng.standard_normal((4, 5)), *rng.standard_normal((2, 5, 3)), rng.standard_normal((5, 2))


def _scores(X, W_Q, W_K, W_V):
    return scores(X @ W_Q, X @ W_K)


def _with_row(M, i):
    return np.vstack([M[:i], M[i : i + 1] + 1, M[i + 1 :]])


def _after(change):
    X, W_Q, W_K, W_V = _start()
    return {
        "a": lambda: scores(_with_row(X @ W_Q, 1), X @ W_K),
        "b": lambda: scores(X @ W_Q, _with_row(X @ W_K, 1)),
        "c": lambda: _scores(_with_row(X, 1), W_Q, W_K, W_V),
        "d": lambda: _scores(X, W_Q, W_K, W_V + 1),
        "e": lambda: _scores(X, 2 * W_Q, W_K / 2, W_V),
        "f": lambda: _scores(X, 2 * W_Q, W_K, W_V),
    }[change]()


def outcome(change):
    """Return which part of S a change touches (for "c": which stays): computed, not looked up."""
    touched = ~np.isclose(_after(change), _scores(*_start()))
    if not touched.any():
        return "nothing"
    if touched.all():
        return "all"
    row, column = np.zeros((2, *touched.shape), dtype=bool)
    row[1], column[:, 1] = True, True
    names = {"one row": row, "one column": column, "all but row 2 and column 2": row | column}
    return next(name for name, part in names.items() if np.array_equal(part, touched))


EXERCISE = predictions(
    outcome,
    {
        "one query is replaced | 替换一个 Query": (
            "In which entries of S does this query occur? | 这个 Query 出现在 S 的哪些元素中？"
        ),
        "one key is replaced | 替换一个 Key": (
            "In which entries of S does this key occur? | 这个 Key 出现在 S 的哪些元素中？"
        ),
        "one token is replaced | 替换一个 Token": (
            "A token asks, and it is asked. What stays was asked for, not what changes. | "
            "一个 Token 既提问，也被询问。注意问的是不变的部分，而不是变化的部分。"
        ),
        "W_V is replaced | 替换 W_V": (
            "Write down what a score is made of. | 写出分数是由什么算出来的。"
        ),
        "W_Q doubled, W_K halved | W_Q 加倍，W_K 减半": (
            "Take both factors out of the product of the two matrices. | "
            "把两个因子都从矩阵乘积中提出来。"
        ),
        "W_Q doubled | W_Q 加倍": "How many of the queries change? | 有多少个 Query 会改变？",
    },
    lambda change: choice(change, *(KEPT if change == "c" else WORDS)),
    form(
        "one of the given answers for each of a to f | a 到 f 各填给出的答案之一",
        "Write the answers exactly as in the exercise, in quotes; (c) has two of its own. | "
        "请照练习中的原文填写并加引号；(c) 有它自己的两个答案。",
    ),
)
