"""What the oracles reckon with: exact rationals, many digits, and an operator of other hands."""

from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

getcontext().prec = 60
STEP = Decimal("1e-15")  # of differences: with 60 digits they are exact to far more than a double


def rational(matrix):
    """The same numbers as exact rationals, in lists."""
    return [[Fraction(x) for x in row] for row in matrix]


def product(A, B):
    """The product of two matrices, entry by entry, with nothing rounded."""
    A, B = rational(A), rational(B)
    columns = range(len(B[0]))
    return [[sum(row[t] * B[t][j] for t in range(len(B))) for j in columns] for row in A]


def transposed(A):
    return [list(column) for column in zip(*A, strict=True)]


def dot(x, y):
    """A dot product from lengths alone: (|x + y|² − |x − y|²) / 4."""

    def squared(sign):
        terms = zip(x, y, strict=True)
        return sum((Fraction(a) + sign * Fraction(b)) ** 2 for a, b in terms)

    return (squared(1) - squared(-1)) / 4


def decimal(x):
    """The same number, or one of 60 digits."""
    return Decimal(x.numerator) / x.denominator if isinstance(x, Fraction) else Decimal(x)


def softmax(scores):
    """Weights of one row, to 50 digits."""
    powers = [decimal(s).exp() for s in scores]
    return [power / sum(powers) for power in powers]


def slope(f):
    """The derivative of f at 0, from what f does on both sides of it."""
    return (f(STEP) - f(-STEP)) / (2 * STEP)


@cache
def operator(is_multi_head=False):
    """The ONNX operator Attention with an additive mask, in ONNX's own evaluator."""
    double = onnx.TensorProto.DOUBLE
    info = onnx.helper.make_tensor_value_info
    heads = {"q_num_heads": 4, "kv_num_heads": 4} if is_multi_head else {}
    outputs = ["Z", "present_key", "present_value", "A"]
    node = onnx.helper.make_node(
        "Attention", ["Q", "K", "V", "mask"], outputs, qk_matmul_output_mode=3, **heads
    )
    inputs = [info(name, double, None) for name in ("Q", "K", "V", "mask")]
    graph = onnx.helper.make_graph(
        [node], "attention", inputs, [info(name, double, None) for name in "ZA"]
    )
    opset = onnx.helper.make_opsetid("", 23)
    return ReferenceEvaluator(onnx.helper.make_model(graph, opset_imports=[opset]))


def attention(Q, K, V, bias=None):
    """(A, Z) of one head by the operator, as lists; `bias` is added to the scaled scores."""
    Q, K, V = (np.array(M, dtype=float)[None, None] for M in (Q, K, V))
    bias = np.zeros((len(Q[0, 0]), len(K[0, 0]))) if bias is None else np.array(bias, dtype=float)
    Z, A = operator().run(None, {"Q": Q, "K": K, "V": V, "mask": bias})
    return A[0, 0].tolist(), Z[0, 0].tolist()


def up_to(ahead, n=5):
    """A bias that leaves to query i the keys up to i + `ahead`."""
    return [[0.0] * (k := min(n, i + ahead)) + [-np.inf] * (n - k) for i in range(1, n + 1)]
