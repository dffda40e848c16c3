"""Curves of several trainings: every run is drawn, and the median, on one scale from 0."""

import numpy as np
import pytest

from attnlib.plots import runs

X = [20, 40, 60, 80]
RUNS = np.array([[3.0, 1.0, 2.5], [2.0, 0.5, 1.5], [1.0, 0.5, 1.2], [0.5, 0.4, 0.3]])


def test_one_picture_the_same_bytes_twice(shown):
    for _ in range(2):
        assert runs(X, {"a": RUNS, "b": RUNS[:, :2]}, level=("chance", 0.8)) is None
    first, second = shown[0]
    assert first == second


def test_every_run_is_drawn_and_their_median(shown):
    runs(X, {"a": RUNS, "b": RUNS[:, :2] + 1}, level=("chance", 0.8))
    first, second = shown[1][0].axes
    curves = [line.get_ydata() for line in first.lines]
    np.testing.assert_array_equal(curves[:3], RUNS.T)
    np.testing.assert_array_equal(curves[3], [2.5, 1.5, 1.0, 0.4])
    assert set(curves[4]) == {0.8}
    assert [line.get_xdata().tolist() for line in first.lines[:4]] == [X] * 4
    assert len(second.lines) == 4
    assert first.get_ylim() == second.get_ylim()
    assert first.get_ylim()[0] == 0
    assert [t.get_text() for t in first.get_xticklabels()] == ["0", "40", "80"]


def test_the_legend_names_what_is_drawn(shown):
    runs(X, {"a": RUNS}, level=("chance", 0.8))
    runs(X, {"a": RUNS})
    names = [[t.get_text() for t in figure.legends[0].get_texts()] for figure in shown[1]]
    assert names == [["one run", "median", "chance"], ["one run", "median"]]


@pytest.mark.parametrize(
    ("ys", "match"), [(RUNS[0], "must have 2 axes"), (RUNS[:3], r"'a'\] has shape \(3, 3\)")]
)
def test_bad_input_is_refused_by_name(shown, ys, match):
    with pytest.raises(ValueError, match=match):
        runs(X, {"a": ys})
