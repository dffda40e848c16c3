"""Three tokens on paper: a missing weight, an output, and two outputs of causal attention."""

import numpy as np

from attnlib.exercises.declared import declared, form, right
from attnlib.exercises.fields import row, shares

# The numbers of the chapter: n = 3 tokens, d_v = 2.
A = np.array([[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.5, 0.4]])
V = np.array([[4.0, 1.0], [0.0, 6.0], [-2.0, -4.0]])


def _causal(i):
    seen = A[i, : i + 1]
    return seen @ V[: i + 1] / seen.sum()


EXERCISE = declared(
    [
        shares("missing weight | 缺少的权重"),
        row("z_2", 2),
        row("causal z_1 | 因果情形下的 z_1", 2),
        row("causal z_2 | 因果情形下的 z_2", 2),
    ],
    form(
        "gives one number and three pairs | 给出一个数和三个数对",
        "Keep the names of the cell as they were; a weight is one number, an output has two. Fill "
        "in numbers, without quotes. | "
        "请保留单元格原来的名称；权重是一个数，输出是两个数。只填入数字，不加引号。",
    ),
    right("missing weight", "missing weight", A[1, 2]).told(
        "the weights of token 2 are shares of one whole | 第 2 个 Token 的权重是份额",
        "Which three numbers of the table belong together: a row or a column? And what must they "
        "add up to? | 表中哪三个数属于一组：同一行，还是同一列？它们的和应当是多少？",
    ),
    right("output", "z_2", A[1] @ V).told(
        "z_2 is the weighted sum of the values | z_2 是 Value 的加权和",
        "Multiply each value by the weight that token 2 gives to it, and add up the first numbers "
        "and the second numbers separately. All three values take part. | "
        "把每个 Value 乘以第 2 个 Token 给它的权重，再分别对第一个数和第二个数求和。"
        "三个 Value 都参与计算。",
    ),
    right("first token", "causal z_1", _causal(0)).told(
        "the causal z_1 is right | 因果情形下的 z_1 正确",
        "Which tokens may the first one see? How large is a share that nobody else has a part in? "
        "| 第 1 个 Token 可以看到哪些 Token？如果没有别人参与分配，它的份额有多大？",
    ),
    right("second token", "causal z_2", _causal(1)).told(
        "the causal z_2 is right | 因果情形下的 z_2 正确",
        "Token 2 sees two values. Their weights keep the proportion that they have in the table, "
        "and are shares again: what must you divide them by? | "
        "第 2 个 Token 能看到两个 Value。它们的权重保持表中的比例，并且仍然是份额：应当除以什么？",
    ),
)
