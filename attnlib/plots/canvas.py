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
MINUS = "#6B6B6B"  # the end of every diverging map; the other end is the colour of a role
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
LINES = (
    {"color": "#000000", "linestyle": "-", "marker": "o", "linewidth": 2.2},
    {"color": "#6B6B6B", "linestyle": "--", "marker": "s", "linewidth": 1.6},
    {"color": "#6B6B6B", "linestyle": ":", "marker": "^", "linewidth": 2.0},
    {"color": "#000000", "linestyle": "-.", "marker": "D", "linewidth": 1.2},
)


def matrix(values, *, kind="scores", title="", rows="query i", columns="key j", decimals=2):
    """Show a matrix with its values printed in the cells.

    Parameters
    ----------
    values : array_like, shape (n_q, n_k)
        What to show. Entries that are not finite have no colour.
    kind : {"scores", "weights"}
        Scores get a diverging colour map, from grey to violet and centred on 0, weights a
        sequential one from 0 to 1.
    title, rows, columns : str
        The title, and what the rows and the columns stand for.
    decimals : int
        Decimals of the printed values.

    Raises
    ------
    ValueError
        If `values` is not a matrix, or `kind` is unknown.
    """
    values = _array("values", values, 2)
    if kind not in ("scores", "weights"):
        raise ValueError(f"kind must be 'scores' or 'weights', not {kind!r}")
    n_rows = len(values)
    high = 1.0 if kind == "weights" else np.abs(values[np.isfinite(values)]).max(initial=0) or 1.0
    low = 0.0 if kind == "weights" else -high
    texts = [
        [f"{value:.{decimals}f}".replace("-", "−").replace("inf", "∞") for value in row]
        for row in values
    ]
    with _panels(1.1 + 0.5 * n_rows) as (axes,):
        colours = _fade(palette()["weights"]) if kind == "weights" else _diverging("signed")
        _cells(axes, values, texts, cmap=colours, vmin=low, vmax=high)
        axes.set(title=title, xlabel=columns, ylabel=rows)


def attention_rows(rows, *, columns="key j"):
    """Show rows of attention weights as bars, one below the other, on one scale from 0 to 1.

    Parameters
    ----------
    rows : dict of str to array_like, shape (n_k,)
        The weights of each row, by its name.
    columns : str
        What the bars stand for.

    Raises
    ------
    ValueError
        If a row is not one-dimensional, or the rows differ in length.
    """
    rows = {name: _array(f"rows[{name!r}]", row, 1) for name, row in rows.items()}
    lengths = {name: len(row) for name, row in rows.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"rows must have one length, not {lengths}")
    with _panels(0.7 + 0.95 * len(rows), n_rows=len(rows), sharex=True) as panels:
        for axes, (name, row) in zip(panels, rows.items(), strict=True):
            axes.bar(range(1, len(row) + 1), row, color=palette()["weights"])
            axes.set(ylim=(0, 1), yticks=(0, 0.5, 1), ylabel="weight")
            axes.set_title(name, loc="right", y=0.8)
            axes.set_xticks(range(1, len(row) + 1))
        panels[-1].set_xlabel(columns)


def distributions(samples, *, curve=None, xlabel="", bins=41, limits=(-4, 4)):
    """Show histograms side by side, and the same curve over each.

    Parameters
    ----------
    samples : dict of str to array_like
        The values, of any shape, by the title of their panel.
    curve : callable, optional
        A density to compare with: takes an array of x and returns one of the same shape.
    xlabel : str
        What the values are.
    bins : int
        Number of bins between the `limits`.
    limits : tuple of float
        The range of x; values outside count in the density but are not shown.
    """
    edges = np.linspace(*limits, bins + 1)
    with _panels(2.6, n_columns=len(samples), sharey=True) as panels:
        for axes, (name, values) in zip(panels, samples.items(), strict=True):
            counts, _ = np.histogram(values, edges)
            density = counts / (np.size(values) * np.diff(edges))
            axes.stairs(density, edges, fill=True, color="#BDBDBD")
            if curve is not None:
                x = np.linspace(*limits, 201)
                axes.plot(x, curve(x), color="black", linewidth=1.5)
            axes.set(title=name, xlabel=xlabel, xlim=limits)
        panels[0].set_ylabel("density")


