"""Walks: every sum is drawn as it grows, between the curves of the root."""

import numpy as np
import pytest

from attnlib.plots import walks

COUNTS = [0, 4, 9, 25]
SUMS = np.array([[0.0, 1.0, -2.0, 3.0], [0.0, -4.0, 5.0, 12.0]])


def test_each_row_is_a_walk_and_the_curves_are_the_roots(figures):
    walks(COUNTS, SUMS, xlabel="products added", ylabel="sum")
    (axes,) = figures[-1].axes
    drawn = [(line.get_xdata(), line.get_ydata()) for line in axes.lines]
    for row, (x, y) in zip(SUMS, drawn[:2], strict=True):
        np.testing.assert_array_equal(x, COUNTS)
        np.testing.assert_array_equal(y, row)
    for (x, y), factor in zip(drawn[2:], (1, -1, 2, -2), strict=True):
        np.testing.assert_allclose(y, factor * np.sqrt(x))
        assert x[-1] == 25
    assert [text.get_text() for text in axes.texts] == ["±√r", "±2√r"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("products added", "sum")


def test_a_walk_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"sums has shape \(2, 4\), but counts has shape \(3,\)"):
        walks(COUNTS[:3], SUMS)
