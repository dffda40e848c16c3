"""What seven changes of the weights do to O: predicted first, then computed."""

import numpy as np

from attnlib.exercises.predictions import predictions
from attnlib.multihead import MultiHeadAttention

WORDS = ("same | 不变", "doubled | 加倍", "other | 其他")
N, D_MODEL, D_K, D_V = 4, 5, 3, 2


def _start():
    rng = np.random.default_rng(88)
    X = rng.standard_normal((N, D_MODEL))
    W_Q, W_K = rng.standard_normal((2, D_MODEL, 2 * D_K))
    W_V = rng.standard_normal((D_MODEL, 2 * D_V))
    return X, W_Q, W_K, W_V, rng.standard_normal((2 * D_V, D_MODEL))


def _first(factor, width):
    """A factor for the columns of head 1, and 1 for those of head 2."""
    return np.repeat([factor, 1.0], width)


def _exchanged(W, axis):
    return np.concatenate(np.split(W, 2, axis=axis)[::-1], axis=axis)


def _third(W, axis, rng):
    width = W.shape[axis] // 2
    shape = (D_MODEL, width) if axis == 1 else (width, D_MODEL)
    return np.concatenate([W, rng.standard_normal(shape)], axis=axis)


def _exchange_all(Q, K, V, O):  # noqa: E741 (the name in the formula)
    return *(_exchanged(W, 1) for W in (Q, K, V)), _exchanged(O, 0), 2


def _exchange_but_output(Q, K, V, O):  # noqa: E741
    return *(_exchanged(W, 1) for W in (Q, K, V)), O, 2


def _silent_third_head(Q, K, V, O):  # noqa: E741
    rng = np.random.default_rng(8)
    Q, K, O = _third(Q, 1, rng), _third(K, 1, rng), _third(O, 0, rng)  # noqa: E741
    return Q, K, np.concatenate([V, np.zeros((D_MODEL, D_V))], axis=1), O, 3


# each from W_Q, W_K, W_V, W_O to the same four and the number of heads
CHANGES = {
    "a": lambda Q, K, V, O: (Q * _first(2, D_K), K / _first(2, D_K), V, O, 2),  # noqa: E741
    "b": lambda Q, K, V, O: (Q, K, V * _first(2, D_V), O / _first(2, D_V)[:, None], 2),  # noqa: E741
    "c": lambda Q, K, V, O: (Q, K, 2 * V, O, 2),  # noqa: E741
    "d": _exchange_all,
    "e": _exchange_but_output,
    "f": _silent_third_head,
    "g": lambda Q, K, V, O: (Q, K, V, O, 1),  # noqa: E741
}


def outcome(change):
    """Return what a change does to O: computed, not looked up."""
    X, *weights = _start()
    before = MultiHeadAttention(*weights, 2)(X)
    after = MultiHeadAttention(*CHANGES[change](*weights))(X)
    if np.allclose(after, before):
        return "same"
    return "doubled" if np.allclose(after, 2 * before) else "other"


EXERCISE = predictions(
    outcome,
    {
        "queries of head 1 doubled, its keys halved | 头 1 的 Query 加倍，Key 减半": (
            "What becomes of each product in a score? | 分数中的每个乘积会变成什么？"
        ),
        (
            "values of head 1 doubled, its rows of the output projection halved | "
            "头 1 的 Value 加倍，输出投影中它的行减半"
        ): ("Follow the share of head 1 through both matrices. | 沿着两个矩阵追踪头 1 的份额。"),
        "the values of both heads doubled | 两个头的 Value 都加倍": (
            "Do the weights notice? And what does a factor in C do to the output? | "
            "权重会受影响吗？C 中的因子对输出有什么作用？"
        ),
        "the heads change places everywhere | 两个头在所有矩阵中交换位置": (
            "Write the output as a sum over heads. Does a sum mind the order? | "
            "把输出写成对头的求和。求和与次序有关吗？"
        ),
        "the heads change places, the output projection stays | 两个头交换位置，输出投影不变": (
            "Whose rows of the output projection does head 1 meet now? | "
            "现在头 1 与输出投影中哪个头的行相乘？"
        ),
        "a third head whose values are all 0 | 增加第三个头，其 Value 全为 0": (
            "How large is its share, whatever it attends to? | 无论它关注哪里，它的份额有多大？"
        ),
        "the same matrices, used as one head | 矩阵不变，但只当作一个头使用": (
            "How many distributions does each token have before, and how many after? What is the "
            "score of the wide head made of? | "
            "之前每个 Token 有几个权重分布，之后有几个？宽头的分数由什么组成？"
        ),
    },
    WORDS,
)
