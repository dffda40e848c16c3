"""Level lines: each stands where mixtures have its height, and is solid where there are some."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from attnlib import plots
from attnlib.plots.levels import crossing

V = np.array([[-1.0, 2.0], [1.0, 1.0], [-2.0, 0.0], [2.0, -1.0], [1.0, 3.0]])
SHARE = [0.0, 0.0, 1.0]
SUMS = V.sum(axis=1)
Z = np.array([0.3, 0.2, 0.5]) @ V[:3]
PANELS = {
    "share": ("weights", SHARE, [0, 0.5, 1], {"z": Z}),
    "sum": ("plain", SUMS, [-2, 0, 4, 9], {}),
}


def solid(axes):
    return [line.get_xydata() for line in axes.lines if line.get_linestyle() == "-"]


def dotted(axes):
    return [line.get_xydata() for line in axes.lines if line.get_linestyle() == ":"]


def names(axes):
    return [text.get_text() for text in axes.texts]


def test_a_line_of_a_share_runs_between_points_that_have_this_share(figures):
    assert plots.level_lines(V, PANELS) is None
    share, _ = figures[0].axes
    zero, half, one = solid(share)
    assert {*map(tuple, zero)} == {*map(tuple, V[:2])}
    middles = (V[[0, 1]] + V[2]) / 2
    np.testing.assert_allclose(np.sort(half, axis=0), np.sort(middles, axis=0))
    np.testing.assert_allclose(one, V[[2]])
    assert {to_hex(line.get_color()).upper() for line in share.lines} == {"#A3487C"}


def test_outside_the_hull_a_line_goes_on_in_its_own_direction(figures):
    plots.level_lines(V, PANELS)
    for axes, heights in zip(figures[0].axes, (SHARE, SUMS), strict=True):
        places = np.column_stack([V[: len(heights)], np.ones(len(heights))])
        slope, *_ = np.linalg.lstsq(places, np.array(heights))
        for start, end in dotted(axes):
            np.testing.assert_allclose(slope[:2] @ (end - start), 0, atol=1e-12)


def test_a_height_that_no_mixture_has_is_not_drawn(figures):
    plots.level_lines(V, PANELS)
    _, sums = figures[0].axes
    touching = [ends for ends in solid(sums) if len(ends) == 1]
    np.testing.assert_array_equal(touching, [V[[2]], V[[4]]])
    assert len(solid(sums)) == 3
    assert names(sums) == ["−2", "0", "4", "v₁", "v₂", "v₃", "v₄", "v₅"]


def test_only_the_values_that_have_a_height_are_there_and_the_outputs(figures):
    plots.level_lines(V, PANELS)
    share, _ = figures[0].axes
    values, output = share.collections
    np.testing.assert_array_equal(values.get_offsets(), V[:3])
    np.testing.assert_array_equal(output.get_offsets(), [Z])
    assert {*map(tuple, share.patches[0].get_xy())} == {*map(tuple, V[:3])}
    assert names(share) == ["0", "0.5", "1", "v₁", "v₂", "v₃", "z"]
    assert [axes.get_title() for axes in figures[0].axes] == ["share", "sum"]


@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, 1.0), (2.0, -1.0)])
def test_a_line_enters_and_leaves_a_hull_at_its_height(direction):
    slope = np.array([*direction, 0.5])
    heights = V @ slope[:2] + 0.5
    for level in np.linspace(heights.min() + 0.01, heights.max() - 0.01, 7):
        ends = crossing(V, slope, level)
        assert ends.shape == (2, 2)
        np.testing.assert_allclose(ends @ slope[:2] + 0.5, level)
    assert crossing(V, slope, heights.max() + 1).shape == (0, 2)


@pytest.mark.parametrize(
    ("values", "panel", "message"),
    [
        (V[:, :1], PANELS["share"], "two columns to be drawn in the plane"),
        (V, ("signed", SHARE, [], {}), "kind must be one of 'weights', 'plain', not 'signed'"),
        (V, ("plain", [1.0] * 6, [], {}), "panel 'p' has 6 heights"),
        (V, ("plain", [0.0, 1.0], [], {}), "the values of panel 'p' lie on one line"),
        (V, ("plain", [0, 0, 0, 1, 0], [], {}), "heights of panel 'p' are not those of a plane"),
    ],
)
def test_bad_data_is_refused_by_name(figures, values, panel, message):
    with pytest.raises(ValueError, match=message):
        plots.level_lines(values, {"p": panel})
    assert not figures
