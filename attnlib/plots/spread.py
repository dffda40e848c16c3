"""What repeated runs give: the median of the runs as a line, and how far the runs lie apart."""

import numpy as np

from attnlib.plots.canvas import LINES, _array, _panels

APART = 0.1  # of the distance between two positions: bars of several lines stay apart


def spread(x, panels, *, start, xlabel=""):
    """Show the medians of repeated runs against x, each with its range and where it began.

    The panels stand one below the other on one scale. A line joins the medians; a bar reaches
    from the lowest run to the highest. The values before the first step stand on the left, under
    the word "start", joined to nothing. The positions have one distance, whatever `x` holds.

    Parameters
    ----------
    x : array_like, shape (m,)
        What the runs were given, in ascending order.
    panels : dict of str to dict of str to array_like, shape (runs, m)
        For each panel, by its title, the lines by their names: the main line first, four at most.
    start : dict of str to dict of str to array_like, shape (runs,)
        The same names, with the value of each run at its start.
    xlabel : str
        What x is.

    Raises
    ------
    ValueError
        If a line has not one column for each entry of `x`, has not one start for each run, or a
        panel has more than four lines.
    """
    x = _array("x", x, 1)
    for title, series in panels.items():
        if len(series) > len(LINES):
            raise ValueError(f"panels[{title!r}] has {len(series)} lines, at most {len(LINES)}")
        for name, runs in series.items():
            where, shape = f"panels[{title!r}][{name!r}]", np.shape(runs)
            if len(shape) != 2 or shape[1] != len(x):
                raise ValueError(f"{where} has shape {shape}, but x has shape {x.shape}")
            if np.shape(start[title][name]) != shape[:1]:
                got = np.shape(start[title][name])
                raise ValueError(f"{where} has shape {shape}, but its start has shape {got}")
    with _panels(1.1 + 2.1 * len(panels), n_rows=len(panels), sharex=True, sharey=True) as all_axes:
        for axes, (title, series) in zip(all_axes, panels.items(), strict=True):
            for k, (name, look) in enumerate(zip(series, LINES, strict=False)):
                shift = APART * (k - (len(series) - 1) / 2)
                _bars(axes, np.arange(1, len(x) + 1) + shift, series[name], look, label=name)
                _bars(axes, np.array([shift]), np.reshape(start[title][name], (-1, 1)), look)
            axes.set_title(title)
            axes.axvline(0.5, color="#BDBDBD", linewidth=0.8)
        all_axes[-1].set_xticks(range(len(x) + 1), ["start", *(f"{value:g}" for value in x)])
        all_axes[-1].set(xlabel=xlabel, ylim=(min(0, axes.get_ylim()[0]), None))
        handles, names = axes.get_legend_handles_labels()
        axes.figure.legend(handles, names, loc="outside upper center", ncols=len(names))


def _bars(axes, where, runs, look, label=None):
    """Draw the median of the runs at each position, and a bar over their range."""
    middle = np.median(runs, axis=0)
    reach = np.abs([np.min(runs, axis=0) - middle, np.max(runs, axis=0) - middle])
    style = {**look, "markersize": 5, "capsize": 2, "elinewidth": 1}
    axes.errorbar(where, middle, reach, label=label, **style)
