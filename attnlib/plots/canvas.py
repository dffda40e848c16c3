"""The figures of the book, in one style: data in, a picture shown, nothing returned.

A figure has a fixed size and a white background, so that it reads the same on a light and on a
dark page. Its words are English and symbols only: fonts with Chinese characters are not
everywhere. Colour is kept for what ``palette.json`` names: query, key, value, weights, output, and
signed, which is scores and other numbers of both signs without a colour of their own; where
numbers have a sign, minus is grey. Lines are told apart by shade, dash and marker. Pictures appear
in Jupyter and IPython; elsewhere there is no place to show them, and nothing happens.
"""

import base64
import io
import json
from contextlib import contextmanager
from functools import cache
from importlib.resources import files

import numpy as np

WIDTH = 5.6  # inches
DPI = 200  # shown at half of it: sharp on dense screens
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}

# The greys, by what they mean.
MINUS = "#6B6B6B"  # the end of every diverging map; the other end is the colour of a role
ASIDE = "#6B6B6B"  # beside what matters: further lines, values that nobody sees
NO_ROLE = "#4D4D4D"  # quantities that are none of the roles: dependence, accuracy
ONE_OF_MANY = "#8C8C8C"  # a single run
FAINT = "#BDBDBD"  # areas and rules


@cache
def palette():
    """Return the light variant of the book's colours, by role."""
    text = files("attnlib").joinpath("palette.json").read_text(encoding="utf-8")
    return {role: shades["light"] for role, shades in json.loads(text).items()}


@contextmanager
def new_figure(height, *, n_rows=1, n_columns=1, **subplots):
    """Give the axes of a new figure, and show it when they are drawn."""
    import matplotlib
    from matplotlib.figure import Figure

    # A figure of its own, without pyplot: no global state, no backend, the same bytes everywhere.
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")
        yield figure.subplots(n_rows, n_columns, squeeze=False, **subplots).ravel()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    show(buffer.getvalue(), width=round(WIDTH * DPI / 2))


def cells(axes, values, texts, **look):
    """Draw a matrix as coloured cells, each with its text, rows and columns counted from 1."""
    image = axes.imshow(values, aspect="auto", **look)
    for (i, j), value in np.ndenumerate(values):
        colour = ink(image.cmap(image.norm(value))) if np.isfinite(value) else "black"
        axes.text(j, i, texts[i, j], ha="center", va="center", color=colour)
    for axis, length in zip((axes.yaxis, axes.xaxis), values.shape, strict=True):
        axis.set_ticks(range(length), range(1, length + 1))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def show(png, width):
    """Show a picture where there is a place for it."""
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        data = {"image/png": base64.b64encode(png).decode("ascii")}
        display(data, raw=True, metadata={"image/png": {"width": width}})


def colour_map(*colours):
    """Return the colours in between, evenly spread."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("", colours)


def ink(ground):
    """Return black or white: the one with more contrast on a ground, as WCAG measures it."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in ground[:3]
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # there both have a contrast of √21, which is more than 4.5
    return "black" if luminance + 0.05 > (0.05 * 1.05) ** 0.5 else "white"


def array(name, values, ndim):
    """Return values as floats, or refuse another number of axes by the name of the argument."""
    values = np.asarray(values, dtype=float)
    if values.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes, not shape {values.shape}")
    return values
