"""The whole head in code, from X to Z."""

import numpy as np

from attnlib.attention import self_attention, softmax
from attnlib.exercises.answers import Unreadable, close, shaped
from attnlib.exercises.machinery import Exercise, Property, Raised
from attnlib.exercises.text import Text

N, D_MODEL, D_K, D_V = 5, 6, 3, 4


def _inputs(seed, *leading, d_v=D_V):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((*leading, N, D_MODEL))
    W_Q, W_K = rng.standard_normal((2, D_MODEL, D_K))
    return X, W_Q, W_K, rng.standard_normal((D_MODEL, d_v))


def _alone(f):
    """The head for one sentence: as a batch of one, which is promised, or else without a batch.

    Whether a batch works is for the last property to tell.
    """

    def head(X, *weights):
        try:
            return f(X[None], *weights)[0]
        except (Raised, Unreadable):
            return f(X, *weights)

    return head


def _shape(f):
    return _alone(f)(*_inputs(1)) is not None


def _constant_passes(f):
    X, W_Q, W_K, W_V = _inputs(2)
    # a feature of X that is 1 everywhere, the only one that the values see
    X[:, 0], W_V[1:] = 1, 0
    return close(_alone(f)(X, W_Q, W_K, W_V), np.tile(W_V[0], (N, 1)))


def _values_do_not_choose(f):
    X, W_Q, W_K, W_V = _inputs(3)
    head = _alone(f)
    return close(head(X, W_Q, W_K, 2 * W_V), 2 * head(X, W_Q, W_K, W_V))


def _even_without_queries(f):
    X, W_Q, W_K, W_V = _inputs(4)
    even = _alone(f)(X, 0 * W_Q, W_K, W_V)
    return close(even, np.tile((X @ W_V).mean(axis=0), (N, 1)))


def _queries_are_rows(f):
    X, W_Q, W_K, W_V = _inputs(5)
    given = _alone(f)(X, W_Q, W_K, W_V)
    S = X @ W_Q @ (X @ W_K).T
    # any positive factor of the scores will do here: the next property asks for the right one
    factors = np.geomspace(0.05, 2, 400)[:, None, None]
    return np.abs(softmax(S * factors) @ X @ W_V - given).max(axis=(1, 2)).min() < 0.05


def _scale(f):
    X, W_Q, W_K, W_V = _inputs(6)
    return close(_alone(f)(X, W_Q, W_K, W_V), self_attention(X, W_Q, W_K, W_V).Z)


def _batch(f):
    X, *weights = _inputs(7, 2)
    return close(f(X, *weights), self_attention(X, *weights).Z)


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text(
                "gives one output of width d_v for each token", "每个 Token 得到一个宽为 d_v 的输出"
            ),
            Text(
                "With 5 tokens, d_model = 6, d_k = 3 and d_v = 4 the result has 5 rows of 4. Write "
                "the shape behind each line of your function.",
                "当有 5 个 Token、d_model = 6、d_k = 3、d_v = 4 时，结果有 5 行，每行 4 个数。"
                "请在函数的每一行后面写上形状。",
            ),
            _shape,
        ),
        Property(
            "values",
            Text("the output is linear in W_V", "输出关于 W_V 是线性的"),
            Text(
                "Doubling W_V must double the output: values are passed on, they take no part in "
                "the scores.",
                "W_V 加倍，输出也应加倍：Value 只被传递，不参与分数的计算。",
            ),
            _values_do_not_choose,
        ),
        Property(
            "constant",
            Text("a constant in all values passes through", "所有 Value 共有的常量原样通过"),
            Text(
                "Each output must be a mixture whose shares sum to 1. Along which axis do your "
                "weights sum to 1, and what happens to them afterwards?",
                "每个输出都应是份额之和为 1 的加权和。"
                "你的权重沿哪个轴的和为 1？之后又对它做了什么？",
            ),
            _constant_passes,
        ),
        Property(
            "even",
            Text("queries that are all 0 give the plain average", "Query 全为 0 时得到简单平均"),
            Text(
                "If no token asks for anything, every token takes the same from all. Does W_Q "
                "decide the scores in your function?",
                "如果没有 Token 提出需求，每个 Token 从所有位置取得同样多。"
                "在你的函数里，分数由 W_Q 决定吗？",
            ),
            _even_without_queries,
        ),
        Property(
            "rows",
            Text("row i holds the shares that token i takes", "第 i 行是第 i 个 Token 取得的份额"),
            Text(
                "Queries and keys have changed places somewhere: who asks, and who is asked? And "
                "the scores must be dot products.",
                "Query 与 Key 在某处交换了位置：谁在询问，谁被询问？另外，分数应当是点积。",
            ),
            _queries_are_rows,
        ),
        Property(
            "scale",
            Text("the scores are scaled", "分数经过缩放"),
            Text(
                "The shares are sharper or flatter than they should be. Chapter 4 says by what the "
                "scores are divided.",
                "份额过于集中或过于平均。分数应除以什么，见第 4 章。",
            ),
            _scale,
        ),
        Property(
            "batch",
            Text("works for a batch", "对一批输入同样适用"),
            Text(
                "With shape (batch, n, d_model) count axes from the end: only the last two may "
                "change places, softmax runs along the last one, and d_k is the length of the "
                "last one.",
                "形状为 (batch, n, d_model) 时，请从末尾数轴：只能交换最后两个轴，"
                "Softmax 沿最后一个轴计算，d_k 也是最后一个轴的长度。",
            ),
            _batch,
        ),
    ),
    shaped(lambda X, W_Q, W_K, W_V: (*X.shape[:-1], W_V.shape[1])),
)
