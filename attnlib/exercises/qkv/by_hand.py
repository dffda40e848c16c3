"""Projections on paper: a query, a key, a value, their product, and the shapes that fit."""

import numpy as np

from attnlib.exercises.answers import record
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.on_paper import form, is_right
from attnlib.exercises.text import Text

# The numbers of the chapter: 2 tokens, d_model = 3, d_k = 2, d_v = 3.
X = np.array([[2.0, 0.0, -1.0], [1.0, 3.0, 1.0]])
W_Q = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 1.0]])
W_K = np.array([[0.0, 1.0], [2.0, 1.0], [-1.0, 4.0]])
W_V = np.array([[1.0, 0.0, 2.0], [-2.0, 1.0, 0.0], [2.0, 1.0, -1.0]])

# Of the second head only shapes are given: W_Q (6, 4) and V (5, 7).
D_MODEL, D_K, D_V = 6, 4, 7

SHAPES = {
    "q_1": (2,),
    "k_2": (2,),
    "v_2": (3,),
    "match": (),
    "shape of W_K": (2,),
    "shape of W_V": (2,),
}


EXERCISE = Exercise(
    (
        form(
            Text("gives three rows, one number, two shapes", "给出三个行向量、一个数、两个形状"),
        ),
        Property(
            "query",
            Text("q_1 is right", "q_1 正确"),
            Text(
                "One feature of the query for each column of the first matrix: multiply the row of "
                "token 1 and the column number by number, and add up. Mind the signs.",
                "第一个矩阵的每一列给出 Query 的一个特征："
                "把第 1 个 Token 的行与该列逐项相乘再相加。注意符号。",
            ),
            is_right("q_1", X[0] @ W_Q),
        ),
        Property(
            "key",
            Text("k_2 is right", "k_2 正确"),
            Text(
                "Which token is asked for here, and which of the three matrices makes keys?",
                "这里问的是哪个 Token？三个矩阵中哪一个产生 Key？",
            ),
            is_right("k_2", X[1] @ W_K),
        ),
        Property(
            "value",
            Text("v_2 is right", "v_2 正确"),
            Text(
                "The same token again, with the third matrix; it has three columns.",
                "仍是同一个 Token，换成第三个矩阵；它有三列。",
            ),
            is_right("v_2", X[1] @ W_V),
        ),
        Property(
            "match",
            Text("query and key meet in one number", "Query 与 Key 相遇得到一个数"),
            Text(
                "Feature by feature, multiply your q_1 and your k_2, then add up.",
                "把你算出的 q_1 与 k_2 逐个特征相乘，再相加。",
            ),
            is_right("match", X[0] @ W_Q @ W_K.T @ X[1]),
        ),
        Property(
            "shape of W_K",
            Text("the shape of W_K fits", "W_K 的形状合适"),
            Text(
                "It takes the same input as the given matrix, and its result meets the query "
                "feature by feature.",
                "它与已知矩阵接收同样的输入，结果要与 Query 逐个特征相遇。",
            ),
            is_right("shape of W_K", (D_MODEL, D_K)),
        ),
        Property(
            "shape of W_V",
            Text("the shape of W_V fits", "W_V 的形状合适"),
            Text(
                "A row of the input goes in, a row of the values comes out. How long is each?",
                "输入的一行进去，Value 的一行出来。它们各有多长？",
            ),
            is_right("shape of W_V", (D_MODEL, D_V)),
        ),
    ),
    record(SHAPES),
)
