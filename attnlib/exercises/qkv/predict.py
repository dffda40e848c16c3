"""Which of Q, K, V, A and Z five changes touch: predicted first, then computed."""

import numpy as np

from attnlib.attention import self_attention
from attnlib.exercises.declared import form
from attnlib.exercises.fields import letters
from attnlib.exercises.predictions import predictions

LETTERS = "QKVAZ"


def _start():
    rng = np.random.default_rng(28)
    shapes = ((5, 4), (4, 3), (4, 3), (4, 2))  # X, W_Q, W_K, W_V
    return [rng.standard_normal(shape) for shape in shapes]


def _after(change):
    X, W_Q, W_K, W_V = _start()
    M = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, -1.0], [1.0, 0.0, 1.0]])
    other = X.copy()
    other[2] += 1
    return {
        "a": (X, W_Q, W_K, W_V + 1),
        "b": (X, W_Q + 1, W_K, W_V),
        "c": (X, W_Q @ M, W_K @ np.linalg.inv(M).T, W_V),
        "d": (other, W_Q, W_K, W_V),
        "e": (X, W_K, W_Q, W_V),
    }[change]


def outcome(change):
    """Return the letters of what a change touches (in "d": of row 1): computed, not looked up."""
    rows = slice(0, 1) if change == "d" else slice(None)
    before, after = self_attention(*_start()), self_attention(*_after(change))
    pairs = {name: (getattr(before, name)[rows], getattr(after, name)[rows]) for name in LETTERS}
    return {name for name, (old, new) in pairs.items() if not np.allclose(old, new)}


EXERCISE = predictions(
    outcome,
    {
        "another W_V | 换一个 W_V": (
            "What is computed from this matrix, and what from that? | "
            "由这个矩阵算出什么？再由它算出什么？"
        ),
        "another W_Q | 换一个 W_Q": (
            "Follow the numbers: what is made from it first, what from that, and what never sees "
            "it? | 顺着计算走：先由它得到什么，再得到什么？哪些量从不用到它？"
        ),
        "W_Q M and the inverse transpose | W_Q M 与逆转置": (
            "Queries and keys are written in other features. What happens to their products? | "
            "Query 与 Key 换了一组特征来表示。它们的乘积会怎样？"
        ),
        "another token 3, seen from token 1 | 换掉第 3 个 Token，从第 1 个 Token 看": (
            "A projection looks at one row. Which of the five look at other rows, too? | "
            "投影只看一行。五个量中，哪些还要看其他行？"
        ),
        "W_Q and W_K exchanged | W_Q 与 W_K 互换": (
            "Who was asked, asks now. Is it the same to be asked and to ask? | "
            "原来被询问的，现在来询问。询问与被询问是一回事吗？"
        ),
    },
    lambda change: letters(change, LETTERS),
    form(
        "letters for each of a to e | a 到 e 各填若干字母",
        "For each of a to e write the letters of what changes, out of the five in the exercise, "
        "in quotes. | 为 a 到 e 各写出会改变的量的字母，从练习给出的五个中选取，并加引号。",
    ),
)
