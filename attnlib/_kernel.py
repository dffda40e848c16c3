"""What is fast: softmax(Q Kᵀ · scale + M) V in place, and the mask obeyed to the letter.

All forms stand on it. The plain one is a single tile of keys, the blocked one takes many.
"""

from math import log

import numpy as np

from attnlib.masks import visible

# Heads with so many scores are taken one by one, so that these stay in the processor's cache from
# step to step; where heads are small, a loop would cost more than it saves.
LARGE = 2**16
# Up to here float32 rounds the sum of a score and a mask as finely as many a score alone.
LARGE_SUM = 64
# What a row maximum is at least: a finite number, for -inf - (-inf) is NaN.
LEAST = {real: np.finfo(real).min for real in (np.float32, np.float64)}


def weights(scores, mask=None):
    """Return A = softmax(S + mask) along the last axis, exactly 0 where the mask forbids.

    Parameters
    ----------
    scores : callable
        Returns S, and A takes its memory where the mask has no axes of its own. It is called again
        if the sums turn out to need float64.
    mask : ndarray, optional
    """
    S = scores()
    if mask is not None and S.shape != (shape := np.broadcast_shapes(S.shape, mask.shape)):
        S = np.broadcast_to(S, shape).copy()
    E, row_max = _exponentials(S, mask, S.dtype.type)
    if _sums_need_float64(row_max, mask, S.dtype):
        S[...] = scores()
        E, _ = _exponentials(S, mask, np.float64)
    total = E.sum(axis=-1, keepdims=True)
    _forgive_blind_rows(total, [mask])
    E /= total
    if not (total > 0).all() and (may_attend := visible(mask)) is not None:
        # a visible NaN, or nothing but -inf, makes its row NaN; what is masked there stays 0
        np.copyto(E, 0, where=~may_attend)
    return E


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


def attention_output(Q, K, V, mask, scale):
    """Return Z = softmax(Q Kᵀ · scale + mask) V and keep nothing else."""
    (Q, K, V, mask), leading = with_common_leading_axes(Q, K, V, mask)
    n_q, n_k = Q.shape[-2], K.shape[-2]
    if n_q * n_k < LARGE:
        tiles = [(slice(None), mask)] if n_k else []
        return output_of_tiles(Q, K, V, tiles, scale)
    Z = np.empty((*leading, n_q, V.shape[-1]), Q.dtype)
    # every head uses it in its turn: new memory for each would cost as much as a product
    memory = np.empty((n_q, n_k), Q.dtype)
    for head in np.ndindex(leading):
        tiles = [(slice(None), None if mask is None else mask[head])]
        Z[head] = output_of_tiles(Q[head], K[head], V[head], tiles, scale, memory)
    return Z


def with_common_leading_axes(*matrices):
    """Return ([views with the same leading axes; None stays None], those axes)."""
    leading = np.broadcast_shapes(*(M.shape[:-2] for M in matrices if M is not None))
    # `broadcast_to` takes its time, also where there is nothing to do
    views = [
        M if M is None or M.shape[:-2] == leading else np.broadcast_to(M, leading + M.shape[-2:])
        for M in matrices
    ]
    return views, leading


def output_of_tiles(Q, K, V, tiles, scale, memory=None):
    """Return softmax(Q Kᵀ · scale + M) V from one tile of the scores after the other.

    Parameters
    ----------
    tiles : list of (slice, ndarray or None)
        Keys, and the mask of all queries for them.
    memory : ndarray, optional
        Given where Q, K and V are one head: it holds the scores of any tile.
    """
    if not tiles:
        return np.zeros((*Q.shape[:-1], V.shape[-1]), Q.dtype)
    # NumPy keeps errstate for each thread, so it is set where the work is done
    with np.errstate(all="ignore"):
        if len(tiles) > 1 and abs(scale) <= 1:
            # once for each query instead of once for each score; a larger factor could overflow
            Q, scale = Q * scale, 1
        if memory is not None and all(mask is None for _, mask in tiles):
            Z = _unshifted(Q, K, V, tiles, scale, memory)
            if Z is not None:
                return Z
        sum_dtype = Q.dtype.type
        Z, row_max = _shifted(Q, K, V, tiles, scale, memory, sum_dtype)
        if any(_sums_need_float64(row_max, mask, Q.dtype) for _, mask in tiles):
            sum_dtype = np.float64
            Z, _ = _shifted(Q, K, V, tiles, scale, memory, sum_dtype)
        finite = np.isfinite(Z)
        if not finite.all():
            # n_k weights below 1/n_k: their sum with V stays finite wherever V does
            headroom = 1 + log(K.shape[-2])
            safe, _ = _shifted(Q, K, V, tiles, scale, memory, sum_dtype, headroom)
            np.copyto(Z, safe, where=~finite)
        return Z


