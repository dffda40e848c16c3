"""The three projections in code, for one sequence and for a batch."""

import numpy as np

from attnlib.exercises.answers import all_shaped, close, equal
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import Text


def _case(*batch):
    rng = np.random.default_rng(22)
    shapes = ((*batch, 5, 4), (4, 3), (4, 3), (4, 2))  # X, W_Q, W_K, W_V
    return [rng.standard_normal(shape) for shape in shapes]


def _own_row_only(f):
    X, *weights = _case()
    changed = X.copy()
    changed[2] += 1
    for before, after in zip(f(X, *weights), f(changed, *weights), strict=True):
        if np.flatnonzero(~equal(after, before).all(axis=1)).tolist() != [2]:
            return False
    return True


def _in_the_order(f):
    X, *weights = _case()
    for which in range(3):
        replaced = [W[::-1] if number == which else W for number, W in enumerate(weights)]
        pairs = zip(f(X, *weights), f(X, *replaced), strict=True)
        if [not close(before, after) for before, after in pairs] != [
            number == which for number in range(3)
        ]:
            return False
    return True


def _exact(f):
    X, *weights = _case()
    return all(close(result, X @ W) for result, W in zip(f(X, *weights), weights, strict=True))


def _batch(f):
    X, *weights = _case(2)
    return all(close(result, X @ W) for result, W in zip(f(X, *weights), weights, strict=True))


def _shape(which):
    return lambda X, *weights: (*X.shape[:-1], weights[which].shape[1])


EXERCISE = Exercise(
    (
        Property(
            "shape",
            Text("gives three arrays of the right shapes", "给出三个形状正确的数组"),
            Text(
                "There are as many rows as tokens, and as many columns as the weight matrix has. "
                "Return the three in the order query, key, value.",
                "行数等于 Token 数，列数等于权重矩阵的列数。按查询、键、值的顺序返回三个结果。",
            ),
            lambda f: f(*_case()) is not None,
        ),
        Property(
            "rows",
            Text("row i depends on token i only", "第 i 行只取决于第 i 个 Token"),
            Text(
                "Change one row of the input: exactly one row of each result may answer. Nothing "
                "is compared with other tokens yet.",
                "改变输入的一行，每个结果中应当恰有一行随之改变。此时尚未与其他 Token 比较。",
            ),
            _own_row_only,
        ),
        Property(
            "roles",
            Text("each result uses its own matrix", "每个结果使用各自的矩阵"),
            Text(
                "Replace one of the weight matrices: one of the results must change, and it must "
                "be the one of the same name.",
                "替换其中一个权重矩阵：应当恰有一个结果改变，并且是同名的那一个。",
            ),
            _in_the_order,
        ),
        Property(
            "plain",
            Text("a row is the plain product", "每一行就是单纯的乘积"),
            Text(
                "Each feature is a sum of products and nothing else: no division, no limit.",
                "每个特征只是乘积之和，不做除法，也不加限制。",
            ),
            _exact,
        ),
        Property(
            "batch",
            Text("works for a batch", "适用于一批序列"),
            Text(
                "The input may have one more axis in front. The tokens and their features are the "
                "last two.",
                "输入的前面可以多一个轴；最后两个轴才是 Token 及其特征。",
            ),
            _batch,
        ),
    ),
    all_shaped(_shape(0), _shape(1), _shape(2)),
)
