"""What is said about rows of attention weights: how even they are, how they react to scores."""

import numpy as np

from attnlib.gradients import softmax_jacobian


def entropy(p):
    """Return −Σ p ln p along the last axis, where 0 ln 0 is 0 (Claim 4.3).

    Parameters
    ----------
    p : ndarray, shape (..., n_k)

    Returns
    -------
    ndarray, shape (...)
        From 0, one key has all the weight, to ln n_k, all keys have the same.
    """
    return -np.sum(p * np.log(np.where(p > 0, p, 1)), axis=-1)


def jacobian_norm(p):
    """Return the Frobenius norm of softmax's Jacobian diag(p) − pᵀp (Claim 4.3).

    The derivatives are those with respect to what softmax is given. With respect to scores that
    are divided by c before softmax they are 1/c times as large.

    Parameters
    ----------
    p : ndarray, shape (..., n_k)

    Returns
    -------
    ndarray, shape (...)
    """
    return np.linalg.norm(softmax_jacobian(p), axis=(-2, -1))
