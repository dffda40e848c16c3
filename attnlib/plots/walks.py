"""Walks: sums that grow term by term, and how far such sums usually get."""

import numpy as np

from attnlib.plots.canvas import ONE_OF_MANY, array, new_figure

WALK = {"color": ONE_OF_MANY, "linewidth": 0.6}
ROOT = {"color": "black", "linewidth": 1.8}
TWICE = {"color": "black", "linewidth": 1.4, "linestyle": "--"}


def walks(counts, sums, *, xlabel="", ylabel=""):
    """Show sums as they grow, and the curves ±√r and ±2√r over the number r of their terms.

    Parameters
    ----------
    counts : array_like, shape (m,)
        How many terms have been added, in ascending order.
    sums : array_like, shape (n, m)
        The sums, one row for each walk.
    xlabel, ylabel : str
        What is counted, and what is summed.

    Raises
    ------
    ValueError
        If a row of `sums` does not have the length of `counts`.
    """
    counts, sums = array("counts", counts, 1), array("sums", sums, 2)
    if sums.shape[1] != len(counts):
        raise ValueError(f"sums has shape {sums.shape}, but counts has shape {counts.shape}")
    with new_figure(3.4) as (axes,):
        axes.plot(counts, sums.T, **WALK)
        fine = np.linspace(0, counts[-1], 65)
        for factor, look in ((1, ROOT), (2, TWICE)):
            for sign in (1, -1):
                axes.plot(fine, sign * factor * np.sqrt(fine), **look)
            name = "√r" if factor == 1 else "2√r"
            axes.annotate(
                f"±{name}",
                (counts[-1], factor * np.sqrt(counts[-1])),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                annotation_clip=False,
            )
        axes.set(xlim=(0, counts[-1]), xlabel=xlabel, ylabel=ylabel)
