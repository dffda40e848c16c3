"""Three heads of odd widths, and tokens for them: the fixtures of the tests beside it."""

import numpy as np

import attnlib as al

B, N, D_MODEL, H, D_K, D_V = 2, 5, 7, 3, 4, 6


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def three_heads():
    """Three heads whose widths do not add up to d_model."""
    return al.MultiHeadAttention(
        normal(D_MODEL, H * D_K, seed=1),
        normal(D_MODEL, H * D_K, seed=2),
        normal(D_MODEL, H * D_V, seed=3),
        normal(H * D_V, D_MODEL, seed=4),
        H,
    )


def tokens():
    return normal(B, N, D_MODEL, seed=5)
