"""assert_same proves, refutes, or says that it can do neither; it never claims what it cannot."""

import random

import numpy as np
import pytest
import sympy as sp

from attnlib.symbolic import UndecidedError, assert_same, is_same

x, y, z = sp.symbols("x y z", real=True)
d = sp.Symbol("d", positive=True)
m = sp.Symbol("m", negative=True)
w = sp.Symbol("w")  # any complex number
k = sp.Symbol("k", integer=True)
i, j, n = sp.symbols("i j n", integer=True)
f = sp.Function("f")
Q = sp.IndexedBase("Q")
M = sp.MatrixSymbol("M", 2, 3)
N = sp.MatrixSymbol("N", 3, 2)
exp, sqrt, R = sp.exp, sp.sqrt, sp.Rational

SAME = [
    (0, 0),
    ((x + 1) ** 2, x**2 + 2 * x + 1),
    ((x**2 - 1) / (x - 1), x + 1),
    (exp(x) / (exp(x) + exp(y)), 1 / (1 + exp(y - x))),
    (exp(x * (y + 1)), exp(x * y) * exp(x)),
    (exp(x / 2) ** 2 * exp(x / 3), exp(R(4, 3) * x)),
    (exp(x / sqrt(3)), exp(x * sqrt(3) / 3)),
    (exp(x + 1), sp.E * exp(x)),
    (exp(sp.Max(x, y) - x) * exp(x), exp(sp.Max(x, y))),
    (1 / (1 + sqrt(2)), sqrt(2) - 1),
    (sqrt(6), sqrt(2) * sqrt(3)),
    (2 ** R(1, 3) * 4 ** R(1, 3), 2),
    (1 / (sqrt(2) + sqrt(3)), sqrt(3) - sqrt(2)),
    (d / sqrt(d), sqrt(d)),
    ((1 - d) / (1 - sqrt(d)), 1 + sqrt(d)),
    (sqrt(m**2), -m),
    ((f(x) + 1) ** 2, f(x) ** 2 + 2 * f(x) + 1),
    (Q[i, j] * x - x * Q[i, j] + 1, 1),
    (sp.Sum(x, (i, 1, n)), n * x),
    (sp.Sum(Q[i], (i, 1, 3)), Q[1] + Q[2] + Q[3]),
    (sp.Derivative(x**2, x), 2 * x),
    (-sp.oo, -sp.oo),
    ([x, 2 * x], [x, x + x]),
    (np.array([[1, 2, 3]]), sp.Matrix([[1, 2, 3]])),
    (sp.Array([[[x * 2]]]), sp.Array([[[x + x]]])),
    ((M * N).T, N.T * M.T),
    (sp.zeros(0, 3), sp.zeros(0, 3)),
]

DIFFERENT = [
    (x, y),
    (x, x + R(1, 10**9)),
    (exp(x), exp(y)),
    (exp(x) / (exp(x) + exp(y)), exp(x) / (1 + exp(y))),
    (exp(x / sqrt(3)), exp(x / 3)),
    (x / d, x / sqrt(d)),
    (sqrt(2), R(141421356237, 10**11)),
    (sqrt(w**2), w),
    (sqrt(x * y), sqrt(x) * sqrt(y)),
    (sqrt(m**2), m),
    (sqrt(exp(w)) + w, exp(w) + w),
    (k / 2, k),
    (f(x), f(y)),
    (f(f(x)), f(x)),
    (Q[i, j], Q[j, i]),
    (sp.sin(x), x),
    (-sp.oo, x),
    (sp.oo, -sp.oo),
    (M * N, (M * N).T),
    ([x, y], [y, x]),
]

