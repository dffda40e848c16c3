"""Values as points of the plane, the hull of those that are visible, and mixtures of them."""

import numpy as np

from attnlib.plots.canvas import ASIDE, array, new_figure, palette
from attnlib.plots.labels import Marker, place_labels

DOT = 30  # area of a dot, in points²
AREA_OF_ALL = 400  # shared by the values of a panel in proportion to their weights
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def mixtures(V, panels, *, columns=1, height=3.6):
    """Show values in the plane, the hull of the visible ones, and weighted sums of them.

    A value's dot has an area in proportion to its weight, and the weight stands beside it. Values
    that are not visible are drawn hollow.

    Parameters
    ----------
    V : array_like, shape (n, 2)
        The values.
    panels : dict of str to (weights, outputs)
        For each panel, by its title: ``weights``, shape (m,) with m ≤ n, of the first m values,
        which are the visible ones, or None where all are visible and their weights do not matter;
        ``outputs``, a dict of label to array_like, shape (2,).
    columns : int
        Panels side by side.
    height : float
        Height of one row of panels, in inches.

    Raises
    ------
    ValueError
        If `V` does not have two columns, or a panel has no weights or more than there are values.
    """
    from matplotlib.ticker import MaxNLocator

    V = array("V", V, 2)
    if V.shape[1] != 2:
        raise ValueError(f"V must have two columns to be drawn in the plane, not shape {V.shape}")
    visible = {title: _visible(title, weights, V) for title, (weights, _) in panels.items()}
    margin = np.array([1.9 if columns == 1 else 3.6, 0.9])
    low, high = V.min(axis=0) - margin, V.max(axis=0) + margin
    n_rows = -(-len(panels) // columns)
    shape = {"n_rows": n_rows, "n_columns": columns, "sharex": True, "sharey": True}
    with new_figure(height * n_rows, **shape) as all_axes:
        for axes in all_axes[len(panels) :]:
            axes.set_visible(False)
        markers = {}
        for axes, (title, (weights, outputs)) in zip(all_axes, panels.items(), strict=False):
            markers[axes] = _draw_values(axes, V, visible[title], weights)
            markers[axes] += _draw_outputs(axes, outputs)
            axes.set(title=title, xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
            axes.set(xlabel="feature 1", ylabel="feature 2")
            axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
            axes.label_outer()
        all_axes[0].figure.draw_without_rendering()  # now every point has its place
        for axes, drawn in markers.items():
            place_labels(axes, drawn, axes.patches[0].get_xy())


def corners(points):
    """Return the corners of the convex hull of points in the plane, counter-clockwise.

    Parameters
    ----------
    points : array_like, shape (n, 2)

    Returns
    -------
    ndarray, shape (m, 2) with m ≤ n
        Points on an edge, or given twice, are no corners.
    """
    points = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(points) < 3:
        return points
    return np.array(_half(points) + _half(points[::-1]))


def _half(points):
    """Walk along one side of the hull, and drop each point at which the path turns right."""
    path = []
    for point in points:
        while len(path) > 1 and _turn(*path[-2:], point) <= 0:
            path.pop()
        path.append(point)
    return path[:-1]


def _turn(a, b, c):
    (x1, y1), (x2, y2) = b - a, c - b
    return x1 * y2 - y1 * x2


def _visible(title, weights, V):
    if weights is None:
        return len(V)
    m = len(array(f"weights of {title!r}", weights, 1))
    if not 0 < m <= len(V):
        raise ValueError(f"panel {title!r} has {m} weights, V has shape {V.shape}")
    return m


def _draw_values(axes, V, m, weights):
    colour = palette()["value"]
    hull = corners(V[:m])
    axes.fill(*hull.T, facecolor=colour, alpha=0.15, zorder=1)
    axes.fill(*hull.T, facecolor="none", edgecolor=colour, linewidth=1.5, zorder=1)
    areas = np.full(len(V), float(DOT))
    if weights is not None:
        areas[:m] = np.maximum(AREA_OF_ALL * np.asarray(weights), 4)
    axes.scatter(*V[:m].T, s=areas[:m], color=colour, zorder=2)
    axes.scatter(*V[m:].T, s=areas[m:], facecolor="white", edgecolor=ASIDE, zorder=2)
    labels = [f"v{j + 1}".translate(SUBSCRIPTS) for j in range(len(V))]
    if weights is not None:
        labels[:m] = [f"{v} {weight:.2f}" for v, weight in zip(labels, weights, strict=False)]
    return [
        Marker(v, np.sqrt(area / np.pi), text, {"color": "black" if j < m else ASIDE})
        for j, (v, area, text) in enumerate(zip(V, areas, labels, strict=True))
    ]


def _draw_outputs(axes, outputs):
    font = {"color": palette()["output"], "weight": "bold"}
    for z in outputs.values():
        axes.scatter(*z, s=70, marker="D", color=font["color"], edgecolor="black", zorder=3)
    return [Marker(np.asarray(z, float), 6.0, name, font) for name, z in outputs.items()]
