"""The convex hull of points in the plane, and the point of it that is nearest to a place."""

import numpy as np

# what is nearer to the border than this counts as on it
NEAR = 1e-6


def hull(points):
    """Return the indices of the corners of the convex hull of points, shape (n, 2), in order."""
    order = sorted(range(len(points)), key=lambda i: tuple(points[i]))

    def half(order):
        kept = []
        for i in order:
            while len(kept) > 1 and np.linalg.det(points[[kept[-1], i]] - points[kept[-2]]) <= 1e-9:
                kept.pop()
            kept.append(i)
        return kept[:-1]

    return half(order) + half(order[::-1]) or [0]


def sides(points):
    """Return the pairs of corners between which the border runs; one point is a pair."""
    around = hull(points)
    return list(zip(around, [*around[1:], around[0]], strict=True))


def is_inside(points, place):
    """Whether a place lies inside the hull of points, farther than `NEAR` from its border."""

    def depth(a, b):
        edge = points[b] - points[a]
        return np.linalg.det([edge, place - points[a]]) / np.hypot(*edge)

    # a hull of one or two corners has no inside
    return len(hull(points)) > 2 and min(depth(a, b) for a, b in sides(points)) > NEAR


def on_border(points, place):
    """Return the two corners between which the border is nearest to a place, and how far along.

    Returns
    -------
    a, b : int
        Indices of points.
    share : float
        0 at point a, 1 at point b.
    """

    def nearest(a, b):
        edge = points[b] - points[a]
        along = (place - points[a]) @ edge / (edge @ edge or 1)
        share = float(np.clip(along, 0, 1))
        return np.linalg.norm(points[a] + share * edge - place), a, b, share

    return min((nearest(a, b) for a, b in sides(points)), key=lambda found: found[0])[1:]
