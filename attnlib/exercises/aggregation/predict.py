"""What seven changes do to Z: predicted first, then computed."""

import numpy as np

from attnlib.attention import scaled_dot_product_attention
from attnlib.exercises.predictions import predictions

WORDS = ("doubled | 变为两倍", "shifted | 平移", "same | 不变", "other | 其他")
ORDER = [2, 0, 3, 1]


def _start():
    rng = np.random.default_rng(66)
    return rng.standard_normal((5, 3)), rng.standard_normal((4, 3)), rng.standard_normal((4, 2))


CHANGES = {
    "a": lambda Q, K, V: (Q, K, 2 * V),
    "b": lambda Q, K, V: (Q, K, V + np.array([3.0, -1.0])),
    "c": lambda Q, K, V: (Q, K + np.array([1.0, -2.0, 0.5]), V),
    "d": lambda Q, K, V: (Q, K[ORDER], V[ORDER]),
    "e": lambda Q, K, V: (Q, K, V[ORDER]),
    "f": lambda Q, K, V: (Q, np.repeat(K, 2, axis=0), np.repeat(V, 2, axis=0)),
    "g": lambda Q, K, V: (2 * Q, 2 * K, 2 * V),
}


def outcome(change):
    """Return what a change does to Z: computed, not looked up."""
    before = scaled_dot_product_attention(*_start())
    after = scaled_dot_product_attention(*CHANGES[change](*_start()))
    if np.allclose(after, before):
        return "same"
    if np.allclose(after, 2 * before):
        return "doubled"
    return "shifted" if np.allclose(after - before, (after - before)[0]) else "other"


EXERCISE = predictions(
    outcome,
    {
        "every value is doubled | 每个 Value 加倍": (
            "The weights do not depend on the values. Take the factor out of the sum. | "
            "权重与 Value 无关。把因子提到求和号外面。"
        ),
        "the same row is added to every value | 每个 Value 加上同一行": (
            "Split the sum in two. What do the weights of a row sum to? | "
            "把和式拆成两部分。一行权重的和是多少？"
        ),
        "the same row is added to every key | 每个 Key 加上同一行": (
            "Write out q·(k + m). By how much do the scores of one query change, and what does "
            "softmax make of that? | "
            "展开 q·(k + m)。同一个 Query 的各个分数变化多少？Softmax 会如何处理？"
        ),
        "keys and values in another order | Key 和 Value 一起换顺序": (
            "Which terms does the sum have before, and which after? | "
            "换顺序之前，和式有哪些项？之后又有哪些项？"
        ),
        "the values alone in another order | 只有 Value 换顺序": (
            "Does each share still meet the value that it was meant for? | "
            "每个份额对应的还是原来的 Value 吗？"
        ),
        "every key and value twice | 每个 Key 和 Value 都出现两次": (
            "How large is the share of each copy, and what do two copies give together? | "
            "每个副本的份额多大？两个副本合起来又给出多少？"
        ),
        "queries, keys and values doubled | Query、Key、Value 全部加倍": (
            "Follow the scores as well as the values: by which factor does each of them grow? | "
            "既要看 Value，也要看分数：它们各自扩大了多少倍？"
        ),
    },
    WORDS,
)
