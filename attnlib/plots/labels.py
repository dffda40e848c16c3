"""Labels beside points: each next to its own point, clear of all else that is drawn."""

from typing import NamedTuple

import numpy as np

GAPS = (3.0, 6.0, 10.0)  # points between a marker and its label, the nearest that will do
CLEAR = 6.0  # points by which a label should be nearer to its own marker than to any other
N_ROUNDS = 3
N_DIRECTIONS = 16


class Marker(NamedTuple):
    """A drawn point and its label.

    Attributes
    ----------
    at : ndarray, shape (2,)
        Where it is, in the coordinates of the axes.
    radius : float
        Half its width, in points.
    text : str
    font : dict
        What `matplotlib.text.Text` takes.
    """

    at: np.ndarray
    radius: float
    text: str
    font: dict


def place_labels(axes, markers, border):
    """Write the label of each marker where it covers nothing and can belong to no other.

    The axes must have their final place and limits.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    markers : list of Marker
    border : array_like, shape (m, 2)
        The corners of a polygon that labels should not cross.
    """
    point = axes.figure.dpi / 72  # in pixels
    centres = axes.transData.transform([marker.at for marker in markers]) / point
    radii = np.array([marker.radius for marker in markers])
    frame = axes.get_window_extent().extents.reshape(2, 2) / point
    line = _along(axes.transData.transform(border) / point)
    directions = np.linspace(0, 2 * np.pi, N_DIRECTIONS, endpoint=False)
    directions = np.stack([np.cos(directions), np.sin(directions)], axis=1)
    ways = np.tile(directions, (len(GAPS), 1))
    gaps = np.repeat(GAPS, N_DIRECTIONS)
    outward = centres - centres.mean(axis=0)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    labels, sizes = [], []
    for marker in markers:
        look = {"ha": "center", "va": "center", "textcoords": "offset points", "zorder": 4}
        label = axes.annotate(marker.text, marker.at, (0, 0), **look, **marker.font)
        label.set_in_layout(False)  # or the axes would move
        extent = label.get_window_extent()
        labels.append(label)
        sizes.append(np.array([extent.width, extent.height]) / point)
    boxes = [None] * len(markers)
    for _ in range(N_ROUNDS):
        for k in range(len(markers)):
            reach = (radii[k] + gaps)[:, None] * ways
            offsets = reach + np.clip(1.4 * ways, -1, 1) * sizes[k] / 2
            choices = [_box(centres[k] + offset, sizes[k]) for offset in offsets]
            others = [box for j, box in enumerate(boxes) if box is not None and j != k]
            costs = [_cost(box, k, centres, radii, others, line, frame) for box in choices]
            costs += 0.5 * gaps - ways @ outward[k]
            best = int(np.argmin(np.round(costs, 6)))
            boxes[k] = choices[best]
            _write(labels[k], offsets[best], sizes[k])


def _write(label, offset, size):
    """Put a label where its middle has this offset.

    Beside its marker it is held by the nearer end, which stays where it is in any other font.
    """
    x, y = offset
    side = 0 if abs(x) < size[0] / 2 else int(np.sign(x))
    label.set_horizontalalignment(("center", "left", "right")[side])
    label.xyann = (x - side * size[0] / 2, y)


def _cost(box, k, centres, radii, others, line, frame):
    """Return how badly a label of marker k stands: 0 where nothing is near."""
    away = _distance(box, centres) - radii
    ambiguous = np.maximum(away[k] + CLEAR - np.delete(away, k), 0).sum()
    covered = sum(_overlap(box, other) for other in others) + 5 * np.maximum(1 - away, 0).sum()
    crossed = np.sum(_distance(box, line) < 1)
    outside = np.maximum([frame[0] - box[0], box[1] - frame[1]], 0).sum()
    return 3 * ambiguous + 2 * covered + 1.5 * crossed + 10 * outside


def _box(centre, size):
    """Return the lower left and the upper right corner."""
    return np.array([centre - size / 2, centre + size / 2])


def _distance(box, points):
    """Return how far each point is from a box, 0 inside."""
    return np.linalg.norm(np.maximum(np.maximum(box[0] - points, points - box[1]), 0), axis=1)


def _overlap(one, other):
    """Return how far two boxes overlap, 0 if they are 1 point apart."""
    shared = np.minimum(one[1], other[1]) - np.maximum(one[0], other[0]) + 1
    return float(np.prod(np.maximum(shared, 0)) ** 0.5)


def _along(corners):
    """Return points every 2 points along the sides of a polygon."""
    sides = np.roll(corners, -1, axis=0) - corners
    pieces = [
        corner + np.linspace(0, 1, 2 + int(np.hypot(*side) / 2))[:, None] * side
        for corner, side in zip(corners, sides, strict=True)
    ]
    return np.vstack(pieces)
