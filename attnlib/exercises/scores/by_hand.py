"""Scores on paper: a row, a column, and the feature that decides."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.declared import Rule, declared, form, right
from attnlib.exercises.fields import positions, row

# The numbers of the chapter: 2 queries, 3 keys, d_k = 4.
Q = np.array([[1.0, 0.0, -2.0, 3.0], [0.0, 2.0, 1.0, -1.0]])
K = np.array([[2.0, 5.0, 1.0, 0.0], [1.0, 1.0, 0.0, 2.0], [-1.0, 0.0, 3.0, -2.0]])


def _largest():
    """The features that contribute most to the score of q_1 for k_3, counted from 1: two tie."""
    terms = np.abs(Q[0] * K[2])
    return {int(feature) + 1 for feature in np.flatnonzero(terms == terms.max())}


EXERCISE = declared(
    [
        row("row of q_1 | q_1 所在的行", 3),
        row("column of k_2 | k_2 所在的列", 2),
        positions("feature | 特征", Q.shape[1]),
    ],
    form("gives three scores, two scores, one feature | 给出三个分数、两个分数、一个特征"),
    right("row", "row of q_1", scores(Q, K)[0]).told(
        "the row of q_1 is right | q_1 所在的行正确",
        "Multiply feature by feature and add up, one key after the other. Mind the signs, and the "
        "feature where the query is 0. | "
        "逐个特征相乘再相加，一个 Key 接一个 Key。注意符号，以及 Query 为 0 的特征。",
    ),
    right("column", "column of k_2", scores(Q, K)[:, 1]).told(
        "the column of k_2 is right | k_2 所在的列正确",
        "A column belongs to one key. Whose scores for that key stand in it, and in which order? "
        "| 一列属于一个 Key。列中是谁对这个 Key 的分数？按什么顺序排列？",
    ),
    Rule("feature", "one of", "feature", _largest()).told(
        "the feature contributes most | 该特征的贡献最大",
        "Write down the four products of that score, without adding them up, and compare their "
        "sizes. Features count from 1. | "
        "写出该分数的四个乘积，先不相加，比较它们的绝对值。特征从 1 开始编号。",
    ),
)
