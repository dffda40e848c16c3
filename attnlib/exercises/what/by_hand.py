"""Three tokens on paper: a missing weight, an output, and two outputs of causal attention."""

import numpy as np

from attnlib.exercises.answers import record
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.on_paper import form, is_right
from attnlib.exercises.text import Text

# The numbers of the chapter: n = 3 tokens, d_v = 2.
A = np.array([[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.5, 0.4]])
V = np.array([[4.0, 1.0], [0.0, 6.0], [-2.0, -4.0]])
SHAPES = {"missing weight": (), "z_2": (2,), "causal z_1": (2,), "causal z_2": (2,)}


def _causal(i):
    seen = A[i, : i + 1]
    return seen @ V[: i + 1] / seen.sum()


EXERCISE = Exercise(
    (
        form(
            Text("gives one number and three pairs", "给出一个数和三个数对"),
            Text(
                "Keep the names of the cell as they were; a weight is one number, an output has "
                "two. Fill in numbers, without quotes.",
                "请保留单元格原来的名称；权重是一个数，输出是两个数。只填入数字，不加引号。",
            ),
        ),
        Property(
            "missing weight",
            Text("the weights of token 2 are shares of one whole", "第 2 个 Token 的权重是份额"),
            Text(
                "Which three numbers of the table belong together: a row or a column? And what "
                "must they add up to?",
                "表中哪三个数属于一组：同一行，还是同一列？它们的和应当是多少？",
            ),
            is_right("missing weight", A[1, 2]),
        ),
        Property(
            "output",
            Text("z_2 is the weighted sum of the values", "z_2 是 Value 的加权和"),
            Text(
                "Multiply each value by the weight that token 2 gives to it, and add up the first "
                "numbers and the second numbers separately. All three values take part.",
                "把每个 Value 乘以第 2 个 Token 给它的权重，再分别对第一个数和第二个数求和。"
                "三个 Value 都参与计算。",
            ),
            is_right("z_2", A[1] @ V),
        ),
        Property(
            "first token",
            Text("the causal z_1 is right", "因果情形下的 z_1 正确"),
            Text(
                "Which tokens may the first one see? How large is a share that nobody else has a "
                "part in?",
                "第 1 个 Token 可以看到哪些 Token？如果没有别人参与分配，它的份额有多大？",
            ),
            is_right("causal z_1", _causal(0)),
        ),
        Property(
            "second token",
            Text("the causal z_2 is right", "因果情形下的 z_2 正确"),
            Text(
                "Token 2 sees two values. Their weights keep the proportion that they have in the "
                "table, and are shares again: what must you divide them by?",
                "第 2 个 Token 能看到两个 Value。"
                "它们的权重保持表中的比例，并且仍然是份额：应当除以什么？",
            ),
            is_right("causal z_2", _causal(1)),
        ),
    ),
    record(SHAPES),
)
