"""The running example as the explorers take it: its head, its tokens as labels, its entries."""

from functools import cache

import numpy as np

from attnlib.attention import self_attention
from attnlib.example import running_example


@cache
def head():
    """Return the trace of the example's head, n = 5, d_k = 3, d_v = 2."""
    return self_attention(*running_example()[2:])


def words():
    """Return the tokens with their positions and English: 1 小明 Xiaoming."""
    tokens, gloss = running_example()[:2]
    pairs = zip(tokens, gloss, strict=True)
    return [f"{i} {token} {english}" for i, (token, english) in enumerate(pairs, start=1)]


def entries(**arrays):
    """Return the entries of arrays by the names they have in the page: A-1-1, sum-1."""
    return {
        entry_name(name, *(i + 1 for i in index)): float(value)
        for name, array in arrays.items()
        for index, value in np.ndenumerate(array)
    }


def entry_name(name, *place):
    """Return the name that an entry has in the page, its place counted from 1: A-1-1."""
    return "-".join([name, *map(str, place)])
