"""What six changes to a sentence do to the output of its verb: predicted first, then measured."""

import numpy as np

from attnlib.attention import self_attention
from attnlib.example import running_example
from attnlib.exercises.predictions import predictions

VERB = 3
START = dict(order=(0, 1, 2, 3, 4), replace=False, is_causal=False, positions=False)
CHANGES = {
    "a": (START, dict(order=(4, 3, 2, 1, 0))),
    "b": (START | dict(is_causal=True), dict(replace=True)),
    "c": (START | dict(is_causal=True), dict(order=(4, 1, 2, 3, 0))),
    "d": (START | dict(is_causal=True), dict(order=(2, 1, 0, 3, 4))),
    "e": (START, dict(order=(0, 1, 2, 3, 4, 4))),
    "f": (START | dict(positions=True), dict(order=(2, 1, 0, 3, 4))),
}
WORDS = ("same | 一样", "changed | 变了")


def _verb_output(*, order, replace, is_causal, positions):
    example = running_example()
    X = example.X
    if replace:
        X[-1] = [-1, 1, 0, 2]
    X = X[list(order)]
    if positions:
        X += np.outer(np.arange(len(X)), [0.5, 0, 0, -0.5])
    weights = example.W_Q, example.W_K, example.W_V
    return self_attention(X, *weights, is_causal=is_causal).Z[order.index(VERB)]


def distance(change):
    """Return how far a change moves the output of the verb."""
    start, changed = CHANGES[change]
    return np.linalg.norm(_verb_output(**(start | changed)) - _verb_output(**start))


def outcome(change):
    """Return what a change does to the output of the verb: measured, not looked up."""
    return "changed" if distance(change) > 1e-9 else "same"


EXERCISE = predictions(
    outcome,
    {
        "the whole sentence reversed, all visible | 整句倒序，全部可见": (
            "Write down the terms of the verb's sum before and after. Which terms are new? | "
            "写出动词那个和式在倒序前后的各项。哪些项是新的？"
        ),
        "the last token replaced, causal | 替换最后一个 Token，因果": (
            "Which tokens are in the visible set of token 4? | "
            "第 4 个 Token 的可见集合里有哪些 Token？"
        ),
        "giver and receiver exchanged, causal | 给予者与接受者互换，因果": (
            "List the tokens that the verb sees, before and after. | "
            "分别列出互换前后动词能看到的 Token。"
        ),
        "giver and thing exchanged, causal | 给予者与物品互换，因果": (
            "List the tokens that the verb sees, before and after. Does a sum mind in which order "
            "its terms come? | 分别列出互换前后动词能看到的 Token。求和与各项的次序有关吗？"
        ),
        "the last token once more, all visible | 重复最后一个 Token，全部可见": (
            "Count how many terms of the sum carry this value, before and after; the shares are "
            "made from all of them. | "
            "数一数和式中有几项带有这个 Value，前后各是多少；份额由所有项共同决定。"
        ),
        (
            "giver and thing exchanged, all visible, with positions | "
            "给予者与物品互换，全部可见，带位置信息"
        ): (
            "Each place adds its own vector. Are the rows of X still the same five rows? | "
            "每个位置加上自己的向量。X 的各行还是原来那五行吗？"
        ),
    },
    WORDS,
)
