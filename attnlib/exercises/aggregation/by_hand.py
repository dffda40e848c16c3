"""Shares on paper: one output, one entry, and what a value's change does to an entry."""

import numpy as np

from attnlib.exercises.declared import declared, form, right
from attnlib.exercises.fields import number, row

# The numbers of the chapter: 2 queries, 3 keys, d_v = 2.
A = np.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3]])
V = np.array([[10.0, 2.0], [0.0, 4.0], [-20.0, 6.0]])
RISE = 5


EXERCISE = declared(
    [row("z_1", 2), number("Z_22"), number("change of Z_21 | Z_21 的变化量")],
    form(
        "gives one pair and two numbers | 给出一个数对和两个数",
        "Keep the names of the cell as they were; an output has two features. Fill in numbers, "
        "without quotes. | 请保留单元格原来的名称；输出有两个特征。只填入数字，不加引号。",
    ),
    right("output", "z_1", A[0] @ V).told(
        "z_1 is the mixture of all three values | z_1 是三个 Value 的加权和",
        "Take the weights of token 1 only. Multiply each value by its weight, mind the sign, and "
        "add up each feature by itself. | "
        "只用第 1 个 Token 的权重。把每个 Value 乘以对应的权重，注意符号，每个特征分别求和。",
    ),
    right("entry", "Z_22", A[1] @ V[:, 1]).told(
        "Z_22 is the entry of token 2, feature 2 | Z_22 是第 2 个 Token、特征 2 的元素",
        "The first index chooses the row of weights, the second the row of the table with that "
        "feature. | 第一个下标选定权重所在的行，第二个下标选定特征所在的行。",
    ),
    right("change", "change of Z_21", A[1, 1] * RISE).told(
        "the change of Z_21 is right | Z_21 的变化量正确",
        "The change is asked for, not the new value. Which share does token 2 take from v_2? | "
        "问的是变化量，而不是新的数值。第 2 个 Token 从 v_2 取多大的份额？",
    ),
)
