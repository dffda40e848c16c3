"""All scores in code."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.answers import close, equal, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _inputs(seed, *leading, n_q=5, n_k=3, d_k=4):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((*leading, n_q, d_k)), rng.standard_normal((*leading, n_k, d_k))


def _shape(f):
    return f(*_inputs(31)) is not None


def _own_pair(f):
    """One key changes its column, one query its row, and nothing else changes."""
    Q, K = _inputs(32, n_q=4, n_k=4, d_k=4)
    before, other_K, other_Q = f(Q, K), K.copy(), Q.copy()
    other_K[2] += 1
    other_Q[1] += 1
    column, row = ~equal(f(Q, other_K), before), ~equal(f(other_Q, K), before)
    return (
        column[:, 2].all()
        and not np.delete(column, 2, axis=1).any()
        and row[1].all()
        and not np.delete(row, 1, axis=0).any()
    )


def _dot(f):
    Q, K = _inputs(33)
    return close(f(Q, K), scores(Q, K))


def _batch(f):
    Q, K = _inputs(34, 2)
    return close(f(Q, K), scores(Q, K))


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives one score for each query and key", "每个 Query 与每个 Key 得到一个分数"),
            Text(
                "Five queries and three keys must give five rows of three scores. Which index is "
                "summed, and where does it stand in each matrix?",
                "五个 Query 和三个 Key 应当得到五行，每行三个分数。"
                "求和的是哪个下标？它在两个矩阵中各处于什么位置？",
            ),
            _shape,
        ),
        Property(
            "columns",
            Text(
                "row i belongs to query i, column j to key j",
                "第 i 行属于第 i 个 Query，第 j 列属于第 j 个 Key",
            ),
            Text(
                "One key was changed, and something else than its column changed with it, or its "
                "column did not; or one query, and it was not its row. Tried with as many "
                "features as tokens, where a missing transpose does not show in the shape.",
                "只改变了一个 Key，变化的却不只是它那一列，或者那一列没有变化；"
                "或者只改变了一个 Query，变化的不是它那一行。"
                "这里的特征个数与 Token 个数相同，漏掉转置时形状上看不出来。",
            ),
            _own_pair,
        ),
        Property(
            "products",
            Text("a score is the plain dot product", "分数就是点积本身"),
            Text(
                "Neither scaled nor normalised, and no softmax yet: the products, added up.",
                "不缩放，不归一化，也还没有 Softmax：只是乘积之和。",
            ),
            _dot,
        ),
        Property(
            "batch",
            Text("works for a batch", "对一批输入同样适用"),
            Text(
                "With shape (batch, n, d_k) count axes from the end: only the last two may change "
                "places.",
                "形状为 (batch, n, d_k) 时，请从末尾数轴：只能交换最后两个轴。",
            ),
            _batch,
        ),
    ),
    shaped(lambda Q, K: (*Q.shape[:-1], K.shape[-2])),
)
