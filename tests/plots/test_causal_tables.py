"""Matrices beside each other: one picture, every value printed, the border where it belongs."""

import numpy as np
import pytest

from attnlib.plots import causal_tables

N = 4
WEIGHTS = np.tri(N) / np.arange(1, N + 1)[:, None]
SIZES = {"a": 3 * WEIGHTS, "b": WEIGHTS, "c": np.zeros((N, N))}


def test_one_picture_the_same_bytes_twice(shown):
    assert causal_tables({"a": WEIGHTS, "b": WEIGHTS}) is None
    causal_tables({"a": WEIGHTS, "b": WEIGHTS})
    first, second = shown[0]
    assert first == second


def test_weights_run_to_one_and_dependence_to_the_largest_entry_of_all(shown):
    causal_tables({"a": WEIGHTS})
    causal_tables(SIZES, kind="dependence")
    assert shown[1][0].axes[0].collections[0].get_clim() == (0, 1)
    assert {axes.collections[0].get_clim() for axes in shown[1][1].axes if axes.collections} == {
        (0, 3)
    }


def test_every_value_is_printed_in_its_cell_and_an_exact_zero_without_decimals(shown):
    causal_tables({"a": [[1, 0], [0.25, 0.004]]})
    texts = {t.get_position(): t.get_text() for t in shown[1][0].axes[0].texts}
    assert texts == {(0, 0): "1.00", (1, 0): "0", (0, 1): "0.25", (1, 1): "0.00"}


def test_the_border_has_every_later_token_above_it_and_no_other(shown):
    causal_tables({"a": WEIGHTS})
    (border,) = shown[1][0].axes[0].lines
    points = border.get_xydata()
    assert points.tolist()[:3] == [[0.5, -0.5], [0.5, 0.5], [1.5, 0.5]]
    assert points.tolist()[-1] == [N - 0.5, N - 1.5]
    assert (np.abs(np.diff(points, axis=0)).sum(axis=-1) == 1).all()
    for i, j in np.ndindex(N, N):
        left_of_border = points[points[:, 0] < j, 1]
        assert (left_of_border.max(initial=-1) > i) == (j > i)


def test_a_panel_that_is_left_over_is_not_drawn(shown):
    causal_tables(SIZES, kind="dependence")
    axes = shown[1][0].axes
    assert [a.get_visible() for a in axes] == [True, True, True, False]
    assert [a.get_title() for a in axes[:3]] == list(SIZES)


@pytest.mark.parametrize(
    ("panels", "options", "message"),
    [
        ({"a": WEIGHTS}, {"kind": "scores"}, "kind must be one of 'weights', 'dependence'"),
        ({}, {}, "square and of one size"),
        ({"a": WEIGHTS[:2]}, {}, r"square and of one size, not {'a': \(2, 4\)}"),
        ({"a": WEIGHTS, "b": np.eye(2)}, {}, "square and of one size"),
        ({"a": WEIGHTS[0]}, {}, r"panels\['a'\] must have 2 axes"),
        ({"a": -WEIGHTS}, {}, r"panels\['a'\] has an entry that is negative or NaN"),
        ({"a": WEIGHTS * np.nan}, {}, r"panels\['a'\] has an entry that is negative or NaN"),
    ],
)
def test_bad_data_is_refused_by_name(shown, panels, options, message):
    with pytest.raises(ValueError, match=message):
        causal_tables(panels, **options)
    assert not shown[0]
