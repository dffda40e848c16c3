"""Seeded normal numbers, the same bits as ``fillNormals`` in ``draws.js``.

A page has no NumPy, and no two libraries round ``log`` and ``cos`` alike. So the numbers come from
integers modulo 2³² and from operations that IEEE 754 rounds in one way only: + − × ÷ √.
"""

import numpy as np

GOLDEN = np.uint32(0x9E3779B9)
PAIRS = 2**19


def standard_normals(seed, size):
    """Return `size` standard normal numbers; number i is a function of `seed` and i alone.

    The polar method: a uniform point in the unit disc gives two independent normal numbers.

    Parameters
    ----------
    seed : int
        0 to 2³² - 1.
    size : int
        Even, at most 2²⁰.

    Returns
    -------
    ndarray, shape (size,), float64

    Raises
    ------
    ValueError
        If `size` is odd or too large.
    """
    if size % 2 or not 0 <= size <= 2 * PAIRS:
        raise ValueError(f"size must be even and at most {2 * PAIRS}, not {size}")
    key = _scramble(np.array([seed], dtype=np.uint32) ^ GOLDEN)
    pairs = np.arange(size // 2, dtype=np.uint32)
    normals = np.empty((size // 2, 2))
    attempt = np.uint32(0)
    while pairs.size:
        index = np.uint32(2) * (pairs + attempt)
        point = np.stack([_uniform(key, index), _uniform(key, index + np.uint32(1))], axis=-1)
        s = point[:, 0] * point[:, 0] + point[:, 1] * point[:, 1]
        inside = s < 1
        stretch = np.sqrt(-2 * _ln(s[inside]) / s[inside])
        normals[pairs[inside]] = point[inside] * stretch[:, None]
        pairs = pairs[~inside]
        attempt += np.uint32(PAIRS)
    return normals.reshape(-1)


def to_grid(x):
    """Round to the nearest multiple of 2⁻¹⁶: products and sums of such numbers are exact."""
    return np.floor(x * 65536 + 0.5) / 65536


def _scramble(x):
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    x = (x ^ (x >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return x ^ (x >> np.uint32(16))


def _uniform(key, index):
    """Between -1 and 1, neither included nor 0."""
    return (_scramble(key + index * GOLDEN).astype(np.int32) + 0.5) / 2147483648


def _ln(x):
    """ln x for 0 < x < 1, to 10 digits."""
    m, exponent = np.frexp(x)
    low = m < 0.75
    m = np.where(low, 2 * m, m)
    halvings = low - exponent
    f = (m - 1) / (m + 1)
    g = f * f
    series = g * (1 / 3 + g * (1 / 5 + g * (1 / 7 + g * (1 / 9 + g * (1 / 11 + g / 13)))))
    return 2 * f * (1 + series) - halvings * 0.6931471805599453
