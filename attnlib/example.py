"""The five tokens that the chapters compute with, from the sentence to the result.

The numbers are made by hand, small enough for paper; nothing in them is learnt. All sizes differ:
n = 5, d_model = 4, d_k = 3, d_v = 2.
"""

from typing import NamedTuple

import numpy as np


class Example(NamedTuple):
    """One sentence with its input and projections (Claims 1.1 and 2.1).

    Attributes
    ----------
    tokens : tuple of str, length n
    gloss : tuple of str, length n
        The tokens in English.
    X : ndarray of float64, shape (n, d_model)
    W_Q, W_K : ndarray of float64, shape (d_model, d_k)
    W_V : ndarray of float64, shape (d_model, d_v)
    """

    tokens: tuple[str, ...]
    gloss: tuple[str, ...]
    X: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray


def running_example():
    """Return 小明 把 书 送给 小红 (Xiaoming gives Xiaohong the book) as fresh arrays.

    Returns
    -------
    Example
    """
    X = [[1, -1, 0, 0], [0, 0, -1, 1], [0, -1, 0, -1], [1, 1, 1, -1], [2, 0, 1, 1]]
    W_Q = [[1, 1, 1], [-1, 0, 0], [0, 0, -1], [0, 0, -1]]
    W_K = [[1, 1, -1], [1, -1, -1], [-1, 0, 1], [-1, 0, 0]]
    W_V = [[1, 1], [2, -1], [-1, 0], [0, 1]]
    return Example(
        ("小明", "把", "书", "送给", "小红"),
        ("Xiaoming", "BA", "book", "gives", "Xiaohong"),
        *(np.array(rows, dtype=float) for rows in (X, W_Q, W_K, W_V)),
    )
