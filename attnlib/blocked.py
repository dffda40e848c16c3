"""The same attention tile by tile, without the (n_q, n_k) matrix."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import log

import numpy as np

from attnlib._blas_threads import one_blas_thread
from attnlib._checks import (
    as_result,
    check_flag,
    check_integer,
    check_leading_axes,
    check_scale,
    checked_inputs,
)
from attnlib._kernel import aggregate, sums_need_float64
from attnlib.masks import check_mask, resolve_mask, visible, warn_of_zeros_and_ones


def blocked_attention(
    Q, K, V, is_causal=False, attn_mask=None, scale=None, block_size=512, threads=None
):
    """Return Z = softmax(Q Kᵀ · scale + M) V from tiles of the score matrix (Claim 6.3).

    Softmax runs along with the tiles: each query keeps the largest score so far, the sum of its
    exponentials so far and the output so far, and rescales the last two when the maximum rises
    (Claim 5.3 makes that exact). Besides inputs and output it holds one tile for each thread,
    where `scaled_dot_product_attention` holds all of (..., n_q, n_k).

    Parameters
    ----------
    Q : array_like, shape (..., n_q, d_k)
    K : array_like, shape (..., n_k, d_k)
    V : array_like, shape (..., n_k, d_v)
    is_causal, attn_mask, scale
        As in `scaled_dot_product_attention`. Tiles above the causal diagonal are not computed.
    block_size : int
        Rows and columns of a tile.
    threads : int, optional
        Work on so many blocks of queries at once, while BLAS is held to one thread in the whole
        process; it gets its threads back when the last such call has ended. By default one block
        after the other, and BLAS keeps the threads it has.

    Returns
    -------
    ndarray, shape (..., n_q, d_v)
        Equal to `scaled_dot_product_attention` up to rounding, with the same dtype.

    Raises
    ------
    TypeError
        As there, or if `block_size` or `threads` is not an integer.
    ValueError
        As there, or if `block_size` or `threads` is below 1.

    References
    ----------
    M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax", 2018;
    T. Dao et al., "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
    2022.
    """
    (Q, K, V), result = checked_inputs(Q=Q, K=K, V=V)
    n_q, n_k = Q.shape[-2], K.shape[-2]
    mask = check_mask(attn_mask, n_q, n_k)
    check_leading_axes(Q=Q, K=K, V=V, attn_mask=mask)
    warn_of_zeros_and_ones(mask)
    is_causal = check_flag("is_causal", is_causal)
    scale = check_scale(scale, Q.shape[-1], Q.dtype)
    block_size = check_integer("block_size", block_size, least=1)
    if threads is not None:
        threads = check_integer("threads", threads, least=1)

    given = [M for M in (Q, K, V, mask) if M is not None]
    leading = np.broadcast_shapes(*(M.shape[:-2] for M in given))
    Q, K, V = (np.broadcast_to(M, leading + M.shape[-2:]) for M in (Q, K, V))
    if mask is not None:
        mask = np.broadcast_to(mask, (*leading, n_q, n_k))
    Z = np.empty((*leading, n_q, V.shape[-1]), result)

    def attend_block(job):
        head, start = job
        rows = slice(start, min(start + block_size, n_q))
        tiles = list(_key_tiles(rows, n_q, n_k, block_size, is_causal))
        block_mask = None if mask is None else mask[head][rows]
        block = _online_softmax(Q[head][rows], K[head], V[head], block_mask, scale, tiles)
        Z[head][rows] = as_result(block, result)

    jobs = product(np.ndindex(leading), range(0, n_q, block_size))
    if threads is None:
        for job in jobs:
            attend_block(job)
    else:
        with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
            list(pool.map(attend_block, jobs))
    return Z


def _key_tiles(rows, n_q, n_k, block_size, is_causal):
    """Yield (keys, whether the causal diagonal crosses them) for one block of queries.

    The diagonal tile ends at the last key that the last query may see, so the two line up there
    as `causal_mask` does by default.
    """
    first_hidden = n_k - n_q + rows.stop
    free = max(0, n_k - n_q + rows.start) if is_causal else n_k
    for start in range(0, free, block_size):
        yield slice(start, min(start + block_size, free)), False
    if is_causal and free < first_hidden:
        yield slice(free, first_hidden), True


def _online_softmax(Q, K, V, mask, scale, tiles):
    """Return softmax(Q Kᵀ · scale + mask) V for one block of queries, tile after tile of keys."""
    Z, shift = _sum_tiles(Q, K, V, mask, scale, tiles, Q.dtype.type)
    if sums_need_float64(shift, mask, Q.dtype):
        Z, _ = _sum_tiles(Q, K, V, mask, scale, tiles, np.float64)
    return Z


def _sum_tiles(Q, K, V, mask, scale, tiles, sum_dtype):
    """Return (the output of one block of queries, row maxima + log n_k).

    Scores and mask are added, and maxima subtracted, in `sum_dtype`; all else has the dtype of Q.
    """
    n_q, n_k = len(Q), len(K)
    shift = np.full((n_q, 1), -np.inf, sum_dtype)
    total = np.zeros((n_q, 1), Q.dtype)
    Z = np.zeros((n_q, V.shape[-1]), Q.dtype)
    attends = np.zeros((n_q, 1), bool)
    widest = max((keys.stop - keys.start for keys, _ in tiles), default=0)
    tile = np.empty((n_q, widest), Q.dtype)
    ones = np.ones((widest, 1), Q.dtype)
    # NumPy keeps errstate for each thread, so it is set where the work is done
    with np.errstate(all="ignore"):
        # once for each query instead of once for each score; a factor above 1 could overflow there
        if scaled_already := abs(scale) <= 1:
            Q = Q * scale
        for keys, on_diagonal in tiles:
            width = keys.stop - keys.start
            S = np.matmul(Q, K[keys].T, out=tile[:, :width])
            if not scaled_already:
                S *= scale
            # the same memory where the dtype is the same
            sums = S.astype(sum_dtype, copy=False)
            tile_mask = None if mask is None else mask[:, keys]
            may_attend = _mask_in_place(sums, resolve_mask(tile_mask, on_diagonal, n_q, width))
            attends |= True if may_attend is None else may_attend.any(axis=1, keepdims=True)

            # log n_k more than the maximum: then n_k weights sum to 1 at most, and their product
            # with V stays finite wherever V does
            new_shift = np.maximum(shift, sums.max(axis=1, keepdims=True) + sum_dtype(log(n_k)))
            finite_shift = np.where(new_shift == -np.inf, 0, new_shift)
            np.subtract(sums, finite_shift, out=S, casting="same_kind")
            P = np.exp(S, out=S)
            shrink = np.exp(shift - finite_shift).astype(S.dtype, copy=False)
            # BLAS adds up rows several times as fast as `sum`
            total = total * shrink + P @ ones[:width]
            Z *= shrink
            Z += P @ V[keys] if may_attend is None else aggregate(P, V[keys], may_attend)
            shift = new_shift
        Z /= total
    np.copyto(Z, 0, where=~attends)
    return Z, shift


def _mask_in_place(S, mask):
    """Add a floating mask, put -inf where a mask forbids; return `visible(mask)`."""
    if mask is not None and mask.dtype != bool:
        S += mask
    may_attend = visible(mask)
    if may_attend is not None:
        # not by adding: a NaN or +inf behind the mask would survive it
        np.copyto(S, -np.inf, where=~may_attend)
    return may_attend
