"""Pictures of several heads: sizes as given, one colour for a head, arcs as thick as weights."""

import re
from collections import Counter

import numpy as np
import pytest
from book.figures.markup import on_a_page
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch

from attnlib.plots import many_heads, palette
from attnlib.plots.canvas import FAINT, NO_ROLE
from attnlib.plots.many_heads import THICKEST, head_arcs, head_blocks, head_shapes

SIZES = {"n": 4, "d_model": 5, "n_heads": 3, "d_h": 2}
WORDS = ("a", "b", "verb", "d")
WEIGHTS = np.array([[0.7, 0.2, 0.06, 0.04], [0.0, 0.0, 0.0, 1.0]])
HEADS = [many_heads.head_colours()[h].upper() for h in range(3)]
PICTURES = {
    "arcs": lambda: head_arcs(WORDS, WEIGHTS, at=2),
    "blocks": lambda: head_blocks(**SIZES),
    "shapes": lambda: head_shapes(**SIZES),
}


def colour(patch):
    return to_hex(patch.get_facecolor()).upper()


def entries(figure):
    """How many entries of matrices are drawn, by colour."""
    (axes,) = figure.axes
    count = Counter()
    for patch in axes.patches:
        if isinstance(patch, PathPatch):
            count[colour(patch)] += int((patch.get_path().codes == 1).sum())
    return count


def texts(figure):
    return Counter(text.get_text() for text in figure.axes[0].texts)


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES.keys())
def test_a_page_can_show_it_and_each_text_lies_within(shown, draw):
    assert draw() is None
    (picture,), (figure,) = shown
    # refuses a colour that is none of a role and no grey
    assert on_a_page(picture.svg, "fig-a", "b", str)
    # a number that ends in its point is none for a browser
    assert not re.search(r"\d\.[;\"]", picture.svg)
    figure.draw_without_rendering()
    for text in figure.axes[0].texts:
        box = text.get_window_extent() if text.get_text() else None
        assert box is None or figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1
        assert box is None or figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1


def test_heads_have_four_colours_none_of_which_is_that_of_query_key_or_value():
    found = {*many_heads.head_colours()}
    assert len(found) == 4
    assert not found & {palette()[role] for role in ("query", "key", "value")}
    assert NO_ROLE in found


def test_every_matrix_on_the_way_has_its_shape_and_its_entries(figures):
    head_shapes(**SIZES)
    count = entries(figures[0])
    # Q, K, V, A, head, and the columns of C and the rows of W_O that are the head's
    assert [count.pop(head) for head in HEADS] == [4 * 2 * 3 + 4 * 4 + 4 * 2 + 4 * 2 + 2 * 5] * 3
    assert count == {FAINT.upper(): 3 * 4 * 5}  # X, O, Y
    said = texts(figures[0])
    assert said["X (4, 5)"] == said["Y (4, 5)"] == 1
    assert said["W_Q, W_K, W_V of each head: (5, 2)"] == 1
    assert (said["(4, 2)"], said["(4, 4)"], said["(4, 6)"], said["(6, 5)"]) == (2, 1, 1, 1)
    names = [f"{name}⁽{h}⁾" for h in "¹²³" for name in "QKVA"]
    assert all(said[name] == 1 for name in (*names, "head 1", "head 2", "head 3", "C", "W_O", "O"))
    roles = {text.get_text()[0]: text.get_color() for text in figures[0].axes[0].texts}
    assert [roles[name] for name in "QKVA"] == [
        palette()[role] for role in ("query", "key", "value", "weights")
    ]


def test_the_input_flows_straight_to_the_sum(figures):
    head_shapes(**SIZES)
    (stream,) = [line for line in figures[0].axes[0].lines if line.get_linewidth() == 4]
    xs, ys = stream.get_data()
    assert xs[0] == xs[1]
    (plus,) = [text for text in figures[0].axes[0].texts if text.get_text() == "+"]
    assert plus.get_position()[0] == xs[0]
    assert ys[0] < plus.get_position()[1] < ys[1]


def test_columns_and_rows_of_one_head_have_one_colour_and_as_many_meet(figures):
    head_blocks(**SIZES)
    (axes,) = figures[0].axes
    count = entries(figures[0])
    # in C and in W_O, and once more in the sum
    assert [count.pop(head) for head in HEADS] == [2 * (4 * 2 + 2 * 5)] * 3
    assert count == {FAINT.upper(): 4 * 5}
    left = {}
    for patch in axes.patches:
        corner = patch.get_path().vertices.min(axis=0)
        left.setdefault(colour(patch), []).append(corner)
    above = [sorted(left[head], key=lambda corner: corner[1])[:2] for head in HEADS]
    columns = [max(pair, key=lambda corner: -corner[0]) for pair in above]
    rows = [max(pair, key=lambda corner: corner[0]) for pair in above]
    assert sorted(columns, key=lambda c: c[0]) == columns  # side by side in C
    assert sorted(rows, key=lambda c: c[1]) == rows  # one under the other in W_O
    said = texts(figures[0])
    assert (said["+"], said["×"], said["="]) == (2, 4, 2)
    assert all(said[f"W_O⁽{h}⁾"] == 1 for h in "¹²³")


def test_an_arc_is_as_thick_as_its_weight_and_leads_from_the_word_to_the_other(figures):
    head_arcs(WORDS, WEIGHTS, at=2)
    (axes,) = figures[0].axes
    rows = {t.get_text(): t.get_position()[1] for t in axes.texts if t.get_text() in WORDS}
    drawn = [p for p in axes.patches if isinstance(p, PathPatch)]
    found = {
        (to_hex(p.get_edgecolor()).upper(), p.get_path().vertices[-1][1]): p.get_linewidth()
        for p in drawn
    }
    wanted = {
        (HEADS[h], rows[word]): THICKEST * weight
        for h, row in enumerate(WEIGHTS)
        for word, weight in zip(WORDS, row, strict=True)
        if weight and word != "verb"
    }
    assert found == pytest.approx(wanted)
    assert {p.get_path().vertices[0][1] for p in drawn} == {rows["verb"]}


def test_large_weights_are_written_at_their_words_and_heads_named_in_their_colour(figures):
    head_arcs(WORDS, WEIGHTS, at=2)
    said = {text.get_text(): text for text in figures[0].axes[0].texts}
    assert {*said} == {*WORDS, "head 1", "head 2", "0.70", "0.20", "1.00"}
    rows = {word: said[word].get_position()[1] for word in WORDS}
    for number, word in (("0.70", "a"), ("0.20", "b"), ("1.00", "d")):
        assert said[number].get_position()[1] == rows[word]
    assert [said[f"head {h}"].get_color().upper() for h in (1, 2)] == HEADS[:2]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: head_arcs(WORDS, WEIGHTS[0], at=2), "weights must have 2 axes"),
        (lambda: head_arcs(WORDS[:3], WEIGHTS, at=2), r"shape \(2, 4\), but there are 3 words"),
        (lambda: head_arcs(WORDS, WEIGHTS - 0.1, at=2), "an entry that is not between 0 and 1"),
        (lambda: head_arcs(WORDS, WEIGHTS, at=4), "at is 4, but there are 4 words"),
        (lambda: head_arcs(WORDS, np.ones((5, 4)), at=2), "there are 5 heads; 1 to 4"),
        (lambda: head_blocks(**SIZES | {"n_heads": 5}), "there are 5 heads; 1 to 4"),
        (lambda: head_shapes(**SIZES | {"n_heads": 0}), "there are 0 heads; 1 to 4"),
    ],
)
def test_bad_data_is_refused_by_name(figures, draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
    assert not figures
