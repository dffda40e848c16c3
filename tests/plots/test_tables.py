"""Matrices side by side: every number printed, colours by kind, groups parted by lines."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from attnlib.plots import palette, tables

A = np.array([[1.0, -2.0], [0.25, 0.0], [3.0, -6.0]])
B = np.array([[0.5], [1.0], [0.0]])


def matrices(figure):
    return [axes.collections[0] for axes in figure.axes]


def test_one_picture_the_same_bytes_twice(shown):
    for _ in range(2):
        assert tables({"A": (A, "signed"), "B": (B, "weights")}) is None
    first, second = shown[0]
    assert first == second


def test_every_value_is_printed_in_its_cell_unless_numbers_are_switched_off(shown):
    tables({"A": (A, "signed")})
    tables({"A": (A, "signed")}, decimals=None)
    with_numbers, without = shown[1]
    texts = {t.get_position(): t.get_text() for t in with_numbers.axes[0].texts}
    assert texts[1, 0] == "−2.00"
    assert texts[0, 1] == "0.25"
    assert len(texts) == A.size
    assert not any(t.get_text() for t in without.axes[0].texts)


def test_a_title_stands_above_its_own_matrix(shown):
    tables({"A": (A, "signed"), "B": (B, "weights")})
    found = {axes.get_title(): axes.collections[0].get_array() for axes in shown[1][0].axes}
    assert [*found] == ["A", "B"]
    np.testing.assert_array_equal(found["A"], A.ravel())
    np.testing.assert_array_equal(found["B"], B.ravel())


def test_weights_run_from_0_to_1_and_every_other_panel_is_centred_on_0(shown):
    tables({"A": (A, "signed"), "B": (B, "weights"), "C": (A / 2, "key")})
    assert [cells.get_clim() for cells in matrices(shown[1][0])] == [(-6, 6), (0, 1), (-3, 3)]


@pytest.mark.parametrize("role", ["signed", "query", "key", "value"])
def test_a_role_has_its_own_colour_and_minus_is_grey(shown, role):
    tables({"A": (A, role)})
    (cells,) = matrices(shown[1][0])
    ends = [to_hex(cells.cmap(x)).upper() for x in (0.0, 1.0)]
    assert ends == ["#6B6B6B", palette()[role].upper()]
    assert cells.cmap(0.5)[3] == 0, "0 has no colour"


def test_a_symbol_above_a_matrix_has_the_colour_of_its_role_and_words_have_none(shown):
    tables({"K": (A, "key"), "after": (A, "signed"), "X": (A, "plain")})
    colours = [axes.title.get_color() for axes in shown[1][0].axes]
    assert colours == [palette()["key"], "black", "black"]


def test_numbers_without_a_role_have_one_grey_for_both_signs(shown):
    tables({"X": (A, "plain")})
    (cells,) = matrices(shown[1][0])
    assert {to_hex(cells.cmap(x)).upper() for x in (0.0, 1.0)} == {"#6B6B6B"}


def test_groups_are_parted_and_named(shown):
    M = np.arange(36.0).reshape(6, 6)
    tables({"M": (M, "signed")}, decimals=None, groups=(3, 1, 2))
    (axes,) = shown[1][0].axes
    lines = [line.get_xdata()[0] for line in axes.lines[:2]]
    assert lines == [2.5, 3.5]
    assert [t.get_text() for t in axes.get_xticklabels()] == ["1–3", "4", "5–6"]
    assert list(axes.get_yticks()) == [1, 3, 4.5]


@pytest.mark.parametrize(
    ("panels", "groups", "match"),
    [
        ({"A": (A[0], "signed")}, None, "must have 2 axes"),
        ({"A": (A, "score")}, None, "kind must be"),
        ({"A": (A, "signed"), "B": (B[:2], "weights")}, None, "one number of rows"),
        ({"A": (A[:2], "signed")}, (1, 2), "groups add up to 3"),
    ],
)
def test_bad_input_is_refused_by_name(panels, groups, match):
    with pytest.raises(ValueError, match=match):
        tables(panels, groups=groups)
