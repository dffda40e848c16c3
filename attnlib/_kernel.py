"""The steps of the formula after the scores, in place and with the mask obeyed to the letter."""

import numpy as np

from attnlib.masks import visible

# Up to here float32 rounds the sum of a score and a mask as finely as many a score alone.
LARGE_SUM = 64


def exponentials(scores, mask=None):
    """Return E = exp(S + mask - row maximum), exactly 0 where the mask forbids.

    Parameters
    ----------
    scores : callable
        Returns S, to be overwritten: E takes its memory where the mask has no axes of its own. It
        is called again if the sums turn out to need float64.
    mask : ndarray, optional
    """
    may_attend = visible(mask)
    S, row_max = _masked(scores(), mask, may_attend)
    if sums_need_float64(row_max, mask, S.dtype):
        sums, row_max = _masked(scores().astype(np.float64), mask, may_attend)
        np.subtract(sums, row_max, out=S, casting="same_kind")
    else:
        S -= row_max
    E = np.exp(S, out=S)
    if may_attend is not None and not np.isfinite(row_max).all():
        # a row that sees nothing, or a NaN, is all NaN by now; what is masked stays 0
        np.copyto(E, 0, where=~may_attend)
    return E


def sums_need_float64(row_max, mask, dtype):
    """Say whether sums of scores and mask were too large for `dtype`, because of the mask.

    In float32 a score beside -1e9 is rounded away, and a mask of -1e300 is -inf. That matters only
    where a row has nothing better to offer: where its maximum is as large. (-1e9 on what is hidden,
    beside a 0 on the rest, is no such case.)
    """
    if mask is None or mask.dtype == bool or dtype == np.float64:
        return False
    if not (np.abs(row_max) > LARGE_SUM).any():
        return False
    return bool((np.isfinite(mask) & (np.abs(mask) > LARGE_SUM)).any())


def _masked(S, mask, may_attend):
    """Return (S + mask with -inf where the mask forbids, its row maxima), in place if possible."""
    if mask is not None:
        shape = np.broadcast(S, mask).shape
        if S.shape != shape:
            S = np.broadcast_to(S, shape).copy()
        if mask.dtype != bool:
            S += mask
    if may_attend is not None:
        # not by adding -inf: a NaN or +inf behind the mask would survive it
        np.copyto(S, -np.inf, where=~may_attend)
    return S, S.max(axis=-1, keepdims=True, initial=-np.inf)


def weights(scores, mask=None):
    """Return A = softmax(S + mask) along the last axis; arguments as in `exponentials`."""
    E = exponentials(scores, mask)
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
