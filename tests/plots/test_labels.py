"""A label stands next to its own point, and covers no point and no other label."""

from itertools import combinations

import numpy as np
import pytest

from attnlib import self_attention
from attnlib.example import running_example
from attnlib.plots import mixtures

X, *PARAMETERS = running_example()[2:]
EVERYONE = self_attention(X, *PARAMETERS)
CAUSAL = self_attention(X, *PARAMETERS, is_causal=True)
NAMES = [f"z{digit}" for digit in "₁₂₃₄₅"]
ROUNDED = np.array([0.35, 0.05, 0.35, 0.05, 0.20])

# The figures of the book, and one in which two outputs nearly meet.
FIGURES = {
    "one output": ({"": (ROUNDED, {"z₄": ROUNDED @ EVERYONE.V})}, {}),
    "causal": (
        {str(i): (CAUSAL.A[i, : i + 1], {NAMES[i]: CAUSAL.Z[i]}) for i in range(4)},
        {"columns": 2, "height": 1.9},
    ),
    "all outputs": ({"": (None, dict(zip(NAMES, EVERYONE.Z, strict=True)))}, {}),
    "two mixtures": (
        {str(i): (EVERYONE.A[i], {NAMES[i]: EVERYONE.Z[i]}) for i in (3, 1)},
        {"columns": 2, "height": 2.2},
    ),
    "close": ({"": (None, {"a": np.array([0.9, 0.7]), "b": np.array([0.6, 0.7])})}, {}),
}


def gap(box, other):
    """How far two boxes are apart, 0 if they touch."""
    apart = np.maximum(np.maximum(box[0] - other[1], other[0] - box[1]), 0)
    return float(np.hypot(*apart))


def drawn(axes):
    """The markers and the labels of a panel, by their text, as boxes in points."""
    point = axes.figure.dpi / 72
    labels = {
        text.get_text().partition(" ")[0]: (text, text.get_window_extent().get_points() / point)
        for text in axes.texts
    }
    markers = {}
    for collection in axes.collections:
        places = axes.transData.transform(collection.get_offsets()) / point
        sizes = np.broadcast_to(collection.get_sizes(), len(places))
        for centre, size in zip(places, sizes, strict=True):
            name = min(labels, key=lambda n: np.hypot(*(at(axes, labels[n][0]) / point - centre)))
            reach = np.sqrt(size) / 2
            if name in markers and size > 60:  # an output in the very place of a value
                name = next(n for n in labels if n.startswith("z"))
            markers[name] = np.array([centre - reach, centre + reach])
    return markers, {name: box for name, (_, box) in labels.items()}


def at(axes, text):
    return axes.transData.transform(text.xy)


@pytest.fixture
def panels(figures, request):
    """The panels of a figure, laid out as they are saved."""
    what, look = FIGURES[request.param]
    mixtures(EVERYONE.V, what, **look)
    figures[0].draw_without_rendering()  # or texts have the size of the saved picture
    return [axes for axes in figures[0].axes if axes.get_visible()]


@pytest.mark.parametrize("panels", FIGURES, indirect=True)
def test_a_label_is_nearest_to_its_own_point_and_covers_no_point_and_no_label(panels):
    for axes in panels:
        markers, labels = drawn(axes)
        assert markers.keys() == labels.keys()
        frame = axes.get_window_extent().get_points() / (axes.figure.dpi / 72)
        for name, box in labels.items():
            own = markers[name]
            for other, marker in markers.items():
                assert gap(box, marker) > 0, f"{name} covers the point of {other}"
                inside = gap(own, marker) == 0
                assert inside or gap(box, own) < gap(box, marker), f"{name} stands beside {other}"
            assert (box[0] >= frame[0]).all(), name
            assert (box[1] <= frame[1]).all(), name
        for one, other in combinations(labels, 2):
            assert gap(labels[one], labels[other]) > 0, f"{one} meets {other}"
