"""A key's shadow ends where the perpendicular meets the query, and its length makes the score."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from attnlib import plots

Q = np.array([2.0, 1.5])
KEYS = np.array([[2.5, 0.0], [-1.2, 1.6], [-2.3, 0.4]])
SCORES = np.array([5.0, 0.0, -4.0])


@pytest.fixture
def axes(figures):
    assert plots.shadows(Q, KEYS) is None
    figures[0].draw_without_rendering()  # or texts have the size of the saved picture
    return figures[0].axes[0]


def segments(axes, colour=None, style="-"):
    """The ends of the straight lines of a colour and a style."""
    return [
        line.get_xydata()
        for line in axes.lines
        if line.get_linestyle() == style
        and (colour is None or to_hex(line.get_color()).upper() == colour)
    ]


def test_a_shadow_has_the_length_that_times_the_query_is_the_score(axes):
    np.testing.assert_allclose(KEYS @ Q, SCORES, atol=1e-12)
    bands = [line for line in axes.lines if line.get_linewidth() == 5]
    ends = np.array([band.get_xydata()[1] for band in bands])
    assert all((band.get_xydata()[0] == 0).all() for band in bands)
    lengths = ends @ Q / np.linalg.norm(Q)
    np.testing.assert_allclose(lengths * np.linalg.norm(Q), SCORES[[0, 2]])
    # along the query, and nowhere else
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), np.abs(lengths))
    # minus is grey
    assert [to_hex(band.get_color()).upper() for band in bands] == ["#5B3EA6", "#6B6B6B"]


def test_perpendiculars_lead_from_the_keys_to_their_shadows(axes):
    found = segments(axes, style="--")
    np.testing.assert_array_equal([start for start, _ in found], KEYS)
    for start, end in found:
        assert abs((end - start) @ Q) < 1e-9


def test_query_and_keys_are_drawn_from_0_in_their_colours(axes):
    (query,) = segments(axes, "#0072B2")
    np.testing.assert_array_equal(query, [[0, 0], Q])
    np.testing.assert_array_equal([end for _, end in segments(axes, "#B84A00")], KEYS)
    assert axes.get_aspect() == 1
    texts = {text.get_text() for text in axes.texts}
    assert texts == {"q", "k₁", "k₂", "k₃", "shadow 2.0", "no shadow", "shadow −1.6"}


def test_no_label_covers_another_a_line_or_a_shadow(axes):
    boxes = [text.get_window_extent() for text in axes.texts]
    inside = axes.figure.bbox
    for k, box in enumerate(boxes):
        assert inside.contains(*box.min)
        assert inside.contains(*box.max)
        assert not any(box.overlaps(other) for other in boxes[:k])
        for line in axes.lines:
            if line.get_linestyle() == "-":
                path = axes.transData.transform(line.get_xydata())
                points = np.linspace(*path, 50)
                assert not any(box.contains(*point) for point in points), axes.texts[k]


@pytest.mark.parametrize(
    ("q", "keys", "message"),
    [
        ([1.0, 0.0, 0.0], KEYS, r"two features, not shapes \(3,\) and \(3, 2\)"),
        (Q, [[1.0], [2.0]], r"two features, not shapes \(2,\) and \(2, 1\)"),
        ([0.0, 0.0], KEYS, "q is 0 and has no direction"),
        (Q, Q, "keys must have 2 axes"),
    ],
)
def test_bad_data_is_refused_by_name(figures, q, keys, message):
    with pytest.raises(ValueError, match=message):
        plots.shadows(q, keys)
    assert not figures
