"""Multi-head attention in code, from X to O, with one mask for all heads."""

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.machinery import Exercise, Property, Text
from attnlib.masks import causal_mask
from attnlib.multihead import MultiHeadAttention

N, D_MODEL, N_HEADS, D_H = 5, 7, 3, 4
EVERYONE = np.ones((N, N), dtype=bool)


def _inputs(seed, *leading, n_heads=N_HEADS):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((*leading, N, D_MODEL))
    W_Q, W_K, W_V = rng.standard_normal((3, D_MODEL, n_heads * D_H)) * 0.5
    W_O = rng.standard_normal((n_heads * D_H, D_MODEL))
    return X, W_Q, W_K, W_V, W_O


def _right(X, *weights, n_heads=N_HEADS, mask=EVERYONE):
    return MultiHeadAttention(*weights, n_heads)(X, attn_mask=mask)


def _shape(f):
    return np.shape(f(*_inputs(1), N_HEADS, EVERYONE)) == (N, D_MODEL)


def _tokens_stay_apart(f):
    X, *weights = _inputs(2)
    order = [3, 0, 4, 2, 1]
    shuffled = f(X[order], *weights, N_HEADS, EVERYONE)
    return np.allclose(shuffled, np.asarray(f(X, *weights, N_HEADS, EVERYONE))[order])


def _even_heads(f):
    X, W_Q, W_K, W_V, W_O = _inputs(3)
    even = f(X, 0 * W_Q, W_K, W_V, W_O, N_HEADS, EVERYONE)
    return np.allclose(even, np.tile((X @ W_V @ W_O).mean(axis=0), (N, 1)))


def _each_its_columns(f):
    """Without queries in all heads but one, only that one looks anywhere in particular."""
    X, W_Q, W_K, W_V, W_O = _inputs(4)
    for h in range(N_HEADS):
        own = np.arange(N_HEADS * D_H) // D_H == h
        alone = np.asarray(f(X, W_Q, W_K, W_V * own, W_O, N_HEADS, EVERYONE))
        # queries of the other heads must not matter to a head
        without = np.asarray(f(X, W_Q * own, W_K * own, W_V * own, W_O, N_HEADS, EVERYONE))
        if not np.allclose(alone, without):
            return False
    return True


def _heads_differ(f):
    """Scale aside: some common factor of all scores gives the right output."""
    X, W_Q, W_K, W_V, W_O = _inputs(5)
    given = f(X, W_Q, W_K, W_V, W_O, N_HEADS, EVERYONE)
    Q, K, V = (np.split(X @ W, N_HEADS, axis=-1) for W in (W_Q, W_K, W_V))

    def with_factor(factor):
        heads = [softmax(q @ k.T * factor) @ v for q, k, v in zip(Q, K, V, strict=True)]
        return np.hstack(heads) @ W_O

    return min(np.abs(with_factor(t) - given).max() for t in np.geomspace(0.05, 2, 400)) < 0.1


def _scale(f):
    return np.allclose(f(*_inputs(6), N_HEADS, EVERYONE), _right(*_inputs(6)))


def _mask_of_all(f):
    mask = causal_mask(N)
    return np.allclose(f(*_inputs(7), N_HEADS, mask), _right(*_inputs(7), mask=mask))


def _batch(f):
    # as many sentences as heads: an axis that is taken for the other does no visible harm to shapes
    X, *weights = _inputs(8, N_HEADS)
    mask = causal_mask(N)
    return np.allclose(f(X, *weights, N_HEADS, mask), [_right(x, *weights, mask=mask) for x in X])


MULTI_HEAD = Exercise(
    "heads-multi-head",
    (
        Property(
            "shape",
            Text(
                "gives one row of width d_model for each token",
                "每个 Token 得到宽为 d_model 的一行",
            ),
            Text(
                "With 5 tokens, d_model = 7 and 3 heads of width 4 the result has 5 rows of 7. "
                "Write the shape behind each line of your function.",
                "当有 5 个 Token、d_model = 7、3 个宽为 4 的头时，结果有 5 行，每行 7 个数。"
                "请在函数的每一行后面写上形状。",
            ),
            _shape,
        ),
        Property(
            "tokens",
            Text(
                "without a mask, shuffled tokens give shuffled outputs",
                "没有掩码时，打乱 Token 只会打乱输出",
            ),
            Text(
                "Features of different tokens have been mixed up. A reshape keeps the order in "
                "memory: with two tokens and two heads, write down which number goes where.",
                "不同 Token 的特征混在了一起。reshape 不改变数据在内存中的顺序："
                "取两个 Token 和两个头，写出每个数的去向。",
            ),
            _tokens_stay_apart,
        ),
        Property(
            "even",
            Text("queries that are all 0 give the plain average", "Query 全为 0 时得到简单平均"),
            Text(
                "Without queries every head shares evenly. Do the weights of each row sum to 1, "
                "and does each head's output meet its own rows of the output projection?",
                "没有 Query 时，每个头都平均分配。每一行权重的和是否为 1？"
                "每个头的输出是否与输出投影中属于它的行相乘？",
            ),
            _even_heads,
        ),
        Property(
            "columns",
            Text("a head uses its own columns and no others", "每个头只用属于自己的列"),
            Text(
                "The columns of one head stand together. Is there a weight in your function that "
                "depends on the queries of another head?",
                "同一个头的列连在一起。在你的函数里，有没有权重依赖于另一个头的 Query？",
            ),
            _each_its_columns,
        ),
        Property(
            "heads",
            Text(
                "the heads attend as their queries and keys tell",
                "各个头按自己的 Query 和 Key 分配权重",
            ),
            Text(
                "Compare with one head, on its own columns: queries are rows of the scores, keys "
                "are columns, and softmax runs along the keys.",
                "与单个头（只用它自己的列）比较：分数的行是 Query，列是 Key，Softmax 沿 Key 计算。",
            ),
            _heads_differ,
        ),
        Property(
            "scale",
            Text("the scores are scaled", "分数经过缩放"),
            Text(
                "How many products does one score of one head add up? Chapter 4 says what follows "
                "from it.",
                "一个头的一个分数由多少个乘积相加而成？由此得出什么，见第 4 章。",
            ),
            _scale,
        ),
        Property(
            "mask",
            Text("the same mask holds in every head", "每个头都使用相同的掩码"),
            Text(
                "True means may attend. Look at the weights of each head: is everything that is "
                "forbidden 0, and does every row sum to 1?",
                "True 表示允许访问。查看每个头的权重："
                "不允许访问的位置是否全为 0？每一行的和是否为 1？",
            ),
            _mask_of_all,
        ),
        Property(
            "batch",
            Text("works for a batch", "对一批输入同样适用"),
            Text(
                "With shape (batch, n, d_model) count axes from the end, and keep batch and heads "
                "apart.",
                "形状为 (batch, n, d_model) 时，从末尾开始数轴，并且不要混淆批次轴与头的轴。",
            ),
            _batch,
        ),
    ),
)
