"""The running example as the explorers take it: its head, its tokens as labels, its entries."""

from functools import lru_cache

import numpy as np

from attnlib.attention import self_attention
from attnlib.example import running_example

# Features 1 and 4 of its tokens, 1 and 3 of its queries and keys: enough to be drawn or seen whole.
TWO_FEATURES = {
    "X": ((1, 0), (0, 1), (0, -1), (1, -1), (2, 1)),
    "W_Q": ((1, 1), (0, -1)),
    "W_K": ((1, -1), (-1, 0)),
    "W_V": ((1, 1), (0, 1)),
}


@lru_cache(maxsize=1)
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
        "-".join([name, *(str(i + 1) for i in index)]): float(value)
        for name, array in arrays.items()
        for index, value in np.ndenumerate(array)
    }
