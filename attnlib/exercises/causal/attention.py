"""Causal attention in code."""

import numpy as np

from attnlib.attention import scaled_dot_product_attention
from attnlib.exercises.answers import close, equal, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.small_scores import small_scores
from attnlib.exercises.text import Text

N, D_K, D_V = 5, 3, 2


def _inputs(seed, *leading):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((*leading, N, d)) for d in (D_K, D_K, D_V)]


def _with_other_token(Q, K, V, j):
    """Q, K and V after token j was replaced."""
    rng = np.random.default_rng(100 + j)
    Q, K, V = Q.copy(), K.copy(), V.copy()
    for array in (Q, K, V):
        array[j] = rng.standard_normal(array.shape[-1])
    return Q, K, V


def _has_the_shape(f):
    return f(*_inputs(1)) is not None


def _ignores_later_tokens(f):
    inputs = _inputs(2)
    # a row of nan, which sees nothing, is for the next property
    Z = np.nan_to_num(f(*inputs))
    return all(
        close(np.nan_to_num(f(*_with_other_token(*inputs, j)))[:j], Z[:j]) for j in range(1, N)
    )


def _moved_by_values(f, j):
    """Which outputs move when only the value of token j is replaced."""
    Q, K, V = _inputs(3)
    _, _, V_changed = _with_other_token(Q, K, V, j)
    return ~equal(f(Q, K, V_changed), f(Q, K, V)).all(axis=-1)


def _sees_itself(f):
    return np.isfinite(f(*_inputs(3))).all() and all(_moved_by_values(f, j)[j] for j in range(N))


def _sees_all_before(f):
    return all(_moved_by_values(f, j)[j:].all() for j in range(N))


def _averages(f):
    Q, K, _ = _inputs(4)
    return close(f(Q, K, np.ones((N, D_V))), np.ones((N, D_V)))


def _is_right(f):
    inputs = _inputs(5)
    return close(f(*inputs), scaled_dot_product_attention(*inputs, is_causal=True))


def _takes_leading_axes(f):
    Q, K, V = _inputs(6, 4, 6)
    return close(f(Q, K, V), scaled_dot_product_attention(Q, K, V, is_causal=True))


def _survives_a_large_later_score(f):
    Q, K, V = _inputs(7)
    Q[:, 0], K[-1] = 40.0, (100.0, 0.0, 0.0)
    return close(f(Q, K, V), scaled_dot_product_attention(Q, K, V, is_causal=True))


def _survives_small_visible_scores(f):
    """All scores are the same, about -2000: no rounding, only what stands for minus infinity."""
    V = _inputs(8)[-1]
    Q, K = np.zeros((2, N, D_K))
    Q[:, 0], K[:, 0] = 50.0, -70.0
    return close(f(Q, K, V), scaled_dot_product_attention(Q, K, V, is_causal=True))


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives one output for each query", "每个 Query 得到一个输出"),
            Text(
                "Five tokens with values of two features must give five rows of two numbers.",
                "五个 Token，Value 有两个特征，应当得到五行，每行两个数。",
            ),
            _has_the_shape,
        ),
        Property(
            "later",
            Text("no output changes with a later token", "任何输出都不随之后的 Token 改变"),
            Text(
                "A later token was replaced, and an earlier output moved. Print your weights: is "
                "everything above the diagonal 0, and on which side of it are your numbers? If "
                "all are 0 there: does a later score still count anywhere?",
                "替换了之后的一个 Token，之前的输出变了。请打印权重：对角线以上是否全为零？"
                "数值位于对角线的哪一侧？如果那里全为零，之后的分数是否仍在别处起作用？",
            ),
            _ignores_later_tokens,
        ),
        Property(
            "itself",
            Text("every token sees itself", "每个 Token 都能看到自身"),
            Text(
                "The value of a token was replaced, and its own output did not move, or is no "
                "number. Which columns does your first row leave?",
                "替换了某个 Token 的 Value，它自己的输出却没有变化，或者不是数。"
                "第一行还留有哪些列？",
            ),
            _sees_itself,
        ),
        Property(
            "earlier",
            Text("every token sees all that came before", "每个 Token 都能看到之前的全部 Token"),
            Text(
                "An earlier value was replaced, and a later output did not move: the mask hides "
                "more than it should.",
                "替换了之前的一个 Value，之后的输出却没有变化：掩码遮住的比应当遮住的更多。",
            ),
            _sees_all_before,
        ),
        Property(
            "average",
            Text("equal values come out as they went in", "Value 全部相等时，输出与之相同"),
            Text(
                "If all values are 1, a weighted average is 1. Along which axis do your weights "
                "sum to 1?",
                "如果所有 Value 都是 1，加权平均就是 1。你的权重沿哪个轴求和为 1？",
            ),
            _averages,
        ),
        Property(
            "values",
            Text("the outputs are those of scaled scores", "输出与缩放后的分数一致"),
            Text(
                "The mask is right, the numbers are not. Compare with the formula of one head: "
                "what is done to the scores before the mask, and does each feature stay in its "
                "place?",
                "掩码是对的，数值不对。请与单个注意力头的公式比较："
                "掩码之前要对分数做什么？每个特征是否都在自己的位置上？",
            ),
            _is_right,
        ),
        Property(
            "leading axes",
            Text("works for a batch of heads as for one", "对一批注意力头同样适用"),
            Text(
                "With shape (batch, heads, n, d) count axes from the end: only the last two may "
                "change places, the mask belongs to them, and d_k is the length of the last one.",
                "形状为 (batch, heads, n, d) 时，请从末尾数轴：只能交换最后两个轴，"
                "掩码属于这两个轴，d_k 是最后一个轴的长度。",
            ),
            _takes_leading_axes,
        ),
        Property(
            "large",
            Text("a huge later score does no harm", "之后的分数再大也无妨"),
            Text(
                "The last key scores about 2000. A maximum, or an exponential, that is taken over "
                "forbidden positions too lets it win, and nothing is left for the others.",
                "最后一个 Key 的分数约为 2000。如果最大值或指数把被禁止的位置也算进去，"
                "它就会独占全部，其余位置什么也不剩。",
            ),
            _survives_a_large_later_score,
        ),
        small_scores(_survives_small_visible_scores),
    ),
    shaped(lambda Q, K, V: (*Q.shape[:-1], V.shape[-1])),
)
