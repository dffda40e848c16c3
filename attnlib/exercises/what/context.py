"""All context vectors in code, from a positive number for each pair of tokens."""

import numpy as np

from attnlib.exercises.answers import close, shaped
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _case(n, d_v, seed):
    """Return F, shape (n, n), all positive and far from symmetric, and V, shape (n, d_v)."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.2, 4, (n, n)), rng.standard_normal((n, d_v))


def _expected(F, V, is_causal):
    seen = np.tril(F) if is_causal else F
    return seen @ V / seen.sum(axis=1, keepdims=True)


def _is_right(f, is_causal):
    cases = [_case(5, 3, seed=3), _case(4, 2, seed=4), _case(1, 2, seed=5)]
    return all(close(f(F, V, is_causal), _expected(F, V, is_causal)) for F, V in cases)


def _has_the_shape(f):
    F, V = _case(5, 3, seed=1)
    return all(f(F, V, is_causal) is not None for is_causal in (False, True))


def _equal_values_stay(f):
    F, _ = _case(5, 3, seed=2)
    V = np.tile([2.0, -1.0, 5.0], (5, 1))
    return close(f(F, V, False), V)


def _first_token_gets_its_own(f):
    F, V = _case(5, 3, seed=6)
    return close(f(F, V, True)[0], V[0])


def _nothing_comes_from_later(f):
    F, V = _case(5, 3, seed=7)
    before = f(F, V, True)
    for i in range(4):
        F_other, V_other = F.copy(), V.copy()
        F_other[:, i + 1 :] *= 3
        V_other[i + 1 :] += 1
        if not close(f(F_other, V_other, True)[: i + 1], before[: i + 1]):
            return False
    return True


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives one vector for each token", "每个 Token 得到一个向量"),
            Text(
                "Five tokens whose values have three numbers must give five rows of three "
                "numbers, causal or not.",
                "五个 Token，每个 Value 有三个数：无论是否因果，都应当得到五行，每行三个数。",
            ),
            _has_the_shape,
        ),
        Property(
            "shares",
            Text("a mixture of equal values is that value", "相同的 Value 混合后不变"),
            Text(
                "When all tokens offer the same vector, every token must end up with just that "
                "vector. Print what the weights of one token add up to.",
                "如果所有 Token 提供同一个向量，每个 Token 得到的也应当正是这个向量。"
                "请打印某个 Token 的权重之和。",
            ),
            _equal_values_stay,
        ),
        Property(
            "rows",
            Text("token i mixes in the proportions of its own row", "按自己那一行的比例混合"),
            Text(
                "F[i, j] says how much token i wants from token j. Weights must stand in the same "
                "proportion as these numbers, and those of token i lie in one row.",
                "F[i, j] 表示第 i 个 Token 想从第 j 个 Token 得到多少。"
                "权重之间的比例应当与这些数相同，而第 i 个 Token 的数都在同一行。",
            ),
            lambda f: _is_right(f, False),
        ),
        Property(
            "first token",
            Text(
                "causal: the first token gets its own value", "因果：第 1 个 Token 得到自己的 Value"
            ),
            Text(
                "A causal token sees itself and those before it. The first sees one value: what "
                "is its weight?",
                "因果情形下，每个 Token 只能看到自身以及之前的 Token。"
                "第 1 个 Token 只看到一个 Value：它的权重是多少？",
            ),
            _first_token_gets_its_own,
        ),
        Property(
            "future",
            Text("causal: nothing comes from later tokens", "因果：不受之后 Token 的影响"),
            Text(
                "Changing a later token changed an earlier output. Later tokens must not count in "
                "any sum, not even in the one that you divide by.",
                "改动之后的 Token，先前的输出却变了。"
                "之后的 Token 不能计入任何一个和，作为除数的和也不例外。",
            ),
            _nothing_comes_from_later,
        ),
        Property(
            "causal",
            Text(
                "causal: every visible token counts by its number",
                "因果：每个可见的 Token 都按自己的数计入",
            ),
            Text(
                "Each token sees all tokens up to itself, itself included, and their weights "
                "stand in the proportion of F.",
                "每个 Token 能看到包括自身在内、到自身为止的所有 Token，权重之间的比例与 F 相同。",
            ),
            lambda f: _is_right(f, True),
        ),
    ),
    shaped(lambda F, V, is_causal: V.shape),
)
