"""Values in the plane: the hull has the right corners, and the figure shows what it is given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba

from attnlib import plots
from attnlib.plots.geometry import corners

V = np.array([[-1.0, 2.0], [1.0, 1.0], [-2.0, 0.0], [2.0, -1.0], [1.0, 3.0]])
WEIGHTS = np.array([0.2, 0.5, 0.3])


def test_corners_go_round_the_hull_and_leave_out_what_lies_inside_or_on_an_edge():
    square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]])
    points = np.vstack([[[1, 1], [1, 0], [2, 2]], square])
    assert corners(points).tolist() == square.tolist()
    assert {*map(tuple, corners(V))} == {*map(tuple, V[[0, 2, 3, 4]])}
    assert corners([[1, 2], [1, 2]]).tolist() == [[1, 2]]
    assert corners([[0, 0], [2, 2], [1, 1]]).tolist() == [[0, 0], [2, 2]]


def test_areas_are_weights_and_what_is_not_visible_is_hollow_and_outside_the_hull(figures):
    assert plots.mixtures(V, {"seen": (WEIGHTS, {"z": WEIGHTS @ V[:3]})}) is None
    (axes,) = figures[0].axes
    visible, hidden, output = axes.collections
    np.testing.assert_array_equal(visible.get_offsets(), V[:3])
    areas = visible.get_sizes()
    np.testing.assert_allclose(areas / areas.sum(), WEIGHTS)
    np.testing.assert_array_equal(hidden.get_offsets(), V[3:])
    assert (hidden.get_facecolor() == to_rgba("white")).all()
    np.testing.assert_array_equal(output.get_offsets(), [WEIGHTS @ V[:3]])
    assert {*map(tuple, axes.patches[0].get_xy())} == {*map(tuple, V[:3])}
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["v₁ 0.20", "v₂ 0.50", "v₃ 0.30", "v₄", "v₅", "z"]
    assert axes.get_aspect() == 1
    assert {to_hex(c).upper() for c in visible.get_facecolor()} == {"#00795A"}  # values
    assert {to_hex(patch.get_edgecolor()).upper() for patch in axes.patches[1:]} == {"#00795A"}
    assert to_hex(output.get_facecolor()[0]).upper() == "#8A5F00"
    assert to_hex(axes.texts[-1].get_color()).upper() == "#8A5F00"


def test_panels_share_their_scale_and_places_left_over_stay_empty(figures):
    output = {"z": V[0]}
    panels = {"one": (WEIGHTS, output), "two": (None, output), "three": (WEIGHTS[:1], output)}
    plots.mixtures(V, panels, columns=2)
    axes = figures[0].axes
    assert [panel.get_visible() for panel in axes] == [True, True, True, False]
    assert len({panel.get_xlim() + panel.get_ylim() for panel in axes[:3]}) == 1
    low, high = np.transpose([axes[0].get_xlim(), axes[0].get_ylim()])
    assert (low < V.min(axis=0)).all()
    assert (high > V.max(axis=0)).all()
    assert [text.get_text() for text in axes[1].texts] == ["v₁", "v₂", "v₃", "v₄", "v₅", "z"]


@pytest.mark.parametrize(
    ("values", "weights", "message"),
    [
        (V[:, :1], WEIGHTS, r"two columns to be drawn in the plane, not shape \(5, 1\)"),
        (V, np.ones(6), r"panel 'p' has 6 weights, V has shape \(5, 2\)"),
        (V, [], "panel 'p' has 0 weights"),
        (V, [[1.0]], "weights of 'p' must have 1 axes"),
    ],
)
def test_bad_data_is_refused_by_name(figures, values, weights, message):
    with pytest.raises(ValueError, match=message):
        plots.mixtures(values, {"p": (weights, {})})
    assert not figures
