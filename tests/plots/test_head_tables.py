"""Tables with a row for each head: every value in its place, one scale, the columns named."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from attnlib.plots import head_tables, palette

COLUMNS = ("giver", "thing", "time")
TABLE = np.array([[0.25, 1.0, 0.0], [0.5, 0.04, 0.375]])


def test_every_value_stands_in_its_cell(figures):
    assert head_tables({"run 1": TABLE}, COLUMNS, decimals=2) is None
    texts = {t.get_position(): t.get_text() for t in figures[0].axes[0].texts}
    assert texts == {(r, h): f"{TABLE[h, r]:.2f}" for h, r in np.ndindex(2, 3)}
    drawn = figures[0].axes[0].collections[0].get_array()
    np.testing.assert_array_equal(drawn.reshape(TABLE.shape), TABLE)


def test_heads_are_counted_from_1_and_columns_named_in_every_panel(figures):
    head_tables({"run 1": TABLE, "run 2": TABLE / 2}, COLUMNS, rows="without head h")
    left, right = figures[0].axes
    assert [axes.get_title() for axes in (left, right)] == ["run 1", "run 2"]
    for axes in (left, right):
        assert [label.get_text() for label in axes.get_xticklabels()] == list(COLUMNS)
    assert [label.get_text() for label in left.get_yticklabels()] == ["1", "2"]
    assert left.get_ylabel() == "without head h"


@pytest.mark.parametrize(("kind", "colour"), [("weights", None), ("accuracy", "#4D4D4D")])
def test_the_scale_runs_from_0_to_1_in_the_colour_of_the_kind(figures, kind, colour):
    head_tables({"a": TABLE / 2, "b": TABLE / 4}, COLUMNS, kind=kind)
    for axes in figures[0].axes:
        (cells,) = axes.collections
        assert cells.get_clim() == (0, 1)
        darkest = to_hex(cells.get_cmap()(1.0)).upper()
        assert darkest == (colour or palette()["weights"]).upper()


@pytest.mark.parametrize(
    ("panels", "options", "message"),
    [
        ({"a": TABLE}, {"kind": "scores"}, "kind must be one of 'weights', 'accuracy'"),
        ({}, {}, r"one shape \(H, 3\), not \{\}"),
        ({"a": TABLE[:, :2]}, {}, r"one shape \(H, 3\), not \{'a': \(2, 2\)\}"),
        ({"a": TABLE, "b": TABLE[:1]}, {}, r"one shape \(H, 3\)"),
        ({"a": TABLE[0]}, {}, r"panels\['a'\] must have 2 axes"),
        ({"a": TABLE + 0.1}, {}, r"panels\['a'\] has an entry that is not between 0 and 1"),
        ({"a": TABLE * np.nan}, {}, r"panels\['a'\] has an entry that is not between 0 and 1"),
    ],
)
def test_bad_data_is_refused_by_name(figures, panels, options, message):
    with pytest.raises(ValueError, match=message):
        head_tables(panels, COLUMNS, **options)
    assert not figures
