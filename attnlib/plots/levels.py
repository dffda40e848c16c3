"""Lines of equal height over the hull of values: mixtures with the same share, or read-out."""

import numpy as np

from attnlib.plots.canvas import NO_ROLE, array, new_figure, palette
from attnlib.plots.geometry import SUBSCRIPTS, corners

KINDS = ("weights", "plain")
TEXT = 13.5  # points: two panels side by side are still read on a phone
BEYOND = 0.45  # how far a line is seen outside the hull
MARGIN = 0.95  # between the values and the frame


def level_lines(V, panels, *, height=3.1):
    """Show values in the plane, their hull, and the mixtures of each height as a line across it.

    A height belongs to every value, and a mixture has the height that is mixed in the same shares:
    with heights 0, 0 and 1, it is the share of the third value.

    Parameters
    ----------
    V : array_like, shape (n, 2)
        The values.
    panels : dict of str to (kind, heights, levels, outputs)
        For each panel, by its title: ``kind``, "weights" where the heights are a share, else
        "plain"; ``heights``, shape (m,) with m ≤ n, of the first m values, whose hull is shown;
        ``levels``, the heights of the lines; ``outputs``, a dict of label to shape (2,).
    height : float
        Height of the figure, in inches.

    Raises
    ------
    ValueError
        If `V` does not have two columns, a kind is unknown, the values of a panel have no area,
        or its heights are not those of a plane over them.
    """
    V = array("V", V, 2)
    if V.shape[1] != 2:
        raise ValueError(f"V must have two columns to be drawn in the plane, not shape {V.shape}")
    slopes = {}
    for title, (kind, heights, _, _) in panels.items():
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}, not {kind!r}")
        slopes[title] = _slope(title, V, array(f"heights of {title!r}", heights, 1))
    with new_figure(height, n_columns=len(panels)) as all_axes:
        for axes, (title, panel) in zip(all_axes, panels.items(), strict=True):
            _draw_panel(axes, V, panel, slopes[title])
            axes.set_title(title, fontsize=TEXT, color=_colour(panel[0]))


def _draw_panel(axes, V, panel, slope):
    kind, heights, levels, outputs = panel
    seen = V[: len(heights)]
    low, high = seen.min(axis=0) - MARGIN, seen.max(axis=0) + MARGIN
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    axes.fill(*corners(seen).T, facecolor=palette()["value"], alpha=0.15, zorder=1)
    along = np.array([slope[1], -slope[0]]) / np.hypot(*slope[:2])
    along *= -np.sign(along[0]) or 1.0  # to the left, where the numbers stand
    for level in levels:
        _draw_line(axes, crossing(seen, slope, level), along, f"{level:g}", _colour(kind))
    axes.scatter(*seen.T, s=30, color=palette()["value"], zorder=3)
    # beside a line, and not on it
    up = np.sign(np.round(slope[:2], 6))
    for j, (v, h) in enumerate(zip(seen, heights, strict=True)):
        side = 1 if h > np.mean(heights) else -1
        _write(axes, f"v{j + 1}".translate(SUBSCRIPTS), v, 5 * side * up, "black")
    for name, z in outputs.items():
        axes.scatter(*z, s=70, marker="D", color=palette()["output"], edgecolor="black", zorder=4)
        _write(axes, name, z, (6, -3), palette()["output"], weight="bold")


def crossing(points, slope, level):
    """Return where a line of one height enters and leaves the hull of points in the plane.

    Parameters
    ----------
    points : array_like, shape (m, 2)
    slope : array_like, shape (3,)
        The height of a point (x, y) is ``slope @ (x, y, 1)``.
    level : float

    Returns
    -------
    ndarray, shape (2, 2), or (1, 2) where the line only touches, or (0, 2) where it misses
    """
    ends = []
    hull = corners(points)
    for a, b in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        at_a, at_b = (slope @ [*end, 1.0] - level for end in (a, b))
        if abs(at_a) < 1e-9:
            ends.append(a)
        elif abs(at_b) >= 1e-9 and at_a * at_b < 0:
            ends.append(a + (b - a) * at_a / (at_a - at_b))
    return np.array(ends).reshape(-1, 2)


def _slope(title, V, heights):
    """Return the plane over the first values that has these heights."""
    if len(heights) > len(V):
        raise ValueError(f"panel {title!r} has {len(heights)} heights, V has shape {V.shape}")
    places = np.column_stack([V[: len(heights)], np.ones(len(heights))])
    slope, _, rank, _ = np.linalg.lstsq(places, heights)
    if rank < 3:
        raise ValueError(f"the values of panel {title!r} lie on one line")
    if not np.allclose(places @ slope, heights):
        raise ValueError(f"the heights of panel {title!r} are not those of a plane")
    return slope


def _draw_line(axes, ends, along, text, colour):
    """Draw a line, dashed where it is outside the hull, and its height at its end."""
    if not len(ends):
        return
    order = np.argsort(ends @ along)
    last, first = ends[order[-1]], ends[order[0]]
    axes.plot(*ends.T, color=colour, linewidth=1.8, zorder=2)
    for end, way in ((last, along), (first, -along)):
        axes.plot(*np.transpose([end, end + BEYOND * way]), color=colour, linewidth=1.0, ls=":")
    _write(axes, text.replace("-", "−"), last + BEYOND * along, (-3, 3 * along[1]), colour)


def _colour(kind):
    return palette().get(kind, NO_ROLE)


def _write(axes, text, at, away, colour, **font):
    """Write a text beside a point, that many points away."""
    x, y = np.sign(np.round(away, 6))
    where = {0: "center", 1: "left", -1: "right"}[x], {0: "center", 1: "bottom", -1: "top"}[y]
    axes.annotate(
        text, at, away, textcoords="offset points", ha=where[0], va=where[1],
        fontsize=TEXT, color=colour, zorder=5, annotation_clip=False, **font,
    )  # fmt: skip
