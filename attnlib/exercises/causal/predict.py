"""Which outputs move when token 3 changes: predicted first, then measured."""

import numpy as np

from attnlib.attention import attend, softmax
from attnlib.exercises.declared import form
from attnlib.exercises.fields import positions
from attnlib.exercises.predictions import predictions
from attnlib.masks import causal_mask

N, D, CHANGED = 5, 4, 2  # d_v = d_model = d_k, so that layers can be stacked


def _weights():
    return np.random.default_rng(2).standard_normal((2, 3, D, D)) / 2


def _layers(X, n_layers, mask):
    for W_Q, W_K, W_V in _weights()[:n_layers]:
        X = attend(X @ W_Q, X @ W_K, X @ W_V, attn_mask=mask).Z
    return X


def _masked_late(X):
    W_Q, W_K, W_V = _weights()[0]
    trace = attend(X @ W_Q, X @ W_K, X @ W_V)
    return np.where(causal_mask(N), softmax(trace.S_scaled), 0) @ trace.V


def _only_the_query(X, start):
    W_Q, W_K, W_V = _weights()[0]
    return attend(X @ W_Q, start @ W_K, start @ W_V, is_causal=True).Z


CASES = {
    "a": lambda X, start: _layers(X, 1, causal_mask(N)),
    "b": lambda X, start: _layers(X, 1, None),
    "c": lambda X, start: _layers(X, 1, causal_mask(N, offset=1)),
    "d": lambda X, start: _masked_late(X),
    "e": lambda X, start: _layers(X, 2, causal_mask(N)),
    "f": lambda X, start: _layers(X, 2, causal_mask(N, offset=1)),
    "g": _only_the_query,
}


def change(case):
    """Return how far each output moves when token 3 is replaced: shape (n,)."""
    start, other = np.random.default_rng(3).standard_normal((2, N, D))
    replaced = start.copy()
    replaced[CHANGED] = other[CHANGED]
    return np.abs(CASES[case](replaced, start) - CASES[case](start, start)).max(axis=-1)


def outcome(case):
    """Return the outputs that move, counted from 1: measured, not looked up."""
    return {int(i) + 1 for i in np.flatnonzero(change(case) > 1e-9)}


EXERCISE = predictions(
    outcome,
    {
        "the causal mask | 因果掩码": (
            "Token 3 is a key in column 3 and a query in row 3. Which rows may look at column 3? "
            "| 第 3 个 Token 既是第三列的 Key，也是第三行的 Query。哪些行可以看第三列？"
        ),
        "no mask | 没有掩码": (
            "Which rows have a weight above 0 in column 3? | 哪些行在第三列的权重大于零？"
        ),
        "the diagonal off by one | 对角线错开一位": (
            "Draw the table of 5 rows with one more allowed position in each, and read column 3. "
            "| 画出五行的表，每行多允许一个位置，再看第三列。"
        ),
        "the mask after softmax | 掩码在 Softmax 之后": (
            "Which rows take the exponential of their score for key 3 into their sum? | "
            "哪些行在求和时计入了对 Key 3 的分数的指数？"
        ),
        "two causal layers | 两层因果注意力": (
            "First mark the rows that move after one layer. Which rows may look at a marked one? "
            "| 先标出一层之后变化的行。哪些行可以看到被标出的行？"
        ),
        "two layers, each off by one | 两层，每层都错开一位": (
            "First mark the rows that move after one layer. Which rows may look at a marked one? "
            "| 先标出一层之后变化的行。哪些行可以看到被标出的行？"
        ),
        "only the query of token 3 | 只改变第 3 个 Token 的 Query": (
            "In which entries of the table of scores does a query stand: in a row or in a column? "
            "| 在分数表中，一个 Query 出现在哪些元素里：一行，还是一列？"
        ),
    },
    lambda change: positions(change, N),
    form(
        "a set of positions for each of a to g | a 到 g 各填一个位置集合",
        "Write positions from 1 to 5 in braces, for example {4} or {4, 5}. | "
        "请在花括号中填写 1 到 5 的位置，例如 {4} 或 {4, 5}。",
    ),
)
