"""Scaled scores in code."""

import numpy as np

from attnlib.attention import scores
from attnlib.exercises.machinery import Exercise, Property, Text


def _standard(rng, n_q, n_k, d_k):
    return rng.standard_normal((n_q, d_k)), rng.standard_normal((n_k, d_k))


def _scores_have_the_shape(f):
    Q, K = _standard(np.random.default_rng(1), 5, 3, 8)
    return np.shape(f(Q, K)) == (5, 3)


def _scores_are_proportional(f):
    Q, K = _standard(np.random.default_rng(2), 5, 3, 8)
    ratio = f(Q, K) / scores(Q, K)
    return ratio.min() > 0 and np.allclose(ratio, ratio[0, 0])


def _scores_ignore_other_tokens(f):
    Q, K = _standard(np.random.default_rng(3), 5, 6, 8)
    return np.allclose(f(Q, K)[:2, :4], f(Q[:2], K[:4]))


def _scores_have_variance_one(f):
    rng = np.random.default_rng(4)
    spreads = [np.var(f(*_standard(rng, 60, 50, d_k))) for d_k in (4, 64, 1024)]
    return np.allclose(spreads, 1, atol=0.25)


def _scores_take_leading_axes(f):
    rng = np.random.default_rng(5)
    Q, K = rng.standard_normal((2, 4, 5, 8)), rng.standard_normal((2, 4, 3, 8))
    single = [f(q, k) for q, k in zip(Q.reshape(-1, 5, 8), K.reshape(-1, 3, 8), strict=True)]
    return np.allclose(np.reshape(single, (2, 4, 5, 3)), f(Q, K))


def _scores_keep_float32(f):
    Q, K = _standard(np.random.default_rng(6), 5, 3, 8)
    return f(Q.astype(np.float32), K.astype(np.float32)).dtype == np.float32


SCORES = Exercise(
    "scaling-scores",
    (
        Property(
            "shape",
            Text("gives one score for each query and key", "每个 Query 与每个 Key 得到一个分数"),
            Text(
                "Five queries and three keys must give five rows of three scores.",
                "五个 Query 和三个 Key 应当得到五行，每行三个分数。",
            ),
            _scores_have_the_shape,
        ),
        Property(
            "products",
            Text("the scores are dot products, all scaled alike", "分数是点积，并且缩放比例一致"),
            Text(
                "Entry (i, j) belongs to query i and key j. Every entry must be the dot product "
                "times one and the same positive number; weights come later.",
                "元素 (i, j) 属于第 i 个 Query 与第 j 个 Key。"
                "每个元素都应是点积乘以同一个正数；权重是之后的事。",
            ),
            _scores_are_proportional,
        ),
        Property(
            "own pair",
            Text(
                "a score depends on its own query and key only", "分数只取决于自己的 Query 和 Key"
            ),
            Text(
                "Adding tokens changed scores that were there before: the factor must not be made "
                "from the number of tokens or from the other scores.",
                "增加 Token 之后，原有的分数变了：缩放因子不能由 Token 个数或其他分数得出。",
            ),
            _scores_ignore_other_tokens,
        ),
        Property(
            "variance",
            Text("the variance is 1 for few features and for many", "无论特征多少，方差都是 1"),
            Text(
                "Tried with 4, 64 and 1024 features of variance 1. Print the variance of your "
                "scores for each: does it grow, shrink or stay?",
                "这里用方差为 1 的 4、64、1024 个特征做了试验。"
                "请分别打印分数的方差：它在变大、变小，还是不变？",
            ),
            _scores_have_variance_one,
        ),
        Property(
            "leading axes",
            Text("works for a batch of heads as for one", "对一批注意力头同样适用"),
            Text(
                "With shape (batch, heads, n, d_k) only the last two axes may change places.",
                "形状为 (batch, heads, n, d_k) 时，只能交换最后两个轴。",
            ),
            _scores_take_leading_axes,
        ),
        Property(
            "float32",
            Text("float32 stays float32", "float32 仍是 float32"),
            Text(
                "Something in your formula is a NumPy float64 and makes the whole result one. "
                "Look at the type of the factor.",
                "公式中有一个 NumPy 的 float64，使整个结果都变成了 float64。请查看缩放因子的类型。",
            ),
            _scores_keep_float32,
        ),
    ),
)
