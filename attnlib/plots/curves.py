"""Curves: quantities against x, the spread of repeated runs, and the runs of a training."""

import numpy as np

from attnlib.plots.canvas import ASIDE, FAINT, ONE_OF_MANY, array, new_figure

LINES = (
    {"color": "black", "linestyle": "-", "marker": "o", "linewidth": 2.2},
    {"color": ASIDE, "linestyle": "--", "marker": "s", "linewidth": 1.6},
    {"color": ASIDE, "linestyle": ":", "marker": "^", "linewidth": 2.0},
    {"color": "black", "linestyle": "-.", "marker": "D", "linewidth": 1.2},
)
APART = 0.1  # of the distance between two positions: bars of several lines stay apart
RUN = {"color": ONE_OF_MANY, "linewidth": 0.9}
MEDIAN = {"color": "black", "linewidth": 2.0}
LEVEL = {"color": "black", "linestyle": ":", "linewidth": 1.4}


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
    x = array("x", x, 1)
    _check_count(panels)
    for quantity, series in panels.items():
        for name, y in series.items():
            if np.shape(y) != x.shape:
                where = f"panels[{quantity!r}][{name!r}]"
                raise ValueError(f"{where} has shape {np.shape(y)}, but x has shape {x.shape}")
    with new_figure(3.1, n_columns=len(panels), sharey=share_y) as all_axes:
        for axes, (quantity, series) in zip(all_axes, panels.items(), strict=True):
            for (name, y), look in zip(series.items(), LINES, strict=False):
                axes.plot(x, y, label=name, markersize=5, **look)
            if log_x:
                axes.set_xscale("log", base=2)
                axes.set_xticks(x, [f"{value:g}" for value in x])
                axes.minorticks_off()
            if log_y:
                axes.set_yscale("log")
                axes.yaxis.set_major_formatter("{x:g}")  # not as powers, which are no plain text
                axes.yaxis.set_minor_formatter("")
            axes.set(xlabel=xlabel, title=quantity)
        if not log_y:
            # Only now: a limit set earlier would cut off what a later panel of the scale adds.
            for axes in all_axes:
                axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
        _legend(*axes.get_legend_handles_labels(), axes)


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
    x = array("x", x, 1)
    _check_count(panels)
    for title, series in panels.items():
        for name, runs in series.items():
            where, shape = f"panels[{title!r}][{name!r}]", np.shape(runs)
            if len(shape) != 2 or shape[1] != len(x):
                raise ValueError(f"{where} has shape {shape}, but x has shape {x.shape}")
            if np.shape(start[title][name]) != shape[:1]:
                got = np.shape(start[title][name])
                raise ValueError(f"{where} has shape {shape}, but its start has shape {got}")
    height = 1.1 + 2.1 * len(panels)
    with new_figure(height, n_rows=len(panels), sharex=True, sharey=True) as all_axes:
        for axes, (title, series) in zip(all_axes, panels.items(), strict=True):
            for k, (name, look) in enumerate(zip(series, LINES, strict=False)):
                shift = APART * (k - (len(series) - 1) / 2)
                _bars(axes, np.arange(1, len(x) + 1) + shift, series[name], look, label=name)
                _bars(axes, np.array([shift]), np.reshape(start[title][name], (-1, 1)), look)
            axes.set_title(title)
            axes.axvline(0.5, color=FAINT, linewidth=0.8)
        all_axes[-1].set_xticks(range(len(x) + 1), ["start", *(f"{value:g}" for value in x)])
        all_axes[-1].set(xlabel=xlabel, ylim=(min(0, axes.get_ylim()[0]), None))
        _legend(*axes.get_legend_handles_labels(), axes)


def runs(x, panels, *, xlabel="", ylabel="", level=None):
    """Show a quantity of several runs against x, one panel for each condition, on one scale.

    Parameters
    ----------
    x : array_like, shape (m,)
    panels : dict of str to array_like, shape (m, runs)
        The runs of each condition, by the title of its panel.
    xlabel, ylabel : str
        What is shown.
    level : (str, float), optional
        The name and the height of a dotted line in every panel.

    Raises
    ------
    ValueError
        If a panel does not have one row for each x.
    """
    x = array("x", x, 1)
    panels = {name: array(f"panels[{name!r}]", ys, 2) for name, ys in panels.items()}
    for name, ys in panels.items():
        if len(ys) != len(x):
            raise ValueError(f"panels[{name!r}] has shape {ys.shape}, but x has shape {x.shape}")
    with new_figure(2.7, n_columns=len(panels), sharex=True, sharey=True) as all_axes:
        for axes, (name, ys) in zip(all_axes, panels.items(), strict=True):
            handles = axes.plot(x, ys, **RUN)[:1]
            handles += axes.plot(x, np.median(ys, axis=1), **MEDIAN)
            names = ["one run", "median"]
            if level is not None:
                handles.append(axes.axhline(level[1], **LEVEL))
                names.append(level[0])
            axes.set(title=name, xlabel=xlabel)
            ticks = [0, x[-1] / 2, x[-1]]
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        all_axes[0].set(ylabel=ylabel, ylim=(0, None))
        _legend(handles, names, axes)


def _check_count(panels):
    for title, series in panels.items():
        if len(series) > len(LINES):
            raise ValueError(f"panels[{title!r}] has {len(series)} lines, at most {len(LINES)}")


def _legend(handles, names, axes):
    """Name the lines above all panels."""
    axes.figure.legend(handles, names, loc="outside upper center", ncols=len(names))


def _bars(axes, where, runs, look, label=None):
    """Draw the median of the runs at each position, and a bar over their range."""
    middle = np.median(runs, axis=0)
    reach = np.abs([np.min(runs, axis=0) - middle, np.max(runs, axis=0) - middle])
    style = {**look, "markersize": 5, "capsize": 2, "elinewidth": 1}
    axes.errorbar(where, middle, reach, label=label, **style)
