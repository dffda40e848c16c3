"""Three tokens on paper: masked before softmax, and too late."""

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.declared import Rule, declared, form, right
from attnlib.exercises.fields import row, shares
from attnlib.masks import causal_mask

# The numbers of the chapter: the exponentials of the scaled scores, and the values.
E = np.array([[2.0, 5.0, 3.0], [1.0, 3.0, 4.0], [2.0, 4.0, 2.0]])
V = np.array([[8.0, 0.0], [0.0, 4.0], [4.0, -4.0]])
CHANGED = 12.0  # the exponential of token 2 for token 3, after token 3 has been replaced
TOLERANCE = 0.003  # for two or three decimals


def _weights():
    return softmax(np.where(causal_mask(3), np.log(E), -np.inf))


def _late(exponentials):
    A = np.where(causal_mask(3), exponentials / exponentials.sum(axis=-1, keepdims=True), 0)
    return (A @ V)[1]


def _replaced():
    exponentials = E.copy()
    exponentials[1, 2] = CHANGED
    return exponentials


EXERCISE = declared(
    [
        shares("weights of token 2 | 第 2 个 Token 的权重", 3),
        row("z_1", 2),
        row("z_2", 2),
        row("z_2 masked too late | 掩码太迟时的 z_2", 2),
        row("z_2 masked too late, token 3 replaced | 掩码太迟，且替换第 3 个 Token 后的 z_2", 2),
    ],
    form("gives three weights and four outputs of two features | 给出三个权重和四个二维输出"),
    Rule("later", "signs", "weights of token 2", (1, 1, 0)).told(
        "token 2 gives token 3 no weight | 第 2 个 Token 不给第 3 个 Token 任何权重",
        "Read row 2 of the triangle: which columns may a query at position 2 look at? | "
        "看三角形的第二行：位置 2 的 Query 可以看哪些列？",
    ),
    Rule("sum", "sum", "weights of token 2", 1, 2 * TOLERANCE).told(
        "the weights of token 2 sum to 1 | 第 2 个 Token 的权重之和为 1",
        "The mask acts before softmax, so a forbidden position is missing from the sum below the "
        "fraction line as well. | "
        "掩码在 Softmax 之前起作用，所以被禁止的位置也不出现在分母的求和中。",
    ),
    right("weights", "weights of token 2", _weights()[1], TOLERANCE).told(
        "they stand in the proportion of the exponentials | 权重之比等于指数值之比",
        "Row 2 of the table belongs to token 2, its columns to the keys. The table holds "
        "exponentials already: do not take them again. | "
        "表的第二行属于第 2 个 Token，各列属于各个 Key。表中已经是指数值，不要再取一次指数。",
    ),
    right("first", "z_1", (_weights() @ V)[0], TOLERANCE).told(
        "z_1 is right | z_1 正确",
        "How many positions may token 1 look at, and what is a weight that has to be shared with "
        "nobody? | 第 1 个 Token 可以看几个位置？不必与任何人分享的权重是多少？",
    ),
    right("second", "z_2", (_weights() @ V)[1], TOLERANCE).told(
        "z_2 is right | z_2 正确",
        "Multiply each visible value by its weight and add, feature by feature. | "
        "把每个可见的 Value 乘以它的权重，再逐个特征相加。",
    ),
    right("too late", "z_2 masked too late", _late(E), TOLERANCE).told(
        "z_2 with the mask after softmax is right | 掩码在 Softmax 之后时，z_2 正确",
        "Now softmax runs first, over all three keys. Only then is a weight set to 0, and nothing "
        "else is touched. | 这时先对三个 Key 全部做 Softmax，然后才把一个权重设为零，其余都不动。",
    ),
    right("leak", "z_2 masked too late, token 3 replaced", _late(_replaced()), TOLERANCE).told(
        "and so it is after token 3 was replaced | 替换第 3 个 Token 之后，也正确",
        "One exponential of row 2 has changed. Does it still stand somewhere in the weights that "
        "are left? | 第二行有一个指数值变了。在剩下的权重里，它是否仍出现在某处？",
    ),
)
