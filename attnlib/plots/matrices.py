"""Matrices with their numbers in the cells: one, or several that belong together."""

import numpy as np

from attnlib.plots.canvas import MINUS, NO_ROLE, array, cells, new_figure, palette

ROLES = ("signed", "query", "key", "value")
SYMBOLS = ("Q", "K", "V", "S", "A")
SHARES = ("weights", "accuracy")
KINDS = ("weights", "plain", *ROLES)
CAUSAL_COLUMNS = 2


def table(values, *, kind="signed", title="", rows="query i", columns="key j", decimals=2):
    """Show one matrix.

    Parameters
    ----------
    values : array_like, shape (n_q, n_k)
        What to show. Entries that are not finite have no colour.
    kind : str
        "weights" (from 0 to 1); one of "signed", "query", "key", "value" (centred on 0, from grey
        to the colour of that role); or "plain" (grey by size: numbers that have no role).
    title, rows, columns : str
        The title, and what the rows and the columns stand for.
    decimals : int
        Decimals of the printed values.

    Raises
    ------
    ValueError
        If `values` is not a matrix, or `kind` is unknown.
    """
    values = array("values", values, 2)
    _check_kind(kind, KINDS)
    with new_figure(1.1 + 0.5 * len(values)) as (axes,):
        cells(axes, values, _numbers(values, decimals), **_look(kind, values))
        axes.set(title=title, xlabel=columns, ylabel=rows)


