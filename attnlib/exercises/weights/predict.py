"""What six changes do to a row of weights: predicted first, then computed."""

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.predictions import predictions

WORDS = ("same | 不变", "sharper | 变尖", "flatter | 变平", "reversed | 颠倒")
ROW = np.array([0.4, -1.1, 2.0, 0.9])
CHANGES = {
    "a": lambda s: softmax(s + 5),
    "b": lambda s: softmax(2 * s),
    "c": lambda s: softmax(s / 10),
    "d": lambda s: softmax(-s),
    "e": lambda s: 2**s / (2**s).sum(),
    "f": lambda s: softmax(softmax(s)),
}


def outcome(change):
    """Return what a change does to the weights of a row: computed, not looked up."""
    before, after = softmax(ROW), CHANGES[change](ROW)
    if np.allclose(before, after):
        return "same"
    if after.argmin() == before.argmax():
        return "reversed"
    return "sharper" if after.max() > before.max() else "flatter"


EXERCISE = predictions(
    outcome,
    {
        "the same number is added to every score | 每个分数加上同一个数": (
            "Write out one weight. Which factor stands above and below the fraction? | "
            "写出一个权重。分子和分母中有哪个相同的因子？"
        ),
        "every score is doubled | 每个分数加倍": (
            "What happens to the difference of two scores, and so to the ratio of two weights? | "
            "两个分数之差如何变化？两个权重之比又如何变化？"
        ),
        "every score is divided by 10 | 每个分数除以 10": (
            "What would the row be if all scores were equal? Is it closer to that now? | "
            "如果所有分数都相等，这一行会是什么样？现在是否更接近它？"
        ),
        "every score changes its sign | 每个分数变号": (
            "Which key had the largest score, and which has it now? | "
            "原来哪个 Key 的分数最大？现在又是哪个？"
        ),
        "powers of 2 instead of e | 用 2 的幂代替 e 的幂": (
            "Write a power of 2 as a power of e. What has happened to the scores? | "
            "把 2 的幂写成 e 的幂。分数发生了什么变化？"
        ),
        "softmax once more | 再做一次 Softmax": (
            "Taken as scores, how far apart can two shares be? | "
            "把份额当作分数，两个份额最多相差多少？"
        ),
    },
    WORDS,
)
