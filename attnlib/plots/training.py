"""Curves of several trainings: every run, their median, and a level to compare with."""

import numpy as np

from attnlib.plots.canvas import _array, _panels

RUN = {"color": "#8C8C8C", "linewidth": 0.9}
MEDIAN = {"color": "black", "linewidth": 2.0}
LEVEL = {"color": "black", "linestyle": ":", "linewidth": 1.4}


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
    x = _array("x", x, 1)
    panels = {name: _array(f"panels[{name!r}]", ys, 2) for name, ys in panels.items()}
    for name, ys in panels.items():
        if len(ys) != len(x):
            raise ValueError(f"panels[{name!r}] has shape {ys.shape}, but x has shape {x.shape}")
    with _panels(2.7, n_columns=len(panels), sharex=True, sharey=True) as all_axes:
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
        axes.figure.legend(handles, names, loc="outside upper center", ncols=len(names))
