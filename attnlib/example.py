"""The five tokens that the chapters compute with, from the sentence to the result.

The numbers are made by hand, small enough for paper; nothing in them is learnt. All sizes differ:
n = 5, d_model = 4, d_k = 3, d_v = 2. They stand in ``example.json``, which the explorers read, too.
"""

import json
from functools import cache
from pathlib import Path
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
    stored = _stored()
    words = (tuple(stored[name]) for name in ("tokens", "gloss"))
    matrices = (np.array(stored[name], dtype=float) for name in ("X", "W_Q", "W_K", "W_V"))
    return Example(*words, *matrices)


@cache
def _stored():
    return json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
