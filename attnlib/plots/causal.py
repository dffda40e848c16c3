"""Square matrices beside each other, with the border between earlier and later tokens drawn in."""

import numpy as np

from attnlib.plots.canvas import _array, _cells, _fade, _panels, palette

N_COLUMNS = 2
GREY = "#4D4D4D"  # dependence is none of the roles that have a colour


def causal_matrices(panels, *, kind="weights", rows="query i", columns="key j", decimals=2):
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
    if kind not in ("weights", "dependence"):
        raise ValueError(f"kind must be 'weights' or 'dependence', not {kind!r}")
    panels = {name: _array(f"panels[{name!r}]", values, 2) for name, values in panels.items()}
    shapes = {name: values.shape for name, values in panels.items()}
    if len(set(shapes.values())) != 1 or len(set(next(iter(shapes.values())))) != 1:
        raise ValueError(f"panels must be square and of one size, not {shapes}")
    for name, values in panels.items():
        if not (values >= 0).all():
            raise ValueError(f"panels[{name!r}] has an entry that is negative or NaN")
    n = len(next(iter(panels.values())))
    weights = kind == "weights"
    high = 1.0 if weights else max(values.max() for values in panels.values()) or 1.0
    colours = _fade(palette()["weights"] if weights else GREY)
    n_rows = -(-len(panels) // N_COLUMNS)
    height = n_rows * (0.8 + 0.38 * n)
    with _panels(height, n_rows=n_rows, n_columns=min(N_COLUMNS, len(panels))) as all_axes:
        for axes, (name, values) in zip(all_axes, panels.items(), strict=False):
            texts = [[f"{v:.{decimals}f}" if v else "0" for v in row] for row in values]
            _cells(axes, values, texts, cmap=colours, vmin=0.0, vmax=high)
            steps = np.repeat(np.arange(n) - 0.5, 2)
            axes.plot(steps[:-1] + 1, steps[1:], color="black", linewidth=1.8)
            axes.set(title=name, xlabel=columns, ylabel=rows)
        for axes in all_axes[len(panels) :]:
            axes.set_visible(False)
