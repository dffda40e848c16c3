"""Who can come first: keys that are mixtures of the others, and a query for one that is not."""

import numpy as np

from attnlib.exercises.declared import Rule, declared, form, right
from attnlib.exercises.fields import choice, positions, row, shares

# Token 5 lies inside the hull of the other keys and token 6 on its border. Token 3 has the largest
# number in no feature and comes first all the same, but neither for (1, 1) nor for its own key.
K = np.array([[6.0, 0.0], [0.0, 4.0], [3.0, 3.0], [0.0, 0.0], [3.0, 1.0], [3.0, 0.0]])
NEVER = {5, 6}
ADDED = "a number added to its score"


def _parts():
    """With which parts k_5 is a mixture of k_1, k_2 and k_4: three equations, one for their sum."""
    corners = np.column_stack([K[[0, 1, 3]], np.ones(3)])
    return np.linalg.solve(corners.T, [*K[4], 1.0])


EXERCISE = declared(
    [
        positions("never first | 从不领先", len(K)),
        shares("parts of k_5 | k_5 的各份", 3),
        row("query for token 3 | 让 Token 3 领先的 Query", K.shape[1]),
        choice(
            "puts token 5 first | 让 Token 5 领先",
            "a longer query | 更长的 Query",
            "all keys doubled | 所有 Key 都乘以 2",
            "one row added to every key | 每个 Key 都加上同一行数",
            f"{ADDED} | 给它的分数加上一个数",
        ),
    ],
    form(
        "gives tokens, three parts, a query, and one of the four changes | "
        "给出若干 Token、三份比例、一个 Query 和四种改动之一",
        "Keep the names and the number of places of the cell as it was; the last answer is one of "
        "the four in the exercise, in quotes. | "
        "请保留单元格原来的名称和空位个数；最后一问填题中四个答案之一，加引号。",
    ),
    right("never", "never first", NEVER).told(
        "just these tokens are never first | 从不领先的正是这些 Token",
        "Put a rubber band around the six points. A token for which it bends comes first for some "
        "query, however short its key; inside, or where the band runs straight, it does not. | "
        "用一根皮筋围住这六个点。皮筋在哪个点转弯，哪个 Token 就会对某个 Query 领先，不论它的 Key "
        "多短；皮筋之内，或皮筋笔直经过之处，则不会。",
    ),
    Rule("sum", "sum", "parts of k_5", 1, 0.02).told(
        "the parts add up to 1 | 三份之和为 1",
        "The parts of a mixture add up to 1. What is left when the first two are found? | "
        "混合的各份之和为 1。求出前两份之后，还剩多少？",
    ),
    right("parts", "parts of k_5", _parts(), 0.01).told(
        "with these parts k_5 is mixed | 按这三份恰好混合出 k_5",
        "Go feature by feature: in each of them only one of the three keys has a number that is "
        "not 0. | 逐个特征来看：在每个特征上，三个 Key 中只有一个不为 0。",
    ),
    Rule("query", "positive", "query for token 3", K[2] - np.delete(K, 2, axis=0)).told(
        "token 3 comes first for this query | Token 3 对这个 Query 领先",
        "Compute its six scores: none of the others may be as large. Token 3 sticks out over the "
        "line from k_1 to k_2; what is at right angles to that line? | "
        "算出它的六个分数：其他分数都必须更小。Token 3 突出在 k_1 与 k_2 的连线之外；"
        "哪个方向与这条连线垂直？",
    ),
    right("after all", "puts token 5 first", ADDED).told(
        "this change could put token 5 first | 这种改动能让 Token 5 领先",
        "After three of the four, k_5 is still the same mixture of the other keys. | "
        "其中三种改动之后，k_5 仍是其他 Key 的同一种混合。",
    ),
)
