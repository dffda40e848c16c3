"""Keys and their shadows on a query: what of a key counts for its score."""

import numpy as np

from attnlib.plots.canvas import ASIDE, MINUS, array, new_figure, palette
from attnlib.plots.geometry import SUBSCRIPTS

SIZE = 13  # points: letters that can be read on a phone
ROOM = 0.6  # around what is drawn
AWAY = 13.0  # points between an end and its name
FARTHER = 18.0  # and between the end of a shadow and its length
BESIDE = 6.0  # and between the line of the query and a shadow on it
NOTHING = 1e-9


def shadows(q, keys):
    """Show a query and keys as vectors of the plane, and the shadow of each key on the query.

    A shadow ends where the perpendicular from the key meets the line of the query. Its length
    stands beside it: positive where it points the way of the query, negative where it points back.

    Parameters
    ----------
    q : array_like, shape (2,)
        The query, not 0.
    keys : array_like, shape (n, 2)

    Raises
    ------
    ValueError
        If `q` or `keys` cannot be drawn in the plane, or if `q` is 0.
    """
    q, keys = array("q", q, 1), array("keys", keys, 2)
    if q.shape != (2,) or keys.shape[1:] != (2,):
        raise ValueError(f"q and keys need two features, not shapes {q.shape} and {keys.shape}")
    if not q.any():
        raise ValueError("q is 0 and has no direction")
    way = q / np.linalg.norm(q)
    lengths = keys @ way
    feet = lengths[:, None] * way
    points = np.vstack([np.zeros(2), q, keys, feet])
    low, high = points.min(axis=0) - ROOM, points.max(axis=0) + ROOM
    reach = [min(lengths.min(), 0) - ROOM, max(lengths.max(), np.linalg.norm(q))]
    with new_figure(3.3) as (axes,):
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axes.set_axis_off()
        axes.plot(*np.outer(way, reach), color=ASIDE, linewidth=1, linestyle=":", zorder=1)
        for j, (key, foot, length) in enumerate(zip(keys, feet, lengths, strict=True), start=1):
            _draw_shadow(axes, key, foot, length)
            _draw_vector(axes, key, f"k{j}".translate(SUBSCRIPTS), palette()["key"])
        _draw_vector(axes, q, "q", palette()["query"])


def _draw_shadow(axes, key, foot, length):
    """Draw what the key throws on the line of the query, and how it gets there."""
    axes.plot(*np.transpose([key, foot]), color=ASIDE, linewidth=1.2, linestyle="--", zorder=2)
    text = "no shadow"
    if abs(length) > NOTHING:
        tone = palette()["signed"] if length > 0 else MINUS
        ends = np.transpose([np.zeros(2), foot])
        look = {"color": tone, "linewidth": 5, "solid_capstyle": "butt"}
        axes.plot(*ends, transform=_beside(axes, foot - key), zorder=2, **look)
        text = f"shadow {length:.1f}".replace("-", "−")
    _label(axes, foot, foot - key, text, FARTHER, color="black")


def _beside(axes, way):
    """Return the coordinates of the data, moved a little the way that a vector points."""
    from matplotlib.transforms import ScaledTranslation

    x, y = BESIDE * way / np.linalg.norm(way) / 72
    return axes.transData + ScaledTranslation(x, y, axes.figure.dpi_scale_trans)


def _draw_vector(axes, end, name, colour):
    axes.plot(*np.transpose([np.zeros(2), end]), color=colour, linewidth=2.2, zorder=3)
    axes.scatter(*end, s=60, color=colour, zorder=4)
    _label(axes, end, end, name, AWAY, color=colour, weight="bold")


def _label(axes, at, way, text, points, **font):
    """Write beyond a point, on the side to which a vector points."""
    distance = np.linalg.norm(way)
    x, y = points * way / distance if distance > NOTHING else (0.0, -points)
    place = {"ha": "left" if x >= 0 else "right", "va": "center", "textcoords": "offset points"}
    axes.annotate(text, at, (x, y), size=SIZE, **place, **font)
