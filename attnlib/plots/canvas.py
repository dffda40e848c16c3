"""The figures of the book, in one style: data in, a picture shown, nothing returned.

A figure has a fixed size and a white background. It is shown twice in one output: as PNG, which
every place can show, and as SVG, which the site puts into its pages in the colours of their theme
and with the words of their language. Colour is kept for what ``palette.json`` names: query, key,
value, weights, output, and signed, which is scores and what makes them; where numbers have a sign,
minus is grey, and ``greys.json`` says which greys there are. Lines are told apart by shade, dash
and marker. Pictures appear in Jupyter and IPython; elsewhere there is no place to show them, and
nothing happens.
"""

import base64
import io
import json
from contextlib import contextmanager
from functools import cache
from importlib.resources import files

import numpy as np

from attnlib.plots.svg import SETTINGS, UNDER, svg_of

WIDTH = 5.6  # inches
DPI = 200  # shown at half of it: sharp on dense screens
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    **SETTINGS,
}
UNDER_DIGITS = 0.65  # the strength that a colour has at most where ink must be read on it
GAP = 0.02  # between cells, as a part of each


@cache
def light(file):
    """Return the colours of a file of the library as they are on a light page, by name."""
    text = files("attnlib").joinpath(file).read_text(encoding="utf-8")
    return {name: shades["light"] for name, shades in json.loads(text).items()}


def palette():
    """Return the light variant of the book's colours, by role."""
    return light("palette.json")


# The greys, by what they mean.
_GREYS = light("plots/greys.json")
ASIDE = _GREYS["aside"]  # beside what matters: further lines, values that nobody sees
MINUS = ASIDE  # the end of every diverging map; the other end is the colour of a role
NO_ROLE = _GREYS["no_role"]  # quantities that are none of the roles: dependence, accuracy
ONE_OF_MANY = _GREYS["one_of_many"]  # a single run
FAINT = _GREYS["faint"]  # areas and rules


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
        svg = svg_of(figure, STYLE["font.size"])
    show(buffer.getvalue(), svg, width=round(WIDTH * DPI / 2))


def cells(axes, values, texts, *, minus, plus, low, high):
    """Draw a matrix as coloured cells, each with its text, rows and columns counted from 1.

    A cell has the strength of its value: none at 0, all of `plus` at `high`, all of `minus` at
    `low`. What is not finite has no colour.
    """
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import Normalize

    under_digits = any(texts.ravel())
    most = UNDER_DIGITS if under_digits else 1.0
    n_rows, n_columns = values.shape
    reach = 0.5 - GAP
    square = np.array([[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]])
    centres = np.stack(np.meshgrid(range(n_columns), range(n_rows)), axis=-1).reshape(-1, 1, 2)
    axes.add_collection(
        PolyCollection(
            centres + square,
            array=np.ma.masked_invalid(values).ravel(),
            cmap=_strengths(minus if low else None, plus, most),
            norm=Normalize(low, high),
            linewidth=0,
            clip_on=False,
            gid=UNDER if under_digits else None,
        )
    )
    for (i, j), text in np.ndenumerate(texts):
        axes.text(j, i, text, ha="center", va="center")
    for axis, length in zip((axes.yaxis, axes.xaxis), values.shape, strict=True):
        axis.set_ticks(range(length), range(1, length + 1))
    axes.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
    axes.tick_params(bottom=False, left=False)
    axes.spines[:].set_visible(False)


def show(png, svg, width):
    """Show a picture where there is a place for it."""
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        data = {"image/png": base64.b64encode(png).decode("ascii"), "image/svg+xml": svg}
        display(data, raw=True, metadata={"image/png": {"width": width}})


def _strengths(minus, plus, most):
    """Return a map from nothing to a colour, or from another colour through nothing."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgba

    ends = [(0.0, to_rgba(plus, 0)), (1.0, to_rgba(plus, most))]
    if minus is not None:
        ends = [(0.0, to_rgba(minus, most)), (0.5, to_rgba(minus, 0))]
        ends += [(0.5, to_rgba(plus, 0)), (1.0, to_rgba(plus, most))]
    # an odd number, so that the middle is nothing
    return LinearSegmentedColormap.from_list("", ends, N=401)


def array(name, values, ndim):
    """Return values as floats, or refuse another number of axes by the name of the argument."""
    values = np.asarray(values, dtype=float)
    if values.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes, not shape {values.shape}")
    return values
