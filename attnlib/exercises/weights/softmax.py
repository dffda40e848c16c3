"""Softmax in code: along the keys, and without overflow."""

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.answers import close, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _scores(seed, *shape):
    return 2 * np.random.default_rng(seed).standard_normal(shape)


def _is_softmax(f, S):
    return close(f(S), softmax(S))


def _shares(f):
    p = f(_scores(52, 5))
    return (p > 0).all() and close(p.sum(), 1)


# Neither the first, the last, the smallest nor the mean of a row is near its largest score, and the
# largest takes all, so that a float32 loses nothing.
LARGE = np.array([[-2500.0, 2000.0, 1900.0, 0.5], [-3003.0, -1100.0, -1000.0, -4000.0]])


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives one weight for each score", "每个分数对应一个权重"),
            Text(
                "Four rows of six scores must give four rows of six weights.",
                "四行、每行六个分数，应当得到四行、每行六个权重。",
            ),
            lambda f: f(_scores(51, 4, 6)) is not None,
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
                "Of two scores that lie 1 apart, the higher one must get 2.718 times the share of "
                "the lower one. What was done to the scores before they were divided?",
                "两个分数相差 1 时，较高者的份额应是较低者的 2.718 倍。"
                "做除法之前，对分数做了什么？",
            ),
            lambda f: _is_softmax(f, _scores(53, 5)),
        ),
        Property(
            "rows",
            Text("every row is shared out by itself", "每一行各自归一化"),
            Text(
                "With several rows each must sum to 1. Along which axis do you add up, and does "
                "each total meet its own row again?",
                "有多行时，每一行的和都应为 1。你沿哪个轴求和？每个总和又是否回到了自己的那一行？",
            ),
            lambda f: _is_softmax(f, _scores(54, 4, 6)),
        ),
        Property(
            "large",
            Text("survives scores in the thousands, of either sign", "能处理上千的分数，正负皆可"),
            Text(
                "Tried with two rows of scores between -4000 and 2000. What may be added to a row "
                "without changing its weights, must it be the same for both rows, and is there "
                "then still a number far above 0 that goes into the exponential?",
                "这里试了两行分数，都在 -4000 与 2000 之间。给一行加上什么不会改变权重？"
                "两行加的必须相同吗？加上之后，进入指数的数还有远大于 0 的吗？",
            ),
            lambda f: _is_softmax(f, LARGE),
        ),
        Property(
            "batch",
            Text("works for any number of axes", "对任意多个轴都适用"),
            Text(
                "The keys are the last axis, however many stand before it.",
                "无论前面有多少个轴，Key 总是最后一个轴。",
            ),
            lambda f: _is_softmax(f, _scores(55, 2, 3, 4, 5)),
        ),
    ),
    shaped(lambda S: S.shape),
)
