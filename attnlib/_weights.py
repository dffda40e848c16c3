"""The steps of the formula after the scores, in place and with the mask obeyed to the letter."""

import numpy as np

from attnlib.masks import visible


def exponentials(S, mask=None):
    """Return E = exp(S + mask - row maximum), exactly 0 where the mask forbids.

    E takes the memory of S where the mask has no axes of its own.
    """
    may_attend = visible(mask)
    if mask is not None:
        shape = np.broadcast_shapes(S.shape, mask.shape)
        if S.shape != shape:
            S = np.broadcast_to(S, shape).copy()
        if mask.dtype != bool:
            S += mask
    if may_attend is not None:
        # not by adding -inf: a NaN or +inf behind the mask would survive it
        np.copyto(S, -np.inf, where=~may_attend)
    row_max = S.max(axis=-1, keepdims=True, initial=-np.inf)
    S -= row_max
    E = np.exp(S, out=S)
    if may_attend is not None and not np.isfinite(row_max).all():
        # a row that sees nothing, or a NaN, is all NaN by now; what is masked stays 0
        np.copyto(E, 0, where=~may_attend)
    return E


def weights(S, mask=None):
    """Return A = softmax(S + mask) along the last axis, in place like `exponentials`."""
    E = exponentials(S, mask)
    total = E.sum(axis=-1, keepdims=True)
    total[total == 0] = 1  # a row that sees nothing has the weights 0
    E /= total
    if np.isnan(total).any() and (may_attend := visible(mask)) is not None:
        # in the row of a visible NaN, 0 / NaN is NaN
        np.copyto(E, 0, where=~may_attend)
    return E


def row_sums(E):
    """Return Σ E along the keys: BLAS adds up rows several times as fast as `sum`."""
    return E @ np.ones((E.shape[-1], 1), E.dtype)


def average(E, V, mask=None, out=None):
    """Return (E / row sums of E) V, dividing the smaller product where that is safe."""
    total = row_sums(E)
    total[total == 0] = 1
    Z = np.matmul(E, V, out=out)
    if np.isfinite(Z).all():
        Z /= total
        return Z
    Z[...] = aggregate(E, V, mask)
    unsafe = ~np.isfinite(Z)
    Z /= total
    if unsafe.any():
        # the undivided sum can overflow where the average does not
        E /= total
        np.copyto(Z, aggregate(E, V, mask), where=unsafe)
    return Z


def aggregate(A, V, mask=None):
    """Return A V; values that are not finite reach only the rows that may attend to them."""
    Z = A @ V
    if np.isfinite(Z).all() or (may_attend := visible(mask)) is None:
        return Z
    finite = np.isfinite(V)
    Z = A @ np.where(finite, V, 0)
    rest = np.where(finite, 0, V)
    for j in np.flatnonzero(~finite.all(axis=-1).reshape(-1, V.shape[-2]).all(axis=0)):
        # 0 · NaN is NaN, so a masked position must be left out, not multiplied by its weight 0
        term = A[..., j, None] * rest[..., None, j, :]
        Z += np.where(may_attend[..., j, None], term, 0)
    return Z
