"""What six changes do to a row: predicted first, then measured."""

import numpy as np

from attnlib.attention import scores, softmax
from attnlib.exercises.predictions import predictions
from attnlib.tasks.measures import entropy

START = dict(d_k=64, power=0.5, mean_q=0.0, mean_k=0.0, one_feature=False)
CHANGES = {
    "a": {"d_k": 256},
    "b": {"d_k": 256, "power": 0.0},
    "c": {"d_k": 256, "power": 1.0},
    "d": {"mean_k": 3.0},
    "e": {"mean_q": 3.0},
    "f": {"one_feature": True},
}
WORDS = ("sharper | 更集中", "flatter | 更平坦", "same | 相同")


def _typical_entropy(*, d_k, power, mean_q, mean_k, one_feature):
    """Median entropy of 200 rows of 16 weights, the same noise for every setting of the means."""
    rng = np.random.default_rng(7)
    width = 1 if one_feature else d_k
    Q = np.broadcast_to(rng.standard_normal((200, 1, width)), (200, 1, d_k)) + mean_q
    K = np.broadcast_to(rng.standard_normal((200, 16, width)), (200, 16, d_k)) + mean_k
    A = softmax(scores(Q, K) / d_k**power)
    return np.median(entropy(A))


def outcome(change):
    """Return what a change does to a row: measured, not looked up."""
    difference = _typical_entropy(**(START | CHANGES[change])) - _typical_entropy(**START)
    return "same" if abs(difference) < 0.1 else "flatter" if difference > 0 else "sharper"


EXERCISE = predictions(
    outcome,
    {
        "four times the features, divided by the new root | 特征数变为四倍，除以新的平方根": (
            "What is the variance of the scaled scores before, and what is it after? | "
            "缩放后分数的方差，之前是多少，之后又是多少？"
        ),
        "four times the features, no division | 特征数变为四倍，不做除法": (
            "Compare the spread of the scores with the one at the start, where there was a "
            "division. | 把分数的离散程度与开始时（做了除法）相比。"
        ),
        "four times the features, divided by their number | 特征数变为四倍，除以特征个数": (
            "How far apart are two scores of a row when the divisor grows faster than they do? | "
            "当除数比分数增长得更快时，同一行的两个分数相距多远？"
        ),
        "a mean for every key | 所有 Key 加上同一个均值": (
            "Write out q·(k + m). Is the new part different for two keys of one row? | "
            "展开 q·(k + m)。对于同一行的两个 Key，多出来的部分是否不同？"
        ),
        "a mean for every query | 所有 Query 加上同一个均值": (
            "Write out (q + m)·k. Is the new part different for two keys of one row? | "
            "展开 (q + m)·k。对于同一行的两个 Key，多出来的部分是否不同？"
        ),
        "all features of a vector equal | 向量的所有特征都相等": (
            "If all features are the same draw, the products do not average out. What is the "
            "score, written with one feature? | "
            "如果所有特征都是同一次抽取的结果，各乘积就不会相互抵消。只用一个特征，分数怎么写？"
        ),
    },
    WORDS,
)