def tables(panels, *, rows="token i", columns="feature", decimals=2, groups=None):
    """Show matrices with the same number of rows side by side.

    Parameters
    ----------
    panels : dict of str to (array_like, kind)
        The matrices, by their title, each with a kind as for `table`. The darkest colour of a
        panel that is no weights is its largest entry.
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
    kinds = {title: kind for title, (_, kind) in panels.items()}
    panels = _arrays({title: values for title, (values, _) in panels.items()})
    shapes = _shapes(panels)
    for kind in kinds.values():
        _check_kind(kind, KINDS)
    if len({n_rows for n_rows, _ in shapes.values()}) != 1:
        raise ValueError(f"panels must have one number of rows, not the shapes {shapes}")
    if groups is not None and {n for shape in shapes.values() for n in shape} != {sum(groups)}:
        raise ValueError(f"groups add up to {sum(groups)}, but the panels have the shapes {shapes}")
    n_rows = next(iter(shapes.values()))[0]
    # a cell without a number can be half as high
    height = 1.1 + n_rows * (0.38 if decimals is not None else 0.17)
    widths = [n_columns + 0.5 for _, n_columns in shapes.values()]
    with new_figure(height, n_columns=len(panels), width_ratios=widths) as all_axes:
        for axes, (title, values) in zip(all_axes, panels.items(), strict=True):
            cells(axes, values, _numbers(values, decimals), **_look(kinds[title], values))
            # a symbol has the colour of its role
            look = {"color": palette()[kinds[title]]} if title in SYMBOLS else {}
            axes.set_title(title, **look)
            axes.set_xlabel(columns)
            if groups is not None:
                _part(axes, groups)
            if axes is not all_axes[0]:
                axes.set_yticks([])
        all_axes[0].set_ylabel(rows)


def causal_tables(panels, *, kind="weights", rows="query i", columns="key j", decimals=2):
    """Show n × n matrices two by two; what lies above the line j = i comes from later tokens.

    An entry that is exactly 0 has no colour and prints as 0, without decimals.

    Parameters
    ----------
    panels : dict of str to array_like, shape (n, n)
        The matrices, by the title of their panel; all of one size, no entry negative.
    kind : {"weights", "dependence"}
        Weights have the colour of weights and run from 0 to 1, dependence is grey and runs to the
        largest entry of all panels.
    rows, columns : str
        What the rows and the columns stand for.
    decimals : int
        Decimals of the printed values.

    Raises
    ------
    ValueError
        If there is no panel, `kind` is unknown, the matrices are not square and of one size, or an
        entry is negative or NaN.
    """
    _check_kind(kind, ("weights", "dependence"))
    panels = _arrays(panels)
    shapes = _shapes(panels)
    if len(set(shapes.values())) != 1 or len(set(next(iter(shapes.values())))) != 1:
        raise ValueError(f"panels must be square and of one size, not {shapes}")
    for title, values in panels.items():
        if not (values >= 0).all():
            raise ValueError(f"panels[{title!r}] has an entry that is negative or NaN")
    n = len(next(iter(panels.values())))
    look = _look(kind, *panels.values())
    n_rows, n_columns = -(-len(panels) // CAUSAL_COLUMNS), min(CAUSAL_COLUMNS, len(panels))
    steps = np.repeat(np.arange(n) - 0.5, 2)
    with new_figure(n_rows * (0.8 + 0.38 * n), n_rows=n_rows, n_columns=n_columns) as all_axes:
        for axes, (title, values) in zip(all_axes, panels.items(), strict=False):
            cells(axes, values, np.where(values == 0, "0", _numbers(values, decimals)), **look)
            axes.plot(steps[:-1] + 1, steps[1:], color="black", linewidth=1.8)
            axes.set(title=title, xlabel=columns, ylabel=rows)
        for axes in all_axes[len(panels) :]:
            axes.set_visible(False)


def head_tables(panels, columns, *, kind="weights", rows="head h", decimals=1):
    """Show matrices side by side, one row for each head, on one scale from 0 to 1.

    Parameters
    ----------
    panels : dict of str to array_like, shape (H, m)
        The matrices, by the title of their panel; all of one size, entries from 0 to 1.
    columns : sequence of str, length m
        The names of the columns.
    kind : {"weights", "accuracy"}
        Weights have the colour of weights, shares of right answers are grey.
    rows : str
        What the rows stand for.
    decimals : int
        Decimals of the printed values.

    Raises
    ------
    ValueError
        If there is no panel, `kind` is unknown, the matrices differ in shape or do not have one
        column for each name, or an entry lies outside 0 to 1.
    """
    _check_kind(kind, ("weights", "accuracy"))
    panels = _arrays(panels)
    shapes = _shapes(panels)
    if len(set(shapes.values())) != 1 or next(iter(shapes.values()))[1] != len(columns):
        raise ValueError(f"panels must have one shape (H, {len(columns)}), not {shapes}")
    for title, values in panels.items():
        if not ((values >= 0) & (values <= 1)).all():
            raise ValueError(f"panels[{title!r}] has an entry that is not between 0 and 1")
    n_heads = next(iter(shapes.values()))[0]
    # a slanted name ends below its own column
    slanted = {"rotation": 60, "ha": "right", "rotation_mode": "anchor"}
    with new_figure(1.5 + 0.34 * n_heads, n_columns=len(panels), sharey=True) as all_axes:
        for axes, (title, values) in zip(all_axes, panels.items(), strict=True):
            cells(axes, values, _numbers(values, decimals), **_look(kind))
            axes.set_xticks(range(len(columns)), columns, **slanted)
            axes.set_title(title)
        all_axes[0].set_ylabel(rows)


def _arrays(panels):
    return {title: array(f"panels[{title!r}]", values, 2) for title, values in panels.items()}


def _shapes(panels):
    return {title: values.shape for title, values in panels.items()}


def _check_kind(kind, kinds):
    if kind not in kinds:
        raise ValueError(f"kind must be one of {', '.join(map(repr, kinds))}, not {kind!r}")


def _look(kind, *shown):
    """Return colours and their range: shares to 1, all else to the largest entry of what is shown.

    Numbers of a role have two signs; 0 is in the middle, and without colour.
    """
    plus = palette().get(kind, MINUS if kind == "plain" else NO_ROLE)
    if kind in SHARES:
        return {"minus": None, "plus": plus, "low": 0.0, "high": 1.0}
    high = max(np.abs(values[np.isfinite(values)]).max(initial=0) for values in shown) or 1.0
    low = 0.0 if kind == "dependence" else -high
    return {"minus": MINUS, "plus": plus, "low": low, "high": high}


def _numbers(values, decimals):
    """Return the text of each cell; None stands for no text."""
    if decimals is None:
        return np.full(values.shape, "")
    texts = [
        f"{value:.{decimals}f}".replace("-", "−").replace("inf", "∞") for value in values.ravel()
    ]
    return np.reshape(texts, values.shape)


def _part(axes, groups):
    """Draw lines between groups of rows and of columns, and name the groups on the axes."""
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
