"""Tables with one row for each head, side by side: where heads look, what is right without them."""

from attnlib.plots.canvas import _array, _cells, _fade, _panels, palette

GREY = "#4D4D4D"  # a share of right answers is none of the roles that have a colour


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
    if kind not in ("weights", "accuracy"):
        raise ValueError(f"kind must be 'weights' or 'accuracy', not {kind!r}")
    panels = {name: _array(f"panels[{name!r}]", values, 2) for name, values in panels.items()}
    shapes = {name: values.shape for name, values in panels.items()}
    if len(set(shapes.values())) != 1 or next(iter(shapes.values()))[1] != len(columns):
        raise ValueError(f"panels must have one shape (H, {len(columns)}), not {shapes}")
    for name, values in panels.items():
        if not ((values >= 0) & (values <= 1)).all():
            raise ValueError(f"panels[{name!r}] has an entry that is not between 0 and 1")
    colours = _fade(palette()["weights"] if kind == "weights" else GREY)
    n_heads = next(iter(shapes.values()))[0]
    with _panels(1.5 + 0.34 * n_heads, n_columns=len(panels), sharey=True) as all_axes:
        for axes, (name, values) in zip(all_axes, panels.items(), strict=True):
            texts = [[f"{value:.{decimals}f}" for value in row] for row in values]
            _cells(axes, values, texts, cmap=colours, vmin=0.0, vmax=1.0)
            # a slanted name ends below its own column
            slanted = {"rotation": 60, "ha": "right", "rotation_mode": "anchor"}
            axes.set_xticks(range(len(columns)), columns, **slanted)
            axes.set_title(name)
        all_axes[0].set_ylabel(rows)