UNDECIDED = [
    (sp.sin(x) ** 2 + sp.cos(x) ** 2, 1),  # true, but no rational function
    (f(sp.sin(x) ** 2 + sp.cos(x) ** 2), f(1)),
    (sp.Sum(f(i), (i, 1, n)), sp.Sum(f(j), (j, 1, n))),  # true as well
    (sp.Sum(Q[i], (i, 1, n)), 2 * sp.Sum(Q[i], (i, 1, n))),
    (sp.Derivative(f(x), x), f(x)),
    (sp.nan, sp.nan),
    (sp.zoo, sp.zoo),
    (sp.Symbol("u", irrational=True), 0),  # there is no exact number to put in
    (x / (exp(w + 1) - sp.E * exp(w)), x / (exp(w + 1) - sp.E * exp(w)) * 2),  # divides by 0
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_equal_expressions_are_proved_equal(left, right):
    assert assert_same(left, right) is None
    assert_same(right, left)
    assert is_same(left, right) is True


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different_expressions_are_refuted(left, right):
    assert is_same(left, right) is False
    assert is_same(right, left) is False


@pytest.mark.parametrize(("left", "right"), UNDECIDED)
def test_what_is_neither_proved_nor_refuted_is_said_to_be_undecided(left, right):
    with pytest.raises(UndecidedError, match="neither proved equal nor refuted"):
        assert_same(left, right)
    with pytest.raises(UndecidedError):
        is_same(left, right)


def test_noncommuting_factors_are_not_exchanged():
    a, b = sp.symbols("a b", commutative=False)
    with pytest.raises(UndecidedError):
        assert_same(a * b, b * a)


def test_a_root_of_an_exponential_is_not_taken_apart_for_complex_numbers():
    # sqrt(e^w) = e^(w/2) fails for w = 2πi
    with pytest.raises(AssertionError):
        assert_same(sqrt(exp(w)), exp(w / 2))
    with pytest.raises(AssertionError):
        assert_same(exp(w * (sp.log(x) + y) / 2), sqrt(x**w) * exp(w * y / 2))


def test_the_message_names_the_entry_and_a_point_that_refutes():
    left, right = sp.Matrix([[x, y, x], [x, y, x * y]]), sp.Matrix([[x, y, x], [x, y, y / x]])
    with pytest.raises(AssertionError) as caught:
        assert_same(left, right)
    message = str(caught.value)
    assert "entry (2, 3), counted from 1" in message
    point = dict(
        (sp.Symbol(name, real=True), R(value))
        for name, value in (line.split(" = ") for line in message.split("for\n")[1].splitlines())
        for name in [name.strip()]
    )
    assert set(point) == {x, y}
    a, b = (side[1, 2].subs(point) for side in (left, right))
    assert f"left is {sp.N(a, 6)}, right is {sp.N(b, 6)}" in message
    assert a != b


def test_other_shapes_differ_and_the_message_says_which():
    with pytest.raises(AssertionError, match=r"left has shape \(1, 2\), right has shape \(2, 1\)"):
        assert_same(sp.ones(1, 2), sp.ones(2, 1))
    with pytest.raises(AssertionError, match=r"shape \(1, 1\), right has shape \(\)"):
        assert_same(sp.ones(1, 1), 1)
    assert is_same(sp.ones(1, 2), sp.ones(2, 1)) is False


def test_long_expressions_are_shortened_in_messages():
    long = sp.Add(*sp.symbols("x1:120"))
    with pytest.raises(AssertionError, match=r"… \(\d+ characters\)"):
        assert_same(long, 0)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0.5, "floating point number 0.5"),
        (sp.Matrix([[x + 0.25]]), "floating point number 0.25"),
        (np.array([[0.1]]), "floating point number 0.1"),
        (sp.MatrixSymbol("M", n, 2), "matrix of unknown size"),
        (x > 1, "no number or expression"),
        ([[True]], "no number or expression"),
    ],
)
def test_what_is_not_exact_is_refused(value, message):
    with pytest.raises(TypeError, match="left.*" + message):
        assert_same(value, value)


def grown(rng, depth):
    """Return a random expression of the kind that attention is made of."""
    if depth == 0:
        return rng.choice([x, y, z, d, sp.Integer(rng.randint(-2, 3)), sqrt(rng.choice([2, 3, 6]))])
    a, b = grown(rng, depth - 1), grown(rng, depth - 1)
    kind = rng.randrange(5)
    if kind == 0:
        return a + b
    if kind == 1:
        return a * b
    if kind == 2:
        return a / (1 + exp(b)) if depth < 3 else a - b
    if kind == 3:
        return exp(R(rng.randint(-3, 3), rng.randint(1, 3)) * rng.choice([x, y]) * d)
    return sqrt(d) * a


def test_random_expressions_equal_their_rewritten_forms_and_nothing_near_them():
    rng = random.Random(11)
    for _ in range(60):
        expr = grown(rng, 3)
        for rewritten in (sp.expand(expr), sp.together(expr), sp.factor_terms(expr) + 0):
            assert_same(rewritten, expr)
        changed = expr + R(1, 10**6) * exp(x) if rng.random() < 0.5 else expr + z**2 * R(1, 997)
        assert not is_same(changed, expr)
