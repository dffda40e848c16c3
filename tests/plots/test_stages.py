"""The stages of a head: every matrix in its shape, with its name and size, joined in order."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from attnlib import plots, self_attention
from attnlib.example import running_example
from attnlib.plots.stages import CELL, PLACES, STEPS, _stages

GIVEN = running_example()[2:]
ROLES = {"Q": "query", "K": "key", "V": "value", "A": "weights", "Z": "output"}


@pytest.fixture
def axes(figures):
    assert plots.head_stages(*GIVEN) is None
    return figures[0].axes[0]


def frames(axes):
    """The outline of each matrix by its place: how many rows and columns its cells would fill."""
    outlines = [patch for patch in axes.patches if patch.get_linewidth() > 1]
    found = {}
    for outline in outlines:
        x, y = outline.get_center()
        name = next(n for n, place in PLACES.items() if np.allclose(place[:2], (x, y)))
        size = outline.get_height() / CELL, outline.get_width() / CELL
        found[name] = tuple(np.round(size, 6)), to_hex(outline.get_edgecolor()).upper()
    return found


def test_every_matrix_has_its_shape_and_its_role(axes):
    matrices = _stages(*GIVEN)
    assert {name: shape for name, (shape, _) in frames(axes).items()} == {
        name: values.shape for name, values in matrices.items()
    }
    for name, role in ROLES.items():
        assert frames(axes)[name][1] == plots.palette()[role]
    cells = [patch for patch in axes.patches if patch.get_linewidth() == 0]
    assert len(cells) == sum(values.size for values in matrices.values())


def test_the_numbers_on_the_way_are_those_of_the_library():
    found, trace = _stages(*GIVEN), self_attention(*GIVEN)
    for name in "QKVAZ":
        np.testing.assert_allclose(found[name], getattr(trace, name))
    np.testing.assert_allclose(found["S"], found["Q"] @ found["K"].T)
    np.testing.assert_allclose(found["S̃"] * 3**0.5, found["S"])


def test_a_cell_is_as_strong_as_its_entry_and_grey_below_0(axes):
    cells = [patch for patch in axes.patches if patch.get_linewidth() == 0]
    values = np.concatenate([values.ravel() for values in _stages(*GIVEN).values()])
    for cell, value in zip(cells, values, strict=True):
        assert (cell.get_alpha() == 0) == (value == 0)
        assert (to_hex(cell.get_facecolor()).upper() == "#6B6B6B") == (value < 0)


def test_names_sizes_and_steps_are_written(axes):
    texts = [text.get_text() for text in axes.texts]
    said = [*PLACES, *("{} × {}".format(*values.shape) for values in _stages(*GIVEN).values())]
    said += [word for _, _, words in STEPS for word in words]
    assert sorted(text for text in texts if text) == sorted(said)
    assert {text.get_fontsize() for text in axes.texts if text.get_text()} == {13.5}


def test_each_arrow_ends_at_its_matrices_and_crosses_no_other(axes):
    arrows = [text for text in axes.texts if isinstance(text, Annotation)]
    assert len(arrows) == len(STEPS)
    matrices = _stages(*GIVEN)
    for arrow, (start, end, _) in zip(arrows, STEPS, strict=True):
        tail, head = np.array(arrow.xyann), np.array(arrow.xy)
        for t in np.linspace(0, 1, 50):
            x, y = tail + t * (head - tail)
            for name, values in matrices.items():
                half_height, half_width = CELL / 2 * np.array(values.shape)
                away = np.array([abs(x - PLACES[name][0]), abs(y - PLACES[name][1])])
                assert (away > (half_width, half_height)).any(), (start, end, name)


def test_what_is_no_matrix_is_refused_by_name(figures):
    with pytest.raises(ValueError, match=r"W_K must have 2 axes, not shape \(4,\)"):
        plots.head_stages(GIVEN[0], GIVEN[1], np.ones(4), GIVEN[3])
    assert not figures