def lines(x, panels, *, xlabel="", log_x=False, log_y=False, share_y=False):
    """Show quantities against x: one panel for each quantity, the same lines in each.

    Parameters
    ----------
    x : array_like, shape (m,)
        The horizontal positions; with `log_x` on a scale of powers of two.
    panels : dict of str to dict of str to array_like, shape (m,)
        For each quantity, by its name, the lines by theirs: the main line first, four at most.
    xlabel : str
        What x is.
    log_x, log_y : bool
        Logarithmic axes.
    share_y : bool
        One vertical scale for all panels.

    Raises
    ------
    ValueError
        If a line does not have the length of `x`, or a panel has more than four.
    """
    x = _array("x", x, 1)
    for quantity, series in panels.items():
        if len(series) > len(LINES):
            raise ValueError(f"panels[{quantity!r}] has {len(series)} lines, at most {len(LINES)}")
        for name, y in series.items():
            if np.shape(y) != x.shape:
                where = f"panels[{quantity!r}][{name!r}]"
                raise ValueError(f"{where} has shape {np.shape(y)}, but x has shape {x.shape}")
    with _panels(3.1, n_columns=len(panels), sharey=share_y) as all_axes:
        for axes, (quantity, series) in zip(all_axes, panels.items(), strict=True):
            for (name, y), look in zip(series.items(), LINES, strict=False):
                axes.plot(x, y, label=name, markersize=5, **look)
            if log_x:
                axes.set_xscale("log", base=2)
                axes.set_xticks(x, [f"{value:g}" for value in x])
                axes.minorticks_off()
            if log_y:
                axes.set_yscale("log")
            axes.set(xlabel=xlabel, title=quantity)
        if not log_y:
            # Only now: a limit set earlier would cut off what a later panel of the scale adds.
            for axes in all_axes:
                axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
        handles, names = axes.get_legend_handles_labels()
        axes.figure.legend(handles, names, loc="outside upper center", ncols=len(names))


@cache
def palette():
    """Return the light variant of the book's colours, by role."""
    text = files("attnlib").joinpath("palette.json").read_text(encoding="utf-8")
    return {role: shades["light"] for role, shades in json.loads(text).items()}


@contextmanager
def _panels(height, *, n_rows=1, n_columns=1, **subplots):
    """Give the axes of a new figure, and show it when they are drawn."""
    import matplotlib
    from matplotlib.figure import Figure

    # A figure of its own, without pyplot: no global state, no backend, the same bytes everywhere.
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")
        yield figure.subplots(n_rows, n_columns, squeeze=False, **subplots).ravel()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    _show(buffer.getvalue(), width=round(WIDTH * DPI / 2))


def _cells(axes, values, texts, *, vmin, vmax, **look):
    """Draw a matrix as coloured cells, each with its text, rows and columns counted from 1."""
    image = axes.imshow(values, vmin=vmin, vmax=vmax, aspect="auto", **look)
    for (i, j), value in np.ndenumerate(values):
        colour = _ink(image.cmap(image.norm(value))) if np.isfinite(value) else "black"
        axes.text(j, i, texts[i][j], ha="center", va="center", color=colour)
    for axis, length in zip((axes.yaxis, axes.xaxis), values.shape, strict=True):
        axis.set_ticks(range(length), range(1, length + 1))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _show(png, width):
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        data = {"image/png": base64.b64encode(png).decode("ascii")}
        display(data, raw=True, metadata={"image/png": {"width": width}})


def _fade(colour):
    """Return a sequential colour map from white to a colour."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(colour, ["white", colour])


def _diverging(role):
    """Return a colour map from grey over white to the colour of a role."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(role, [MINUS, "white", palette()[role]])


def _ink(ground):
    """Return black or white: the one with more contrast on a ground, as WCAG measures it."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in ground[:3]
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # there both have a contrast of √21, which is more than 4.5
    return "black" if luminance + 0.05 > (0.05 * 1.05) ** 0.5 else "white"


def _array(name, values, ndim):
    values = np.asarray(values, dtype=float)
    if values.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes, not shape {values.shape}")
    return values
