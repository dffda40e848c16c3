"""Bars: rows of attention weights, and how often values occur."""

import numpy as np

from attnlib.plots.canvas import FAINT, array, new_figure, palette


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
    rows = {name: array(f"rows[{name!r}]", row, 1) for name, row in rows.items()}
    lengths = {name: len(row) for name, row in rows.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"rows must have one length, not {lengths}")
    with new_figure(0.7 + 0.95 * len(rows), n_rows=len(rows), sharex=True) as all_axes:
        for axes, (name, row) in zip(all_axes, rows.items(), strict=True):
            axes.bar(range(1, len(row) + 1), row, color=palette()["weights"])
            axes.set(ylim=(0, 1), yticks=(0, 0.5, 1), ylabel="weight")
            axes.set_title(name, loc="right", y=0.8)
            axes.set_xticks(range(1, len(row) + 1))
        all_axes[-1].set_xlabel(columns)


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
    with new_figure(2.6, n_columns=len(samples), sharey=True) as all_axes:
        for axes, (name, values) in zip(all_axes, samples.items(), strict=True):
            counts, _ = np.histogram(values, edges)
            density = counts / (np.size(values) * np.diff(edges))
            axes.stairs(density, edges, fill=True, color=FAINT)
            if curve is not None:
                x = np.linspace(*limits, 201)
                axes.plot(x, curve(x), color="black", linewidth=1.5)
            axes.set(title=name, xlabel=xlabel, xlim=limits)
        all_axes[0].set_ylabel("density")
