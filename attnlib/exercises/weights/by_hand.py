"""A row of shares on paper, the same row shifted, and a ratio."""

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.declared import Rule, declared, form, right
from attnlib.exercises.fields import number, shares

ROW = np.array([1.0, 3.0, 2.0, 1.0])  # the numbers of the chapter
TOLERANCE = 0.0015  # for three decimals, from exponentials rounded to four
RATIO_TOLERANCE = 0.06  # for one decimal


EXERCISE = declared(
    [
        shares("weights | 权重", 4),
        shares("weights of the second row | 第二行的权重", 4),
        number("ratio | 比值"),
    ],
    form("gives four weights twice and one number | 给出两组各四个权重和一个数"),
    Rule("sum", "sum", "weights", 1, 3 * TOLERANCE).told(
        "the weights sum to 1 | 权重之和为 1",
        "A weight is a share: divide each exponential by the sum of all four. | "
        "权重是份额：把每个指数值除以四个指数值之和。",
    ),
    right("weights", "weights", softmax(ROW), TOLERANCE).told(
        "the weights are the softmax of the scores | 权重是这些分数的 Softmax",
        "Which number must be taken from all four scores so that only the exponentials that are "
        "given are needed? And keep three decimals. | "
        "四个分数都减去哪个数，才能只用到所给的指数值？另外请保留三位小数。",
    ),
    right("shifted", "weights of the second row", softmax(ROW + 100), TOLERANCE).told(
        "the weights of the second row are right | 第二行的权重正确",
        "Compare the two rows of scores, entry by entry, before you compute anything. | "
        "先不计算，逐项比较两行分数。",
    ),
    right("ratio", "ratio", np.exp(np.ptp(ROW)), RATIO_TOLERANCE).told(
        "the ratio of largest and smallest is right | 最大与最小权重之比正确",
        "The total cancels: only the difference of two scores is left. The largest divided by the "
        "smallest, with one decimal. | "
        "总和会约掉，只剩两个分数之差。用最大的除以最小的，保留一位小数。",
    ),
)
