"""Multi-head attention in code, from X to O, with one mask for all heads."""

import numpy as np

from attnlib.attention import softmax
from attnlib.exercises.answers import close, equal, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.small_scores import small_scores
from attnlib.exercises.text import Text
from attnlib.masks import causal_mask
from attnlib.multihead import MultiHeadAttention

N, D_MODEL, N_HEADS, D_H = 5, 7, 3, 6
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
    return f(*_inputs(1), N_HEADS, EVERYONE) is not None


def _tokens_stay_apart(f):
    X, *weights = _inputs(2)
    order = [3, 0, 4, 2, 1]
    shuffled = f(X[order], *weights, N_HEADS, EVERYONE)
    return close(shuffled, f(X, *weights, N_HEADS, EVERYONE)[order])


def _moved_by_token(f, X, weights, mask, j):
    """Which outputs move when token j is replaced."""
    changed = X.copy()
    changed[j] += 1
    before, after = (f(tokens, *weights, N_HEADS, mask) for tokens in (X, changed))
    return ~equal(after, before).all(axis=-1)


def _hides_nothing(f):
    """No row is nan, rows differ, and who moves whom is no triangle and no diagonal."""
    X, *weights = _inputs(9)
    given = f(X, *weights, N_HEADS, EVERYONE)
    moved = np.stack([_moved_by_token(f, X, weights, EVERYONE, j) for j in range(N)], axis=1)
    hidden = (np.tri(N), np.tri(N, k=-1), np.tri(N).T, np.tri(N, k=-1).T, np.eye(N))
    return (
        np.isfinite(given).all()
        and not close(given, np.tile(given[0], (N, 1)))
        and not any(np.array_equal(moved, pattern) for pattern in hidden)
    )


def _only_values_pass(f):
    X, W_Q, W_K, W_V, W_O = _inputs(10)
    return close(f(X, W_Q, W_K, 0 * W_V, W_O, N_HEADS, EVERYONE), np.zeros((N, D_MODEL)))


def _forbidden_do_not_count(f):
    """Each token may see itself and the one after it: no triangle, so no other mask will do."""
    mask = np.eye(N, dtype=bool) | np.eye(N, k=1, dtype=bool)
    X, *weights = _inputs(11)
    return all((_moved_by_token(f, X, weights, mask, j) == mask[:, j]).all() for j in range(N))


def _even_heads(f):
    X, W_Q, W_K, W_V, W_O = _inputs(3)
    even = f(X, 0 * W_Q, W_K, W_V, W_O, N_HEADS, EVERYONE)
    return close(even, np.tile((X @ W_V @ W_O).mean(axis=0), (N, 1)))


def _each_its_columns(f):
    """Without queries in all heads but one, only that one looks anywhere in particular."""
    X, W_Q, W_K, W_V, W_O = _inputs(4)
    for h in range(N_HEADS):
        own = np.arange(N_HEADS * D_H) // D_H == h
        alone = f(X, W_Q, W_K, W_V * own, W_O, N_HEADS, EVERYONE)
        # queries of the other heads must not matter to a head
        without = f(X, W_Q * own, W_K * own, W_V * own, W_O, N_HEADS, EVERYONE)
        if not close(alone, without):
            return False
    return True


def _heads_differ(f):
    """Scale aside: some common factor of all scores gives the right output."""
    X, W_Q, W_K, W_V, W_O = _inputs(5)
    given = f(X, W_Q, W_K, W_V, W_O, N_HEADS, EVERYONE)
    heads = 0
    factors = np.geomspace(0.05, 2, 400)[:, None, None]
    for h in range(N_HEADS):
        own = slice(h * D_H, (h + 1) * D_H)
        S = X @ W_Q[:, own] @ (X @ W_K[:, own]).T
        heads = heads + softmax(S * factors) @ X @ W_V[:, own] @ W_O[own]
    return np.abs(heads - given).max(axis=(1, 2)).min() < 0.1


def _scale(f):
    return close(f(*_inputs(6), N_HEADS, EVERYONE), _right(*_inputs(6)))


def _survives_small_visible_scores(f):
    """All scores are the same, about -2000: no rounding, only what stands for minus infinity."""
    X, W_Q, W_K, W_V, W_O = _inputs(7)
    X[:, 0], W_Q[:], W_K[:] = 1, 0, 0
    W_Q[0], W_K[0] = 40.0, -25.0
    mask = causal_mask(N)
    given = f(X, W_Q, W_K, W_V, W_O, N_HEADS, mask)
    return close(given, _right(X, W_Q, W_K, W_V, W_O, mask=mask))


def _batch(f):
    # as many sentences as heads: an axis that is taken for the other does no visible harm to shapes
    X, *weights = _inputs(8, N_HEADS)
    mask = causal_mask(N)
    return close(f(X, *weights, N_HEADS, mask), _right(X, *weights, mask=mask))


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text(
                "gives one row of width d_model for each token",
                "每个 Token 得到宽为 d_model 的一行",
            ),
            Text(
                "With 5 tokens, d_model = 7 and 3 heads of width 6 the result has 5 rows of 7. "
                "Write the shape behind each line of your function.",
                "当有 5 个 Token、d_model = 7、3 个宽为 6 的头时，结果有 5 行，每行 7 个数。"
                "请在函数的每一行后面写上形状。",
            ),
            _shape,
        ),
        Property(
            "everyone",
            Text("a mask of True everywhere hides nothing", "掩码全为 True 时，没有任何位置被遮住"),
            Text(
                "All is allowed here, and yet an output is nan, all outputs are the same, or "
                "tokens on one side do not count. What does True mean in the mask, and is there "
                "another mask in your function?",
                "这里什么都允许访问，却有输出是 nan，或者所有输出都相同，"
                "或者某一侧的 Token 不起作用。"
                "掩码中的 True 表示什么？你的函数里是否还有别的掩码？",
            ),
            _hides_nothing,
        ),
        Property(
            "values",
            Text("without values nothing comes out", "没有 Value 就没有输出"),
            Text(
                "W_V is 0 here, and the output is not. Something of the input goes past the "
                "values: a residual is no part of O, it is added afterwards.",
                "这里 W_V 为 0，输出却不为 0。输入的某一部分绕过了 Value："
                "残差连接不属于 O，是之后才加上的。",
            ),
            _only_values_pass,
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
            Text(
                "in every head a token counts where it is allowed, and nowhere else",
                "在每个头里，Token 只在允许访问之处起作用",
            ),
            Text(
                "Tried with a mask under which each token sees itself and the next one. True means "
                "may attend, and the mask is used before the rows are divided. Look at the weights "
                "of each head: where are they 0?",
                "这里的掩码让每个 Token 只看到自身和下一个。"
                "True 表示允许访问，掩码要在各行归一化之前使用。查看每个头的权重：哪些位置为 0？",
            ),
            _forbidden_do_not_count,
        ),
        small_scores(_survives_small_visible_scores),
        Property(
            "batch",
            Text("works for a batch", "对一批输入同样适用"),
            Text(
                "With shape (batch, n, d_model) count axes from the end, keep batch and heads "
                "apart, and read the widths off the last axis.",
                "形状为 (batch, n, d_model) 时，请从末尾数轴，不要混淆批次轴与头的轴，"
                "宽度是最后一个轴的长度。",
            ),
            _batch,
        ),
    ),
    shaped(lambda X, *rest: X.shape),
)
