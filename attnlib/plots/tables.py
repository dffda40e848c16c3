"""Matrices beside each other: what becomes of one input, or the same thing before and after."""

import numpy as np

from attnlib.plots.canvas import _array, _cells, _diverging, _fade, _panels, palette

DIVERGING = ("signed", "query", "key", "value")


def tables(panels, *, rows="token i", columns="feature", decimals=2, groups=None):
    """Show matrices with the same number of rows side by side.

    Parameters
    ----------
    panels : dict of str to (array_like, kind)
        The matrices, by their title. The kind is "weights" (from 0 to 1) or one of "signed",
        "query", "key", "value" (diverging, centred on 0, from grey to the colour of that role).
        The darkest colour of a panel that is no weights is its largest entry.
    rows, columns : str
        What the rows and the columns stand for.
    decimals : int or None
        Decimals of the printed values; None prints none.
    groups : sequence of int, optional
        Sizes of the groups into which rows and columns fall: lines part them, and the axes name
        the groups in place of the rows.

    Raises
    ------
    ValueError
        If a panel is no matrix, a kind is unknown, the numbers of rows differ, or the groups do
        not add up to the rows and the columns.
    """
    panels = {name: (_array(f"panels[{name!r}]", M, 2), kind) for name, (M, kind) in panels.items()}
    shapes = {name: M.shape for name, (M, _) in panels.items()}
    if len({n_rows for n_rows, _ in shapes.values()}) != 1:
        raise ValueError(f"panels must have one number of rows, not the shapes {shapes}")
    if groups is not None and {size for shape in shapes.values() for size in shape} != {
        sum(groups)
    }:
        raise ValueError(f"groups add up to {sum(groups)}, but the panels have the shapes {shapes}")
    looks = {name: _look(M, kind) for name, (M, kind) in panels.items()}
    n_rows = next(iter(shapes.values()))[0]
    # a cell without a number can be half as high
    height = 1.1 + n_rows * (0.38 if decimals is not None else 0.17)
    widths = [n_columns + 0.5 for _, n_columns in shapes.values()]
    with _panels(height, n_columns=len(panels), width_ratios=widths) as all_axes:
        for axes, (name, (M, _)) in zip(all_axes, panels.items(), strict=True):
            _cells(axes, M, _texts(M, decimals), **looks[name])
            axes.set(title=name, xlabel=columns)
            if groups is not None:
                _part(axes, groups)
            if axes is not all_axes[0]:
                axes.set_yticks([])
        all_axes[0].set_ylabel(rows)


def _look(M, kind):
    if kind == "weights":
        return {"vmin": 0.0, "vmax": 1.0, "cmap": _fade(palette()["weights"])}
    if kind not in DIVERGING:
        raise ValueError(f"kind must be 'weights' or one of {DIVERGING}, not {kind!r}")
    high = np.abs(M[np.isfinite(M)]).max(initial=0) or 1.0
    return {"vmin": -high, "vmax": high, "cmap": _diverging(kind)}


def _texts(M, decimals):
    if decimals is None:
        return [[""] * M.shape[1]] * M.shape[0]
    return [[f"{value:.{decimals}f}".replace("-", "−") for value in row] for row in M]


def _part(axes, groups):
    ends = np.cumsum(groups)
    starts = ends - groups
    middles = (starts + ends - 1) / 2
    names = [
        f"{start + 1}–{end}" if end - start > 1 else f"{end}"
        for start, end in zip(starts, ends, strict=True)
    ]
    for axis, line in ((axes.xaxis, axes.axvline), (axes.yaxis, axes.axhline)):
        axis.set_ticks(middles, names)
        for end in ends[:-1]:
            line(end - 0.5, color="black", linewidth=0.8)
