"""The Jacobian of softmax: derivatives, dtypes, refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attnlib.attention import softmax
from attnlib.gradients import softmax_jacobian


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def central_differences(f, x, step=1e-5):
    """Return ∂f/∂x of a function of one float64 array, the axes of x last."""
    derivatives = []
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        derivatives.append((f(up) - f(down)) / (2 * step))
    derivatives = np.array(derivatives).reshape(*x.shape, *np.shape(f(x)))
    return np.moveaxis(derivatives, range(x.ndim), range(-x.ndim, 0))


def assert_relative(actual, expected, tolerance=1e-6):
    """Compare with the largest entry: a derivative near 0 has no relative accuracy of its own."""
    assert actual.shape == expected.shape
    largest = np.abs(expected).max(initial=0)
    assert np.abs(actual - expected).max(initial=0) <= tolerance * largest


@pytest.mark.claim("4.3")
def test_softmax_jacobian_equals_central_differences():
    x = normal(6)
    assert_relative(softmax_jacobian(softmax(x)), central_differences(softmax, x), 1e-9)


def test_softmax_jacobian_runs_over_the_last_axis():
    p = softmax(normal(2, 3, 5))
    J = softmax_jacobian(p)
    assert J.shape == (2, 3, 5, 5)
    for index in np.ndindex(2, 3):
        row = p[index]
        assert_allclose(J[index], np.diag(row) - np.outer(row, row), rtol=0, atol=1e-16)
    assert_allclose(J.sum(axis=-1), 0, atol=1e-15)


@pytest.mark.parametrize(
    ("given_dtype", "expected"),
    [("e", np.float16), ("f", np.float32), ("d", np.float64), ("?", np.float64)],
)
def test_softmax_jacobian_dtypes(given_dtype, expected):
    p = np.array([0, 1, 0]).astype(given_dtype)
    assert_array_equal(softmax_jacobian(p), np.zeros((3, 3), expected), strict=True)


def test_softmax_jacobian_is_silent_where_numpy_is_told_to_raise():
    with np.errstate(all="raise"):
        J = softmax_jacobian(np.array([1, 1e-30, 1e-30], np.float32))
    assert J[1, 2] == 0


def test_softmax_jacobian_keeps_what_is_left_near_saturation():
    p = np.array([1 - 2.0**-20, 2.0**-20], np.float32)
    exact = p.astype(np.float64)
    assert_allclose(softmax_jacobian(p)[0, 0], exact[0] * (1 - exact[0]), rtol=1e-6)


@pytest.mark.parametrize(
    ("p", "error", "message"),
    [
        (1.0, ValueError, r"^p is a single number; .* shape \(\.\.\., n\)$"),
        ([1j], TypeError, "p has dtype complex128"),
    ],
)
def test_softmax_jacobian_refuses(p, error, message):
    with pytest.raises(error, match=message):
        softmax_jacobian(p)


def test_softmax_jacobian_of_no_entries_is_empty():
    assert softmax_jacobian(np.empty((3, 0))).shape == (3, 0, 0)
