"""The sample of the scaling explorer: random queries, each with keys of its own."""

import math
from functools import lru_cache

from attnlib.explorers.scaling.draws import standard_normals, to_grid

ROWS = 100
KEYS = 8


@lru_cache(maxsize=4)
def sample(d_k, mu_q, mu_k, sigma_q, sigma_k, rho, seed):
    """Return Q, shape (100, d_k), and K, shape (100, 8, d_k): each query has keys of its own.

    Features are rounded to multiples of 2⁻¹⁶, so that dot products carry no rounding and are
    the same wherever and in whatever order they are summed.
    """
    z = standard_normals(seed, d_k * ROWS * (1 + KEYS)).reshape(d_k, ROWS, 1 + KEYS)
    z_q, z_k = z[:, :, :1], z[:, :, 1:]
    Q = to_grid(mu_q + sigma_q * z_q)[:, :, 0].T
    K = to_grid(mu_k + sigma_k * (rho * z_q + math.sqrt(1 - rho * rho) * z_k)).transpose(1, 2, 0)
    Q.setflags(write=False)
    K.setflags(write=False)
    return Q, K
