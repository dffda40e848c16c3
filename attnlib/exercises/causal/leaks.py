"""A test for leaks, tested on heads that leak and on heads that do not."""

import numpy as np

from attnlib.attention import self_attention, softmax
from attnlib.exercises.answers import truth
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text
from attnlib.masks import causal_mask

D_MODEL, D_K, D_V = 4, 3, 2


def _weights():
    rng = np.random.default_rng(1)
    return [rng.standard_normal((D_MODEL, d)) / 2 for d in (D_K, D_K, D_V)]


def _sentence(n=5):
    return np.random.default_rng(n).standard_normal((n, D_MODEL))


def causal(X):
    """No leak."""
    return self_attention(X, *_weights(), is_causal=True).Z


def constant(X):
    """No leak: no output depends on anything."""
    return np.ones((len(X), D_V))


def unmasked(X):
    """Every output depends on every token."""
    return self_attention(X, *_weights()).Z


def one_pair(X):
    """One entry of the mask is wrong: token 2 sees token 3."""
    mask = causal_mask(len(X))
    mask[1:2, 2:3] = True
    return self_attention(X, *_weights(), attn_mask=mask).Z


def masked_late(X):
    """The mask after softmax, rows not renormalised."""
    trace = self_attention(X, *_weights())
    return np.where(causal_mask(len(X)), softmax(trace.S_scaled), 0) @ trace.V


def faint(X):
    """The causal output with a trace of the next token."""
    Z = causal(X)
    Z[:-1] += 1e-4 * (X @ _weights()[-1])[1:]
    return Z


def difference(X):
    """The causal output and a trace of how the features of the next token differ."""
    Z = causal(X)
    Z[:-1] += X[1:, :D_V] - X[1:, D_V : 2 * D_V]
    return Z


def far(X):
    """One entry of the mask is wrong: token 2 sees token 5, and no nearer one."""
    mask = causal_mask(len(X))
    mask[1:2, 4:5] = True
    return self_attention(X, *_weights(), attn_mask=mask).Z


def lowered(X):
    """The causal output, less the more the next token differs from that of the sentence."""
    Z = causal(X)
    Z[:-1] -= 1e-3 + 1e-3 * np.abs(X - _sentence()[: len(X)]).sum(axis=-1, keepdims=True)[1:]
    return Z


def _says(f, head, X=None):
    return f(head, _sentence() if X is None else X)


def _with_silent_token():
    X = _sentence()
    X[2] = 0
    return X


EXERCISE = Exercise(
    (
        Property(
            "form",
            Text("answers True or False", "回答 True 或 False"),
            Text(
                "Return one truth value for the whole head, not one for each token.",
                "请为整个注意力头返回一个真值，而不是每个 Token 一个。",
            ),
            lambda f: f(causal, _sentence()) is not None,
        ),
        Property(
            "innocent",
            Text("acquits heads that do not leak", "不泄漏的注意力头判为无泄漏"),
            Text(
                "A causal head was accused. When token j is replaced, which outputs are allowed "
                "to move? Leave those out of the comparison.",
                "因果的注意力头被判为泄漏。替换第 j 个 Token 时，哪些输出可以变化？"
                "比较时请略去它们。",
            ),
            lambda f: not _says(f, causal) and not _says(f, constant),
        ),
        Property(
            "unmasked",
            Text("convicts a head without a mask", "没有掩码的注意力头判为泄漏"),
            Text(
                "A head without a mask was acquitted. Is the token really replaced, in a copy, so "
                "that the sentence before and the one after differ?",
                "没有掩码的注意力头被判为无泄漏。Token 真的被替换了吗？"
                "是否在副本中替换，使替换前后的句子确实不同？",
            ),
            lambda f: _says(f, unmasked),
        ),
        Property(
            "one pair",
            Text(
                "finds a leak between two tokens in the middle", "能找到中间两个 Token 之间的泄漏"
            ),
            Text(
                "A leak from one token of the middle to the one before it was missed. Which tokens "
                "do you replace, and at which outputs do you look?",
                "漏掉了从中间某个 Token 到它前一个 Token 的泄漏。"
                "你替换了哪些 Token，又看了哪些输出？",
            ),
            lambda f: _says(f, one_pair),
        ),
        Property(
            "far",
            Text(
                "finds a leak between tokens that lie far apart",
                "能找到相距很远的两个 Token 之间的泄漏",
            ),
            Text(
                "A leak from the last token to the second was missed, and no output between them "
                "moves. Is the last token ever replaced, and at which outputs do you look then?",
                "漏掉了从最后一个 Token 到第 2 个 Token 的泄漏，二者之间的输出都没有变化。"
                "最后一个 Token 是否也被替换过？替换之后，你看了哪些输出？",
            ),
            lambda f: _says(f, far),
        ),
        Property(
            "late",
            Text("convicts a mask that comes after softmax", "掩码在 Softmax 之后时判为泄漏"),
            Text(
                "The mask after softmax was missed: its leak does not move every output by much.",
                "漏掉了 Softmax 之后的掩码：它的泄漏并不会让每个输出都有很大变化。",
            ),
            lambda f: _says(f, masked_late),
        ),
        Property(
            "faint",
            Text("finds a faint leak", "能找到微弱的泄漏"),
            Text(
                "A leak of a ten-thousandth was missed. What is the smallest change that you "
                "count? Rounding makes errors of about 1e-15.",
                "漏掉了万分之一大小的泄漏。你所计入的最小变化是多少？舍入误差约为 1e-15。",
            ),
            lambda f: _says(f, faint),
        ),
        Property(
            "sign",
            Text("counts a change of either sign", "增大与减小都算变化"),
            Text(
                "Every output of this head that leaks becomes smaller, and the leak was missed. "
                "What do you compare with your smallest change?",
                "这个注意力头泄漏时，输出只会变小，而你漏掉了。你拿什么与最小的变化作比较？",
            ),
            lambda f: _says(f, lowered),
        ),
        Property(
            "silent token",
            Text("replaces a token that is 0 as well", "为零的 Token 也会被替换"),
            Text(
                "One token of this sentence is all 0. Does your replacement change it?",
                "这个句子里有一个 Token 全为零。你的替换会改变它吗？",
            ),
            lambda f: _says(f, one_pair, _with_silent_token()),
        ),
        Property(
            "difference",
            Text("replaces every feature by something else", "每个特征都换成不同的数"),
            Text(
                "This head sees a later token only through differences between its features. Does "
                "your replacement change those?",
                "这个注意力头只通过特征之差看到之后的 Token。你的替换会改变特征之差吗？",
            ),
            lambda f: _says(f, difference),
        ),
        Property(
            "any length",
            Text("takes sentences of any length", "句子长度任意"),
            Text(
                "Tried with 1 and with 7 tokens. A single token has nothing after it to leak.",
                "这里试了 1 个和 7 个 Token。只有一个 Token 时，之后没有可以泄漏的内容。",
            ),
            lambda f: (
                not _says(f, unmasked, _sentence(1))
                and not _says(f, causal, _sentence(7))
                and _says(f, unmasked, _sentence(7))
            ),
        ),
    ),
    truth,
)
