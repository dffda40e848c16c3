"""Matrices small enough to be drawn or seen whole, which the reader may change."""

import json
from functools import cache
from pathlib import Path

import numpy as np

from attnlib.example import running_example
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Matrix


def start():
    """Return features 1 and 4 of the running example, 1 and 3 of its queries and keys, by name."""
    example = running_example()
    features, of_queries_and_keys = _kept().values()
    return {
        "X": example.X[:, features],
        "W_Q": example.W_Q[np.ix_(features, of_queries_and_keys)],
        "W_K": example.W_K[np.ix_(features, of_queries_and_keys)],
        "W_V": example.W_V[features],
    }


@cache
def _kept():
    return json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


class TwoFeatures(Explorer):
    """What an explorer has in common with others that start from these matrices."""

    X = Matrix(-3.0, 3.0, start()["X"])
    W_Q = Matrix(-3.0, 3.0, start()["W_Q"])
    W_K = Matrix(-3.0, 3.0, start()["W_K"])
    W_V = Matrix(-3.0, 3.0, start()["W_V"])
