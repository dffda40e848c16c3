"""Projections under which two unlike tokens match."""

from attnlib.attention import scores
from attnlib.exercises.answers import all_shaped, close
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _scores(f):
    return scores(*f())  # the inputs are the rows of the identity


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives two matrices of shape (3, 2)", "给出两个形状为 (3, 2) 的矩阵"),
            Text(
                "Three inputs go in, two features come out: three rows, two columns, for both.",
                "输入有三个数，输出有两个特征：两个矩阵都是三行两列。",
            ),
            lambda f: f() is not None,
        ),
        Property(
            "match",
            Text("token 1 scores token 3 with 4", "第 1 个 Token 对第 3 个 Token 的分数是 4"),
            Text(
                "The query of token 1 is row 1 of the first matrix, the key of token 3 is row 3 of "
                "the second one. What must their dot product be?",
                "第 1 个 Token 的 Query 是第一个矩阵的第 1 行，"
                "第 3 个 Token 的 Key 是第二个矩阵的第 3 行。它们的点积应是多少？",
            ),
            lambda f: close(_scores(f)[0, 2], 4),
        ),
        Property(
            "no other",
            Text("token 1 scores tokens 1 and 2 with 0", "第 1 个 Token 对第 1、2 个的分数是 0"),
            Text(
                "The products of the query with the key of token 1 must add up to 0, and so those "
                "with the key of token 2: each product 0 by itself, or products that cancel.",
                "该 Query 与第 1 个 Token 的 Key 逐项相乘，各积之和应为 0，第 2 个 Token 也一样："
                "可以每一项都是 0，也可以正负相消。",
            ),
            lambda f: close(_scores(f)[0, :2], (0, 0)),
        ),
        Property(
            "not back",
            Text("token 3 scores token 1 with 0", "第 3 个 Token 对第 1 个 Token 的分数是 0"),
            Text(
                "Looking for and being looked for are different things: now it is about the query "
                "of token 3 and the key of token 1.",
                "寻找与被寻找是两回事：这里看的是第 3 个 Token 的 Query 与第 1 个 Token 的 Key。",
            ),
            lambda f: close(_scores(f)[2, 0], 0),
        ),
    ),
    all_shaped(lambda: (3, 2), lambda: (3, 2)),
)
