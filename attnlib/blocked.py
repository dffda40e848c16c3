"""The same attention tile by tile, without the (n_q, n_k) matrix."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

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
from attnlib._kernel import output_of_tiles, with_common_leading_axes
from attnlib.masks import check_mask, resolve_mask, warn_of_zeros_and_ones


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

    if mask is not None:
        mask = np.broadcast_to(mask, (*mask.shape[:-2], n_q, n_k))
    (Q, K, V, mask), leading = with_common_leading_axes(Q, K, V, mask)
    Z = np.empty((*leading, n_q, V.shape[-1]), result)

    def attend_block(job):
        head, start = job
        rows = slice(start, min(start + block_size, n_q))
        mask_rows = None if mask is None else mask[head][rows]
        tiles = list(_tiles(rows, mask_rows, n_q, n_k, block_size, is_causal))
        memory = np.empty((rows.stop - start, min(block_size, n_k)), Q.dtype)
        block = output_of_tiles(Q[head][rows], K[head], V[head], tiles, scale, memory)
        Z[head][rows] = as_result(block, result)

    jobs = product(np.ndindex(leading), range(0, n_q, block_size))
    if threads is None:
        for job in jobs:
            attend_block(job)
    else:
        with one_blas_thread(), ThreadPoolExecutor(threads) as pool:
            list(pool.map(attend_block, jobs))
    return Z


def _tiles(rows, mask_rows, n_q, n_k, block_size, is_causal):
    """Yield (keys, their mask) for one block of queries, as far as the last of them may see.

    The tile that the causal diagonal crosses ends at the last key that the last query may see, so
    the two line up there as `causal_mask` does by default.
    """
    first_hidden = n_k - n_q + rows.stop
    free = max(0, n_k - n_q + rows.start) if is_causal else n_k
    for start in range(0, free, block_size):
        keys = slice(start, min(start + block_size, free))
        yield keys, None if mask_rows is None else mask_rows[:, keys]
    if is_causal and free < first_hidden:
        keys = slice(free, first_hidden)
        mask = None if mask_rows is None else mask_rows[:, keys]
        yield keys, resolve_mask(mask, True, rows.stop - rows.start, first_hidden - free)
