"""A figure takes data, shows one picture of fixed size, the same every time, and returns None."""

import io
import json
import re
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest
from manuscript import ROOT
from matplotlib import image as mpl_image
from matplotlib.colors import to_hex, to_rgb

from attnlib import plots
from attnlib.plots import canvas
from attnlib.plots.matrices import ROLES

RNG = np.random.default_rng(11)
SCORES = RNG.normal(1.0, 2.0, (3, 5))
WEIGHTS = np.exp(SCORES) / np.exp(SCORES).sum(axis=-1, keepdims=True)
X = [4, 16, 64]

FIGURES = {
    "table of scores": lambda: plots.table(SCORES, title="S"),
    "table of weights": lambda: plots.table(WEIGHTS, kind="weights"),
    "table with -inf": lambda: plots.table([[0.0, -np.inf], [1.0, 2.0]]),
    "table of zeros": lambda: plots.table(np.zeros((2, 3))),
    "attention rows": lambda: plots.attention_rows({"a": WEIGHTS[0], "b": WEIGHTS[1]}),
    "one row": lambda: plots.attention_rows({"a": WEIGHTS[0]}),
    "distributions": lambda: plots.distributions({"s": SCORES}, curve=np.cos, xlabel="s"),
    "lines": lambda: plots.lines(X, {"y": {"a": [1, 2, 3]}}, log_x=True, log_y=True),
    "two panels": lambda: plots.lines(X, {"y": {"a": X, "b": X}, "z": {"a": X, "b": X}}),
}


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES.keys())
def test_one_opaque_picture_of_the_fixed_width_and_the_same_bytes_twice(shown, draw):
    assert draw() is None
    assert draw() is None
    first, second = shown[0]
    assert first == second
    pixels = mpl_image.imread(io.BytesIO(first.png))
    assert pixels.shape[1] == round(canvas.WIDTH * canvas.DPI)
    assert (pixels[..., 3] == 1).all(), "transparent pixels vanish on a dark page"
    assert (pixels[0, 0] == 1).all()


def test_a_picture_is_shown_at_half_its_pixels(shown, monkeypatch):
    widths = []
    monkeypatch.setattr(canvas, "show", lambda png, svg, width: widths.append(width))
    plots.table(SCORES)
    assert widths == [round(canvas.WIDTH * canvas.DPI) / 2]


def test_scores_are_centred_on_zero_and_weights_run_from_zero_to_one(shown):
    plots.table(SCORES)
    plots.table(WEIGHTS, kind="weights")
    scores, weights = (figure.axes[0].collections[0] for figure in shown[1])
    low, high = scores.get_clim()
    assert low == -high == -np.abs(SCORES).max()
    assert weights.get_clim() == (0, 1)
    np.testing.assert_array_equal(weights.get_array(), WEIGHTS.ravel())


def test_scores_have_the_colour_of_no_role_and_minus_is_grey(shown):
    plots.table(SCORES)
    (cells,) = shown[1][0].axes[0].collections
    ends = [to_hex(cells.cmap(x)).upper() for x in (0.0, 1.0)]
    assert ends == ["#6B6B6B", plots.palette()["signed"]]
    assert len(set(plots.palette().values())) == len(plots.palette())


def contrast(one, other):
    """The contrast of two colours as WCAG defines it."""

    def luminance(colour):
        c = np.array(to_rgb(colour))
        linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


SHARES = np.linspace(0, 1, 49).reshape(7, 7)
SIGNED = np.linspace(-4, 4, 49).reshape(7, 7)
MAPS = {
    "scores": lambda: plots.table(SIGNED),
    "weights": lambda: plots.table(SHARES, kind="weights"),
    "tables of weights": lambda: plots.tables({"": (SHARES, "weights")}),
    **{f"tables: {kind}": lambda kind=kind: plots.tables({"": (SIGNED, kind)}) for kind in ROLES},
    "causal weights": lambda: plots.causal_tables({"": SHARES}),
    "dependence": lambda: plots.causal_tables({"": SHARES}, kind="dependence"),
    "heads": lambda: plots.head_tables({"": SHARES}, "abcdefg"),
    "accuracy": lambda: plots.head_tables({"": SHARES}, "abcdefg", kind="accuracy"),
}


GREYS = json.loads(files(plots).joinpath("greys.json").read_text(encoding="utf-8"))
# what the site shows of the strength of a colour in the dark: book/colours/rules.css
STRENGTH = {"light": 1.0, "dark": 0.65}


