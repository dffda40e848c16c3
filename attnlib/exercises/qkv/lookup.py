"""Weights made by hand under which attention looks up a label, as nearly as one likes."""

import numpy as np

from attnlib.attention import self_attention
from attnlib.exercises.answers import close, matrices
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text

N_LABELS, N_CONTENT = 3, 2
D_MODEL = 2 * N_LABELS + N_CONTENT
ENOUGH = 0.99


def _input(asked, offered, content):
    one_hot = np.eye(N_LABELS)
    return np.hstack([one_hot[asked], one_hot[offered], content])


def _examples():
    rng = np.random.default_rng(27)
    for _ in range(20):
        offered, asked = rng.permutation(N_LABELS), rng.integers(N_LABELS, size=N_LABELS)
        content = rng.normal(0, 2, (N_LABELS, N_CONTENT))
        yield asked, offered, content


def _right_weights(f):
    """Return the weight of the token that offers what is asked for, for every token."""
    found, W = [], f()
    for asked, offered, content in _examples():
        A = self_attention(_input(asked, offered, content), *W).A
        where = np.argsort(offered)[asked]
        found.append((A.argmax(axis=1) == where, A[np.arange(N_LABELS), where]))
    return np.array([most for most, _ in found]), np.array([weight for _, weight in found])


def _form(f):
    W_Q, W_K, W_V = f()
    rows = {W.shape[0] for W in (W_Q, W_K, W_V)}
    return rows == {D_MODEL} and W_Q.shape == W_K.shape and W_V.shape[1] == N_CONTENT


def _reads_the_content(f):
    W_V = f()[2]
    return all(close(_input(*example) @ W_V, example[2]) for example in _examples())


def _ignores_the_content(f):
    W_Q, W_K, W_V = f()
    for asked, offered, content in _examples():
        A, B = (
            self_attention(_input(asked, offered, c), W_Q, W_K, W_V).A
            for c in (content, content[::-1] + 1)
        )
        if not close(A, B):
            return False
    return True


def _ignores_what_the_asked_ask(f):
    """Another question of a token changes its own row of weights and no other."""
    W = f()
    for asked, offered, content in _examples():
        other = asked.copy()
        other[0] = (asked[0] + 1) % N_LABELS
        A, B = (self_attention(_input(a, offered, content), *W).A for a in (asked, other))
        if not close(A[1:], B[1:]):
            return False
    return True


EXERCISE = Exercise(
    (
        Property(
            "form",
            Text("gives three matrices that fit", "给出三个形状合适的矩阵"),
            Text(
                "Each takes the eight numbers of a token. The first two have equally many columns, "
                "the third as many as the content has numbers.",
                "每个矩阵接收一个 Token 的八个数。前两个列数相同，第三个的列数等于内容的个数。",
            ),
            _form,
        ),
        Property(
            "value",
            Text("the value of a token is its content", "Token 的 Value 就是它的内容"),
            Text(
                "The third matrix has to pick two of the eight numbers and leave them as they are.",
                "第三个矩阵应当从八个数中取出两个，并保持原样。",
            ),
            _reads_the_content,
        ),
        Property(
            "right token",
            Text(
                "the token that offers the label gets the largest weight",
                "提供所询标签的 Token 得到最大的权重",
            ),
            Text(
                "Query and key must meet in the same features: what the asker puts into feature r "
                "for a label, the one that offers this label must put into feature r too.",
                "Query 与 Key 要在同样的特征上相遇：询问者把某个标签放在第 r 个特征，"
                "提供该标签的 Token 也要放在第 r 个特征。",
            ),
            lambda f: _right_weights(f)[0].all(),
        ),
        Property(
            "content",
            Text("the content does not change the weights", "内容不影响权重"),
            Text(
                "A page is found by its title. Which of the eight numbers may a query or a key "
                "read?",
                "网页是凭标题找到的。Query 和 Key 可以读取八个数中的哪些？",
            ),
            _ignores_the_content,
        ),
        Property(
            "questions",
            Text(
                "what a token asks does not change how it is found",
                "Token 询问什么，不影响它如何被找到",
            ),
            Text(
                "A key may read what its token offers, not what its token asks for.",
                "Key 可以读取该 Token 提供的标签，而不是它询问的标签。",
            ),
            _ignores_what_the_asked_ask,
        ),
        Property(
            "sharp",
            Text("the right weight is above 0.99", "正确的权重大于 0.99"),
            Text(
                "The weights are right but too soft. What happens to them when all queries are "
                "multiplied by a number?",
                "权重的方向正确，但太平缓。把所有 Query 都乘以一个数，权重会怎样？",
            ),
            lambda f: _right_weights(f)[1].min() > ENOUGH,
        ),
    ),
    matrices(3),
)
