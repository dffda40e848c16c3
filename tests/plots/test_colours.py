"""Colours as they are drawn: the pixels of a figure have the hues of its roles, and grey has none.

Nothing of what draws is imported but the figures themselves; a role's colour is that of
``palette.json``, and what a colour is called is where its hue lies.
"""

import colorsys
import io
import json
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
from matplotlib import image

from attnlib import plots

ROLES = json.loads(files("attnlib").joinpath("palette.json").read_text(encoding="utf-8"))
SHARES = np.linspace(0, 1, 12).reshape(3, 4)
SIGNED = np.linspace(-4, 4, 12).reshape(3, 4)
SQUARE = np.linspace(0, 1, 9).reshape(3, 3)
V = np.array([[-1.0, 2.0], [1.0, 1.0], [-2.0, 0.0], [2.0, -1.0]])
STEPS = np.array([1.0, 2.0, 3.0])
WHITE = 255, 255, 255

# what is drawn, and which roles it has
FIGURES = {
    "scores": (lambda: plots.table(SIGNED), {"signed"}),
    "weights": (lambda: plots.table(SHARES, kind="weights"), {"weights"}),
    "rows of weights": (lambda: plots.attention_rows({"a": SHARES[1]}), {"weights"}),
    "tables": (
        lambda: plots.tables({role: (SIGNED, role) for role in ("query", "key", "value")}),
        {"query", "key", "value"},
    ),
    "tables of weights and scores": (
        lambda: plots.tables({"a": (SHARES, "weights"), "b": (SIGNED, "signed")}),
        {"weights", "signed"},
    ),
    "causal weights": (lambda: plots.causal_tables({"a": SQUARE}), {"weights"}),
    "heads": (lambda: plots.head_tables({"a": SHARES}, "abcd"), {"weights"}),
    "mixtures": (
        lambda: plots.mixtures(V, {"a": ([0.2, 0.5, 0.3], {"z": [0.5, 1.0]})}),
        {"value", "output"},
    ),
    "level lines": (
        lambda: plots.level_lines(V, {"a": ("weights", [0, 0, 1], [0, 0.5], {"z": [0.0, 1.0]})}),
        {"value", "weights", "output"},
    ),
    "stages": (
        lambda: plots.head_stages(V, np.eye(2, 3), np.ones((2, 3)), np.eye(2)),
        {"query", "key", "value", "signed", "weights", "output"},
    ),
    "shadows": (lambda: plots.shadows([-1.0, 1.0], V[[0, 3]]), {"query", "key", "signed"}),
    "walks": (lambda: plots.walks([0, 1, 4], SHARES[:, :3]), set()),
    "dependence": (lambda: plots.causal_tables({"a": SQUARE}, kind="dependence"), set()),
    "accuracy": (lambda: plots.head_tables({"a": SHARES}, "abcd", kind="accuracy"), set()),
    "samples": (lambda: plots.distributions({"a": SIGNED}, curve=np.cos), set()),
    "lines": (lambda: plots.lines(STEPS, {"a": dict.fromkeys("bcde", STEPS)}), set()),
    "runs": (lambda: plots.runs(STEPS, {"a": SQUARE}, level=("b", 0.5)), set()),
    "spread": (
        lambda: plots.spread(STEPS, {"": {"a": SQUARE}}, start={"": {"a": STEPS}}),
        set(),
    ),
}  # fmt: skip


@pytest.fixture
def pixels(shown):
    """Draw, and give how many pixels of each colour the picture has."""

    def draw(figure):
        figure()
        channels = (image.imread(io.BytesIO(shown[0][-1].png)) * 255).round().astype(np.uint32)
        colours = channels[..., :3] @ np.array([2**16, 2**8, 1], dtype=np.uint32)
        found = zip(*np.unique(colours, return_counts=True), strict=True)
        return Counter({tuple(int(c).to_bytes(3, "big")): int(count) for c, count in found})

    return draw


def chroma(colour):
    return max(colour) - min(colour)


def hue(colour):
    """In degrees; white or black in it leaves it as it is."""
    return 360 * colorsys.rgb_to_hsv(*colour)[0]


def rgb(text):
    return tuple(bytes.fromhex(text.removeprefix("#")))


def apart(one, other):
    """How far two hues are apart on their circle."""
    return abs((one - other + 180) % 360 - 180)


def role_of(colour):
    """The role whose hue a colour has."""
    hues = {role: hue(rgb(shades["light"])) for role, shades in ROLES.items()}
    near = [role for role, its_hue in hues.items() if apart(hue(colour), its_hue) < 6]
    return near[0] if near else None


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_the_hues_of_its_roles_and_all_else_has_none(name, pixels):
    draw, roles = FIGURES[name]
    met, strange = Counter(dict.fromkeys(roles, 0)), Counter()
    for colour, count in pixels(draw).items():
        # a pale colour has been rounded to a hue nearby: the paler, the further
        if chroma(colour) > (24 if roles else 0):
            role = role_of(colour)
            (met if role in roles else strange)[role if role in roles else colour] += count
    assert all(count > 500 for count in met.values()), met
    # the rim between two roles is a mixture of both
    assert strange.total() <= 0.01 * met.total(), f"no shade of {roles or 'grey'}: {strange}"


def test_every_kind_of_figure_is_looked_at():
    looked_at = {name for draw, _ in FIGURES.values() for name in draw.__code__.co_names}
    assert {*plots.__all__} - {"palette"} <= looked_at


def luminance(colour):
    c = np.array(colour) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [
        0.2126,
        0.7152,
        0.0722,
    ]


def contrast(one, other):
    """As WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def grounds(found):
    """The colours of a picture, those that fill most of it first; what is nearly white is none."""
    return [colour for colour, _ in found.most_common() if contrast(colour, WHITE) > 1.1]


def test_plus_has_the_hue_of_a_role_and_minus_is_one_grey_for_all(pixels):
    kinds = ("signed", "query", "key", "value")
    # once minus and twice plus in each panel: minus is what fills most
    minus, *plus = grounds(
        pixels(
            lambda: plots.tables(
                {kind: ([[-3.0, 0.0, 3.0, 3.0]], kind) for kind in kinds}, decimals=None
            )
        )
    )[:5]
    assert chroma(minus) == 0
    assert sorted(map(chroma, plus))[0] > 90
    assert all(contrast(colour, WHITE) >= 4.5 for colour in (minus, *plus))
    assert sum(245 <= hue(colour) <= 275 for colour in plus) == 1, "scores are violet"
    assert {role_of(colour) for colour in plus} == {*kinds}


def test_what_has_no_role_has_one_grey(pixels):
    greys = {
        grounds(pixels(draw))[0]
        for draw in (
            lambda: plots.causal_tables({"": np.ones((3, 3))}, kind="dependence"),
            lambda: plots.head_tables({"": np.ones((3, 3))}, "abc", kind="accuracy"),
        )
    }
    (grey,) = greys
    assert chroma(grey) == 0
    assert contrast(grey, WHITE) >= 3, "paler, for there are digits on it"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_roles_are_told_apart_by_hue(theme):
    hues = {role: hue(rgb(shades[theme])) for role, shades in ROLES.items()}
    for role, one in hues.items():
        assert chroma(rgb(ROLES[role][theme])) > 60
        assert all(apart(one, other) > 12 for name, other in hues.items() if name != role), role
