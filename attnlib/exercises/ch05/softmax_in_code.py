"""Softmax in code: along the keys, and without overflow."""

import warnings

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.machinery import Exercise, Property, Text


def _scores(seed, *shape):
    return 2 * np.random.default_rng(seed).standard_normal(shape)


def _quietly(f, S):
    """What an answer returns, with any warning of NumPy as a failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(f(S))


def _shape(f):
    return _quietly(f, _scores(51, 4, 6)).shape == (4, 6)


def _shares(f):
    p = _quietly(f, _scores(52, 5))
    return (p > 0).all() and np.isclose(p.sum(), 1)


def _row(f):
    s = _scores(53, 5)
    return np.allclose(_quietly(f, s), softmax(s))


def _rows(f):
    S = _scores(54, 4, 6)
    return np.allclose(_quietly(f, S), softmax(S))


def _large(f):
    S = np.array([[1000.0, 1002.0, 1001.0], [-1001.0, -1000.0, -1003.0]])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        given = np.asarray(f(S))
    return not caught and np.allclose(given, softmax(S))


def _batch(f):
    S = _scores(55, 2, 3, 4, 5)
    return np.allclose(_quietly(f, S), softmax(S))


SOFTMAX = Exercise(
    "weights-softmax",
    (
        Property(
            "shape",
            Text("gives one weight for each score", "每个分数对应一个权重"),
            Text(
                "Four rows of six scores must give four rows of six weights.",
                "四行、每行六个分数，应当得到四行、每行六个权重。",
            ),
            _shape,
        ),
        Property(
            "shares",
            Text("the weights of a single row are shares", "单独一行的权重是份额"),
            Text(
                "They must be positive and sum to 1, also when some scores are negative.",
                "即使有负的分数，权重也应为正数，并且和为 1。",
            ),
            _shares,
        ),
        Property(
            "exponential",
            Text("differences of scores become the right ratios", "分数之差变成正确的比例"),
            Text(
                "One point more of score must be a share 2.718 times as large. What was done to "
                "the scores before they were divided?",
                "分数多 1，份额应为 2.718 倍。做除法之前，对分数做了什么？",
            ),
            _row,
        ),
        Property(
            "rows",
            Text("every row is shared out by itself", "每一行各自归一化"),
            Text(
                "With several rows each must sum to 1. Along which axis do you add up, and does "
                "each total meet its own row again?",
                "有多行时，每一行的和都应为 1。你沿哪个轴求和？每个总和又是否回到了自己的那一行？",
            ),
            _rows,
        ),
        Property(
            "large",
            Text("survives scores in the thousands, of either sign", "能处理上千的分数，正负皆可"),
            Text(
                "Tried with one row around 1000 and one around -1000. What may be added to a row "
                "without changing its weights, and must it be the same for both rows?",
                "这里试了一行约为 1000、一行约为 -1000 的分数。"
                "给一行加上什么不会改变权重？两行加的必须相同吗？",
            ),
            _large,
        ),
        Property(
            "batch",
            Text("works for any number of axes", "对任意多个轴都适用"),
            Text(
                "The keys are the last axis, however many stand before it.",
                "无论前面有多少个轴，Key 总是最后一个轴。",
            ),
            _batch,
        ),
    ),
)
