"""The variance of a score whose features have means and deviations of their own."""

import numpy as np

from attnlib.exercises.answers import close, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _variance_is(f, mean_q, std_q, mean_k, std_k):
    inputs = [np.asarray(v, dtype=float) for v in (mean_q, std_q, mean_k, std_k)]
    mean_q, std_q, mean_k, std_k = inputs
    terms = (std_q * std_k) ** 2 + (std_q * mean_k) ** 2 + (std_k * mean_q) ** 2
    return close(f(*inputs), terms.sum())


NONE, ONE = np.zeros(3), np.ones(3)

EXERCISE = Exercise(
    (
        Property(
            "form",
            Text("gives one number", "得到一个数"),
            Text(
                "The inputs hold one entry for each feature; the score is one sum over features, "
                "so its variance is one number.",
                "输入中每个特征占一项；分数是对特征求和，所以它的方差是一个数。",
            ),
            lambda f: f(NONE, ONE, NONE, ONE) is not None,
        ),
        Property(
            "standard",
            Text("standard features give the number of features", "标准化的特征得到特征个数"),
            Text(
                "Try means 0 and deviations 1: you know this variance from the first proof.",
                "试试均值为 0、标准差为 1 的情形：第一个证明已给出这个方差。",
            ),
            lambda f: (
                _variance_is(f, NONE, ONE, NONE, ONE)
                and _variance_is(f, np.zeros(7), np.ones(7), np.zeros(7), np.ones(7))
            ),
        ),
        Property(
            "deviations",
            Text("deviations other than 1 are right, all means 0", "均值为 0 时，任意标准差都正确"),
            Text(
                "Doubling a feature doubles its product. What does that do to a variance? And each "
                "feature meets only its own partner.",
                "某个特征加倍，它的乘积也加倍。方差会怎样变化？另外，每个特征只与自己的对应特征相乘。",
            ),
            lambda f: _variance_is(f, NONE, [2, 0.5, 1], NONE, [3, 1, 4]),
        ),
        Property(
            "key means",
            Text("means of the key are counted", "计入了 Key 的均值"),
            Text(
                "Give only the key a mean: the product is then that mean times the query's noise, "
                "plus what was there before. Negative means count as much as positive ones.",
                "只让 Key 有均值：此时乘积等于该均值乘以 Query 的波动，再加上原来的部分。"
                "负均值与正均值的作用相同。",
            ),
            lambda f: _variance_is(f, NONE, [2, 0.5, 1], [1, -3, 0.5], [3, 1, 4]),
        ),
        Property(
            "query means",
            Text("means of the query are counted", "计入了 Query 的均值"),
            Text(
                "Query and key play the same part in a product. Exchange them: does your result "
                "stay the same?",
                "在乘积中，Query 与 Key 的地位相同。将二者互换：结果是否不变？",
            ),
            lambda f: _variance_is(f, [1, -3, 0.5], [2, 0.5, 1], NONE, [3, 1, 4]),
        ),
        Property(
            "constants",
            Text("what does not vary has no variance", "不变的量没有方差"),
            Text(
                "Let all deviations be 0: every score is then the same number. A second moment is "
                "not yet a variance.",
                "令所有标准差为 0：此时每个分数都是同一个数。二阶矩还不是方差。",
            ),
            lambda f: (
                _variance_is(f, [1, -3, 0.5], NONE, [2, 2, -1], NONE)
                and _variance_is(f, [1, -3, 0.5], [2, 0.5, 1], [2, 2, -1], [3, 1, 4])
            ),
        ),
    ),
    shaped(lambda *inputs: ()),
)
