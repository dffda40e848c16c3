"""Symbols of a head and of two heads, with numbers for them: all sizes different."""

import numpy as np
import pytest

from attnlib.symbolic import matrix

N_Q, N_K, D_K, D_V = 2, 4, 3, 5


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def with_values(rng, *matrices):
    return [(names, rng.standard_normal(names.shape)) for names in matrices]


@pytest.fixture
def head(rng):
    """Symbols for Q, K and V with values, all sizes different."""
    return with_values(rng, matrix("Q", N_Q, D_K), matrix("K", N_K, D_K), matrix("V", N_K, D_V))


@pytest.fixture
def heads(rng):
    """Symbols for X and the weights of two heads with values: n, d_model, d_k, d_v all differ."""
    n, d_model, n_heads, d_k, d_v = 3, 5, 2, 4, 1
    return with_values(
        rng,
        matrix("X", n, d_model),
        matrix("W_Q", d_model, n_heads * d_k),
        matrix("W_K", d_model, n_heads * d_k),
        matrix("W_V", d_model, n_heads * d_v),
        matrix("W_O", n_heads * d_v, d_model),
    )
