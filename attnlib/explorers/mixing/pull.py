"""The shares that bring an output to a place: of the many mixtures, the most even one."""

import numpy as np

from attnlib.attention import softmax
from attnlib.explorers.mixing.hull import is_inside, on_border

ROUNDS = 100


def most_even(points, place):
    """Weights of largest entropy among those that mix points, shape (n, 2), to a place.

    Inside the hull they are the softmax of scores that rise evenly in one direction. Where no
    mixture reaches the place, those of the nearest point that one reaches: on the border, of two
    corners alone.

    Returns
    -------
    ndarray, shape (n,)
    """
    points, place = np.asarray(points, dtype=float), np.asarray(place, dtype=float)
    if not is_inside(points, place):
        a, b, share = on_border(points, place)
        weights = np.zeros(len(points))
        weights[a] += 1 - share
        weights[b] += share
        return weights
    from_place = points - place
    slope = np.zeros(2)
    for _ in range(ROUNDS):  # Newton's steps; no score changes by more than 1 in one of them
        weights = softmax(from_place @ slope)
        off = weights @ from_place
        spread = from_place.T * weights @ from_place - np.outer(off, off)
        step = np.linalg.solve(spread, off)
        largest = np.abs(from_place @ step).max()
        slope -= step / max(1, largest)
        if largest < 1e-12:
            break
    return softmax(from_place @ slope)


def whole_percents(weights):
    """Weights as whole percents that sum to 100: the largest remainders are rounded up."""
    # what differs by rounding errors only is a tie, which the first wins
    fine = np.floor(1e11 * np.asarray(weights) + 0.5)
    percents = np.floor(fine / 1e9)
    order = np.argsort(percents * 1e9 - fine, kind="stable")
    percents[order[: round(100 - percents.sum())]] += 1
    return [int(percent) for percent in percents]
