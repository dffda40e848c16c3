"""Gradients of the weights of projections Y = X W, when a mask leaves tokens out."""

import numpy as np

from attnlib.heads import merge_heads
from attnlib.masks import visible


def tokens_that_take_part(trace):
    """Return which tokens ask or are asked, (..., H, n); None where a mask forbids nothing."""
    may_attend = visible(trace.mask)
    if may_attend is None:
        return None
    may_attend = np.broadcast_to(may_attend, trace.A.shape)
    return may_attend.any(axis=-1) | may_attend.any(axis=-2)


def weight_gradient(X, dY, takes_part):
    """Return Xᵀ dY summed over tokens and leading axes, for the heads dY (..., H, n, d_h)."""
    dW = summed_product(X, merge_heads(dY))
    if takes_part is None or np.isfinite(dW).all():
        return dW
    # a token that takes no part has gradient 0, but 0 · NaN is NaN
    heads = [
        summed_product(np.where(takes_part[..., h, :, None], X, 0), dY[..., h, :, :])
        for h in range(dY.shape[-3])
    ]
    return np.concatenate(heads, axis=-1)


def summed_product(X, dY):
    """Return Xᵀ dY summed over the leading axes."""
    return X.reshape(-1, X.shape[-1]).T @ dY.reshape(-1, dY.shape[-1])
