"""Repeated runs: medians, ranges, starts, all where they belong."""

import re

import numpy as np
import pytest

from attnlib.plots.curves import APART, spread

STEPS = [0.1, 1.0, 10.0, 1000.0]
RUNS = np.array([[1.0, 5.0, 2.0, 4.0], [3.0, -1.0, 8.0, 6.0], [2.0, 0.0, 3.0, 9.0]])
PANELS = {"few": {"a": RUNS, "b": 2 * RUNS}, "many": {"a": RUNS + 1, "b": RUNS + 2}}
START = {
    "few": {"a": [7.0, 5.0, 4.0], "b": [1.0, 1.5, 0.5]},
    "many": {"a": [7.0, 5.0, 4.0], "b": [1.0, 1.5, 0.5]},
}


@pytest.fixture
def drawn(shown):
    """Draw, and return the figure that would be shown, and all pictures so far."""
    pictures, figures = shown

    def draw(*args, **kwargs):
        assert spread(*args, **kwargs) is None
        return figures[-1], pictures

    return draw


def bars(axes):
    """Middle and ends of the bars of each line and of each start, in the order of drawing."""
    found = []
    for container in axes.containers:
        line, _, (segments,) = container.lines
        ends = [tuple(segment[:, 1]) for segment in segments.get_segments()]
        found.append((line.get_xdata(), line.get_ydata(), ends))
    return found


def test_lines_are_medians_and_bars_reach_from_the_lowest_run_to_the_highest(drawn):
    figure, _ = drawn(STEPS, PANELS, start=START)
    x, middle, ends = bars(figure.axes[0])[0]
    np.testing.assert_array_equal(middle, [2, 0, 3, 6])
    np.testing.assert_allclose(ends, [(1, 3), (-1, 5), (2, 8), (4, 9)])
    np.testing.assert_allclose(x, np.arange(1, 5) - APART / 2)
    assert [axes.get_title() for axes in figure.axes] == ["few", "many"]
    np.testing.assert_array_equal(bars(figure.axes[1])[2][1], [4, 2, 5, 8])


def test_the_start_stands_on_the_left_and_is_named(drawn):
    figure, _ = drawn(STEPS, PANELS, start=START, xlabel="step size")
    starts = bars(figure.axes[0])[1::2]
    assert [list(middle) for _, middle, _ in starts] == [[5], [1]]
    np.testing.assert_allclose([ends[0] for _, _, ends in starts], [(4, 7), (0.5, 1.5)])
    assert all(abs(x[0]) < 0.5 for x, _, _ in starts)
    labels = [tick.get_text() for tick in figure.axes[-1].get_xticklabels()]
    assert labels == ["start", "0.1", "1", "10", "1000"]
    assert figure.axes[-1].get_xlabel() == "step size"


def test_one_scale_that_holds_every_bar_and_zero(drawn):
    figure, _ = drawn(STEPS, PANELS, start=START)
    (low, high), other = (axes.get_ylim() for axes in figure.axes)
    assert (low, high) == other
    assert low <= -2
    assert high >= 18
    positive = {"p": {"a": RUNS + 5}}
    figure, _ = drawn(STEPS, positive, start={"p": {"a": [9.0, 8.0, 7.0]}})
    assert figure.axes[0].get_ylim()[0] == 0


def test_every_line_is_in_the_legend_once_and_the_bytes_repeat(drawn):
    figure, shown = drawn(STEPS, PANELS, start=START)
    drawn(STEPS, PANELS, start=START)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("panels", "start", "message"),
    [
        ({"p": {"a": RUNS[:, :3]}}, {"p": {"a": [1, 2, 3]}}, "has shape (3, 3), but x has"),
        ({"p": {"a": RUNS[0]}}, {"p": {"a": [1]}}, "has shape (4,), but x has shape (4,)"),
        ({"p": {"a": RUNS}}, {"p": {"a": [1, 2]}}, "but its start has shape (2,)"),
        ({"p": dict.fromkeys("abcde", RUNS)}, {}, "panels['p'] has 5 lines, at most 4"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(panels, start, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        spread(STEPS, panels, start=start)
