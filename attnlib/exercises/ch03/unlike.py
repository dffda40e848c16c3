"""Projections under which two unlike tokens match."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.machinery import Exercise, Property, Text


def _projections(f):
    W_Q, W_K = f()
    return np.asarray(W_Q, dtype=float), np.asarray(W_K, dtype=float)


def _scores(f):
    return scores(*_projections(f))  # the inputs are the rows of the identity


UNLIKE = Exercise(
    "scores-unlike",
    (
        Property(
            "shape",
            Text("gives two matrices of shape (3, 2)", "给出两个形状为 (3, 2) 的矩阵"),
            Text(
                "Three inputs go in, two features come out: three rows, two columns, for both.",
                "输入有三个数，输出有两个特征：两个矩阵都是三行两列。",
            ),
            lambda f: [W.shape for W in _projections(f)] == [(3, 2), (3, 2)],
        ),
        Property(
            "match",
            Text("token 1 scores token 3 with 4", "第 1 个 Token 对第 3 个 Token 的分数是 4"),
            Text(
                "The query of token 1 is row 1 of the first matrix, the key of token 3 is row 3 of "
                "the second one. What must their dot product be?",
                "第 1 个 Token 的 Query 是第一个矩阵的第 1 行，"
                "第 3 个 Token 的 Key 是第二个矩阵的第 3 行。它们的点积应是多少？",
            ),
            lambda f: np.isclose(_scores(f)[0, 2], 4),
        ),
        Property(
            "no other",
            Text("token 1 scores tokens 1 and 2 with 0", "第 1 个 Token 对第 1、2 个的分数是 0"),
            Text(
                "The keys of tokens 1 and 2 must have nothing in the feature that the query asks "
                "about.",
                "第 1、2 个 Token 的 Key，在该 Query 所问的特征上应当什么也没有。",
            ),
            lambda f: np.allclose(_scores(f)[0, :2], 0),
        ),
        Property(
            "not back",
            Text("token 3 scores token 1 with 0", "第 3 个 Token 对第 1 个 Token 的分数是 0"),
            Text(
                "Looking for and being looked for are different things: now it is about the query "
                "of token 3 and the key of token 1.",
                "寻找与被寻找是两回事：这里看的是第 3 个 Token 的 Query 与第 1 个 Token 的 Key。",
            ),
            lambda f: np.isclose(_scores(f)[2, 0], 0),
        ),
    ),
)
