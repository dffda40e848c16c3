"""Two heads on paper: one token's way from the heads' weights to the residual."""

import numpy as np

from attnlib.exercises.declared import Rule, declared, form, right
from attnlib.exercises.fields import row

# The numbers of the chapter: H = 2 heads of width 2, 3 positions, d_model = 3.
WEIGHTS = np.array([[0.5, 0.5, 0], [0, 0.25, 0.75]])
VALUES = np.array([[[2, 0], [0, 4], [6, 6]], [[1, 1], [4, 0], [0, 4]]])
W_O = np.array([[1, 0, 2], [0, 1, 0], [2, 0, 0], [0, -1, 1]])
X = np.array([1, 0, -1])

Z = np.einsum("hj,hjr->hr", WEIGHTS, VALUES)
SHARES = np.einsum("hr,hrm->hm", Z, W_O.reshape(2, 2, 3))


EXERCISE = declared(
    [
        row("c", 4),
        row("share of head 1 | 头 1 的份额", 3),
        row("share of head 2 | 头 2 的份额", 3),
        row("o", 3),
        row("y", 3),
    ],
    form(
        "gives one row of four numbers and four rows of three | 给出一行四个数和四行三个数",
        "Keep the names of the cell as they were. Two heads of width 2 stand side by side in c; "
        "all else has the width of the model. Fill in numbers, without quotes. | "
        "请保留单元格原来的名称。c 中并排放着两个宽为 2 的头；其余各行的宽度都是 d_model。"
        "只填入数字，不加引号。",
    ),
    Rule("heads", "multiset", "c", Z.ravel()).told(
        "c holds what each head mixes with its own weights | c 中是每个头用自己的权重得到的和",
        "Each head has a row of weights and values of its own. Which numbers are in c, whatever "
        "their order? | 每个头都有自己的一行权重和自己的 Value。先不管顺序，c 中有哪几个数？",
    ),
    right("order", "c", Z.ravel()).told(
        "in c the heads stand one after the other | c 中各个头依次排列",
        "Concatenation keeps the features of one head together, and the heads in their order. | "
        "拼接时，同一个头的特征放在一起，各个头按次序排列。",
    ),
    right("share 1", "share of head 1", SHARES[0]).told(
        "the share of head 1 is right | 头 1 的份额正确",
        "Which places of c belong to head 1, and which rows of the output projection do they "
        "meet? | c 的哪些位置属于头 1？它们与输出投影的哪些行相乘？",
    ),
    right("share 2", "share of head 2", SHARES[1]).told(
        "the share of head 2 is right | 头 2 的份额正确",
        "Head 2 comes after head 1, in c as in the rows of the output projection. Mind the sign. "
        "| 无论在 c 中还是在输出投影的行中，头 2 都排在头 1 之后。注意符号。",
    ),
    right("output", "o", SHARES.sum(axis=0)).told(
        "o is what the shares make together | o 由各个头的份额合成",
        "A product of a row and a matrix is a sum over the rows of the matrix. In which way do "
        "its two halves join? | 一行与一个矩阵的乘积，是对矩阵各行求和。两半怎样合在一起？",
    ),
    right("residual", "y", X + SHARES.sum(axis=0)).told(
        "y is the residual | y 是残差连接的结果",
        "The token itself has not taken part so far. Where does it come in? | "
        "到目前为止，这个 Token 自身的输入还没有参与。它在哪里加入？",
    ),
)