def _unshifted(Q, K, V, tiles, scale, memory):
    """Return softmax(Q Kᵀ · scale) V of one head, no maxima subtracted; None if that is not exact.

    Scores are seldom so far from 0 that exp needs the maxima out of the way. Where every row sum
    is between 1 and 1e30, nothing that counts has come near the ends of float32.
    """
    total = Z = None
    for keys, _ in tiles:
        S = scaled_scores(Q, K[keys], scale, memory)
        # scores of one head have much the same size: a look at one row saves an attempt in vain
        if not 0 <= S[0].max() <= 40:
            return None
        E = np.exp(S, out=S)
        if Z is None:
            total, Z = _row_sums(E), E @ V[keys]
        else:
            total += _row_sums(E)
            Z += E @ V[keys]
    if not ((total >= 1) & (total <= 1e30)).all():
        return None
    Z /= total
    return Z if np.isfinite(Z).all() else None


def _shifted(Q, K, V, tiles, scale, memory, sum_dtype, headroom=0):
    """Return (softmax(Q Kᵀ · scale + M) V, row maxima of what softmax is given).

    Softmax runs along with the tiles: when the maximum so far rises, what was summed shrinks.
    """
    row_max = total = Z = None
    for keys, mask in tiles:
        S = scaled_scores(Q, K[..., keys, :], scale, memory)
        E, new_max = _exponentials(S, mask, sum_dtype, row_max, headroom)
        new_total, new_Z = _row_sums(E), aggregate(E, V[..., keys, :], mask)
        if Z is not None:
            shrink = np.exp(row_max - new_max).astype(S.dtype)
            new_total += total * shrink
            new_Z += Z * shrink
        total, Z = new_total, new_Z
        row_max = new_max
    _forgive_blind_rows(total, [mask for _, mask in tiles])
    Z /= total
    return Z, row_max


def scaled_scores(Q, K, scale, memory=None):
    """Return Q Kᵀ · scale, in memory of its own or in the first columns of `memory`."""
    out = None if memory is None else memory[..., : K.shape[-2]]
    S = np.matmul(Q, K.swapaxes(-1, -2), out=out)
    if scale != 1:
        S *= scale
    return S


def _exponentials(S, mask, sum_dtype, least=None, headroom=0):
    """Return (exp(S + mask - row maximum - headroom) in the memory of S, row maxima).

    No row maximum is below `least`, the one that the tiles before have left.
    Scores and mask are added, and maxima subtracted, in `sum_dtype`. Where the mask forbids, the
    result is 0; in a row that holds a NaN all is NaN.
    """
    # the same memory where the dtype is the same
    sums = S.astype(sum_dtype, copy=False)
    if mask is not None and mask.dtype != bool:
        sums += mask
    may_attend = visible(mask)
    if may_attend is not None:
        # not by adding -inf: a NaN or +inf behind the mask would survive it
        np.copyto(sums, -np.inf, where=~may_attend)
    row_max = sums.max(axis=-1, keepdims=True, initial=LEAST[sum_dtype])
    if least is not None:
        row_max = np.maximum(row_max, least)
    np.subtract(sums, row_max + headroom, out=S, casting="same_kind")
    return np.exp(S, out=S), row_max


def _row_sums(E):
    """Return Σ E along the keys: BLAS adds up rows several times as fast as `sum`."""
    return E @ np.ones((E.shape[-1], 1), E.dtype)


def _sums_need_float64(row_max, mask, dtype):
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


def _forgive_blind_rows(total, masks):
    """Make the sum of a row 1 where it may attend to nothing: its weights are 0, not 0 / 0."""
    blind = total == 0
    if blind.any():
        for may_attend in map(visible, masks):
            blind &= False if may_attend is None else ~may_attend.any(axis=-1, keepdims=True)
        total[blind] = 1
