"""Projections on paper: a query, a key, a value, their product, and the shapes that fit."""

import numpy as np

from attnlib.exercises.declared import declared, form, right
from attnlib.exercises.fields import number, row, sizes

# The numbers of the chapter: 2 tokens, d_model = 3, d_k = 2, d_v = 3.
X = np.array([[2.0, 0.0, -1.0], [1.0, 3.0, 1.0]])
W_Q = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 1.0]])
W_K = np.array([[0.0, 1.0], [2.0, 1.0], [-1.0, 4.0]])
W_V = np.array([[1.0, 0.0, 2.0], [-2.0, 1.0, 0.0], [2.0, 1.0, -1.0]])

# Of the second head only shapes are given: W_Q (6, 4) and V (5, 7).
D_MODEL, D_K, D_V = 6, 4, 7


EXERCISE = declared(
    [
        row("q_1", 2),
        row("k_2", 2),
        row("v_2", 3),
        number("match | 匹配度"),
        sizes("shape of W_K | W_K 的形状", 2),
        sizes("shape of W_V | W_V 的形状", 2),
    ],
    form("gives three rows, one number, two shapes | 给出三个行向量、一个数、两个形状"),
    right("query", "q_1", X[0] @ W_Q).told(
        "q_1 is right | q_1 正确",
        "One feature of the query for each column of the first matrix: multiply the row of token "
        "1 and the column number by number, and add up. Mind the signs. | "
        "第一个矩阵的每一列给出 Query 的一个特征：把第 1 个 Token 的行与该列逐项相乘再相加。"
        "注意符号。",
    ),
    right("key", "k_2", X[1] @ W_K).told(
        "k_2 is right | k_2 正确",
        "Which token is asked for here, and which of the three matrices makes keys? | "
        "这里问的是哪个 Token？三个矩阵中哪一个产生 Key？",
    ),
    right("value", "v_2", X[1] @ W_V).told(
        "v_2 is right | v_2 正确",
        "The same token again, with the third matrix; it has three columns. | "
        "仍是同一个 Token，换成第三个矩阵；它有三列。",
    ),
    right("match", "match", X[0] @ W_Q @ W_K.T @ X[1]).told(
        "query and key meet in one number | Query 与 Key 相遇得到一个数",
        "Feature by feature, multiply your q_1 and your k_2, then add up. | "
        "把你算出的 q_1 与 k_2 逐个特征相乘，再相加。",
    ),
    right("shape of W_K", "shape of W_K", (D_MODEL, D_K)).told(
        "the shape of W_K fits | W_K 的形状合适",
        "It takes the same input as the given matrix, and its result meets the query feature by "
        "feature. | 它与已知矩阵接收同样的输入，结果要与 Query 逐个特征相遇。",
    ),
    right("shape of W_V", "shape of W_V", (D_MODEL, D_V)).told(
        "the shape of W_V fits | W_V 的形状合适",
        "A row of the input goes in, a row of the values comes out. How long is each? | "
        "输入的一行进去，Value 的一行出来。它们各有多长？",
    ),
)