@pytest.mark.parametrize("theme", STRENGTH)
@pytest.mark.parametrize("draw", MAPS.values(), ids=MAPS.keys())
def test_digits_can_be_read_on_every_colour_of_every_map(shown, draw, theme):
    draw()
    palette = json.loads(files("attnlib").joinpath("palette.json").read_text(encoding="utf-8"))
    themed = {shades["light"].lower(): shades[theme] for shades in (palette | GREYS).values()}
    ink, paper = (np.array(to_rgb(GREYS[name][theme])) for name in ("ink", "ground"))
    (axes,) = shown[1][0].axes
    (cells,) = axes.collections
    assert len(axes.texts) == cells.get_array().size
    assert {text.get_color() for text in axes.texts} == {"black"}
    for *colour, strength in cells.cmap(np.linspace(0, 1, 401)):
        strength *= STRENGTH[theme]
        ground = strength * np.array(to_rgb(themed[to_hex(colour)])) + (1 - strength) * paper
        assert contrast(ink, ground) >= 4.5


def test_the_site_shows_this_strength_in_the_dark():
    rules = (ROOT / "_ext/book/colours/rules.css").read_text(encoding="utf-8")
    (found,) = re.findall(r"under-digits \{\s*opacity: ([\d.]+);", rules)
    assert float(found) == STRENGTH["dark"]


def test_every_value_is_printed_in_its_cell(shown):
    plots.table([[0.25, -1.5, -np.inf]], decimals=1)
    texts = {t.get_position(): t.get_text() for t in shown[1][0].axes[0].texts}
    assert texts == {(0, 0): "0.2", (1, 0): "−1.5", (2, 0): "−∞"}


def test_bars_have_the_height_of_the_weights_and_one_scale(shown):
    plots.attention_rows({"a": WEIGHTS[0], "b": WEIGHTS[2]})
    for axes, row in zip(shown[1][0].axes, WEIGHTS[[0, 2]], strict=True):
        np.testing.assert_array_equal([bar.get_height() for bar in axes.patches], row)
        assert {to_hex(bar.get_facecolor()).upper() for bar in axes.patches} == {"#A3487C"}
        assert axes.get_ylim() == (0, 1)
    assert [axes.get_title(loc="right") for axes in shown[1][0].axes] == ["a", "b"]


def test_a_histogram_counts_the_values_it_does_not_show(shown):
    plots.distributions({"half outside": [0.0, 0.0, 9.0, -9.0]}, bins=4, limits=(-2, 2))
    values, edges, _ = shown[1][0].axes[0].patches[0].get_data()
    assert values @ np.diff(edges) == 0.5


def test_a_histogram_stands_under_its_own_title(shown):
    plots.distributions({"low": [-1.5] * 3, "high": [1.5] * 3}, bins=2, limits=(-2, 2))
    found = {axes.get_title(): axes.patches[0].get_data()[0] for axes in shown[1][0].axes}
    assert {title: values.tolist() for title, values in found.items()} == {
        "low": [0.5, 0],
        "high": [0, 0.5],
    }


def test_lines_carry_their_data_and_differ_by_shape(shown):
    plots.lines(X, {"y": {"a": [3, 1, 2], "b": [1, 1, 1], "c": X, "d": X}})
    drawn = shown[1][0].axes[0].lines
    named = {line.get_label(): [*line.get_ydata()] for line in drawn}
    assert named == {"a": [3, 1, 2], "b": [1, 1, 1], "c": X, "d": X}
    assert [text.get_text() for text in shown[1][0].legends[0].get_texts()] == ["a", "b", "c", "d"]
    assert len({line.get_marker() for line in drawn}) == 4


def test_panels_share_a_scale_only_when_asked(shown):
    panels = {"y": {"a": [1, 2, 3]}, "z": {"a": [10, 20, 30]}}
    plots.lines(X, panels)
    plots.lines(X, panels, share_y=True)
    apart, together = ([axes.get_ylim() for axes in figure.axes] for figure in shown[1])
    assert apart[0] != apart[1]
    assert together[0] == together[1]
    assert together[0][0] <= 0 < 30 <= together[0][1], "a line leaves its panel"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.table([1.0, 2.0]), r"values must have 2 axes, not shape \(2,\)"),
        (lambda: plots.table(SCORES, kind="x"), "kind must be one of 'weights', .* not 'x'"),
        (lambda: plots.attention_rows({"a": [[1.0]]}), r"rows\['a'\] must have 1 axes"),
        (lambda: plots.attention_rows({"a": [1], "b": [0, 1]}), "one length, not {'a': 1, 'b': 2}"),
        (lambda: plots.lines(X, {"y": {"a": [1]}}), r"\['a'\] has shape \(1,\), but x has shape"),
        (lambda: plots.lines(X, {"y": dict.fromkeys("abcde", X)}), "has 5 lines, at most 4"),
    ],
)
def test_bad_data_is_refused_by_name(shown, draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
    assert not shown[0]


def test_no_global_state_and_no_import_before_use():
    code = (
        "import sys, attnlib.plots as plots\n"
        "assert 'matplotlib' not in sys.modules and 'IPython' not in sys.modules\n"
        "plots.attention_rows({'a': [0.5, 0.5]})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
