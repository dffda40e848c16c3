"""Scores on paper: a row, a column, and the feature that decides."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.answers import positions, record
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.on_paper import form, is_right
from attnlib.exercises.text import Text

# The numbers of the chapter: 2 queries, 3 keys, d_k = 4.
Q = np.array([[1.0, 0.0, -2.0, 3.0], [0.0, 2.0, 1.0, -1.0]])
K = np.array([[2.0, 5.0, 1.0, 0.0], [1.0, 1.0, 0.0, 2.0], [-1.0, 0.0, 3.0, -2.0]])


def _decide(features):
    """Whether one or more features are named, all of them among those that tie."""
    terms = np.abs(Q[0] * K[2])
    return bool(features) and features <= set(np.flatnonzero(terms == terms.max()) + 1)


EXERCISE = Exercise(
    (
        form(
            Text("gives three scores, two scores, one feature", "给出三个分数、两个分数、一个特征"),
        ),
        Property(
            "row",
            Text("the row of q_1 is right", "q_1 所在的行正确"),
            Text(
                "Multiply feature by feature and add up, one key after the other. Mind the signs, "
                "and the feature where the query is 0.",
                "逐个特征相乘再相加，一个 Key 接一个 Key。注意符号，以及 Query 为 0 的特征。",
            ),
            is_right("row of q_1", scores(Q, K)[0]),
        ),
        Property(
            "column",
            Text("the column of k_2 is right", "k_2 所在的列正确"),
            Text(
                "A column belongs to one key. Whose scores for that key stand in it, and in which "
                "order?",
                "一列属于一个 Key。列中是谁对这个 Key 的分数？按什么顺序排列？",
            ),
            is_right("column of k_2", scores(Q, K)[:, 1]),
        ),
        Property(
            "feature",
            Text("the feature contributes most", "该特征的贡献最大"),
            Text(
                "Write down the four products of that score, without adding them up, and compare "
                "their sizes. Features count from 1.",
                "写出该分数的四个乘积，先不相加，比较它们的绝对值。特征从 1 开始编号。",
            ),
            lambda f: _decide(f()["feature"]),
        ),
    ),
    record({"row of q_1": (3,), "column of k_2": (2,), "feature": positions(Q.shape[1])}),
)
