"""One row on paper: scores, weights, and how a weight reacts to its own score."""

import numpy as np

from attnlib.attention import attention_weights, scores
from attnlib.exercises.declared import Rule, declared, form, right
from attnlib.exercises.fields import number, row, shares

# The numbers of the chapter: d_k = 4 features, 3 keys.
Q = np.array([[2.0, 0.0, 1.0, -1.0]])
K = np.array([[1.0, 3.0, 1.0, -1.0], [1.0, 0.0, 1.0, 1.0], [0.0, 5.0, 1.0, 1.0]])
TOLERANCE = 0.001  # for three decimals, from exponentials rounded to two


def _last_reaction(scale):
    p = attention_weights(Q, K, scale=scale)[0, -1]
    return p * (1 - p)


EXERCISE = declared(
    [
        row("scaled scores | 缩放分数", 3),
        shares("weights | 权重", 3),
        number("reaction with scaling | 有缩放时的响应"),
        number("reaction without scaling | 无缩放时的响应"),
    ],
    form("gives three scores, three weights, two reactions | 给出三个分数、三个权重、两个响应"),
    Rule("products", "proportional", "scaled scores", scores(Q, K)[0], TOLERANCE).told(
        "the scores stand in the right proportion | 分数之间的比例正确",
        "Multiply feature by feature and mind the signs: a minus times a minus, and the features "
        "where the query is 0. | "
        "请逐个特征相乘，并注意符号：负负相乘的情形，以及 Query 为 0 的特征。",
    ),
    right("scale", "scaled scores", scores(Q, K)[0] / np.sqrt(Q.shape[-1]), TOLERANCE).told(
        "the scores are scaled | 分数经过了缩放",
        "How many features does a key have? That number, not the number of keys, goes into the "
        "formula for the scaled score; look at what the formula does with it. | "
        "一个 Key 有多少个特征？进入缩放公式的是这个数，而不是 Key 的个数；"
        "再看看公式对它做了什么运算。",
    ),
    Rule("sum", "sum", "weights", 1, 2 * TOLERANCE).told(
        "the weights sum to 1 | 权重之和为 1",
        "A weight is a share: divide each exponential by the sum of all three. | "
        "权重是份额：把每个指数值除以三个指数值之和。",
    ),
    right("weights", "weights", attention_weights(Q, K)[0], TOLERANCE).told(
        "the weights are the softmax of the scaled scores | 权重是缩放后分数的 Softmax",
        "Take the exponentials of the three scores you have just found, not of the raw ones and "
        "not the scores themselves, and keep three decimals. | "
        "请对刚算出的三个分数取指数，而不是对原始分数取指数，也不要直接使用分数；保留三位小数。",
    ),
    right("reaction", "reaction with scaling", _last_reaction(None), TOLERANCE).told(
        "the reaction with scaling is right | 有缩放时的响应正确",
        "The reaction of a weight to its own score is an entry on the diagonal of the Jacobian; "
        "the third key has the third one. Use the weights with scaling. | "
        "权重对自身分数的响应是雅可比矩阵对角线上的一项，第三个 Key 对应第三项。"
        "请使用有缩放时的权重。",
    ),
    right("unscaled", "reaction without scaling", _last_reaction(1.0), TOLERANCE).told(
        "the reaction without scaling is right | 无缩放时的响应正确",
        "Do the same once more with the weights of the raw scores: the exponentials that the "
        "exercise gives are all that you need. | "
        "用原始分数的权重再算一遍：题目所给的指数值已经够用。",
    ),
)
