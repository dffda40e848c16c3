"""One attention head, in the order of its formula: Z = softmax(Q Kᵀ / √d_k + M) V."""

import numpy as np

from attnlib._checks import (
    as_result,
    check_integer,
    check_leading_axes,
    check_matrix,
    check_same_length,
    check_scale,
    checked_inputs,
    common_dtypes,
    in_computing_dtype,
    real_array,
)
from attnlib._kernel import aggregate, attention_output, scaled_scores, weights
from attnlib.masks import mask_array, resolve_mask, warn_of_zeros_and_ones
from attnlib.trace import AttentionTrace


def scores(Q, K):
    """Return S = Q Kᵀ: one dot product for each query and key (Claims 3.1 to 3.3).

    Parameters
    ----------
    Q : array_like, shape (..., n_q, d_k)
    K : array_like, shape (..., n_k, d_k)

    Returns
    -------
    ndarray, shape (..., n_q, n_k)
        Leading axes broadcast; the dtype is ``numpy.result_type`` of the inputs, int and bool
        counting as float64; float16 is computed in float32 and returned as float16.

    Raises
    ------
    TypeError
        If an input is a masked array or has another dtype than these.
    ValueError
        If `Q` and `K` disagree on d_k or their leading axes do not broadcast.
    """
    (Q, K), result = checked_inputs(Q=Q, K=K)
    with np.errstate(all="ignore"):
        return as_result(Q @ K.swapaxes(-1, -2), result)


def softmax(x, axis=-1):
    """Return exp(x) / Σ exp(x) along one axis, computed stably (Claims 5.1 to 5.3).

    The maximum is subtracted first, which changes nothing but what can be computed (Claim 5.3).

    Parameters
    ----------
    x : array_like, shape (..., n, ...)
        -inf gets the weight 0 (Claim 7.3); where there is nothing but -inf, all weights are 0.
    axis : int
        By default the last one, the keys.

    Returns
    -------
    ndarray, same shape as `x`
        Non-negative, sums to 1 along `axis`. float32 and float64 stay, int and bool become
        float64, float16 is computed in float32 and returned as float16.

    Raises
    ------
    TypeError
        If `x` is a masked array or has another dtype than bool, an integer, float16, float32 or
        float64, or if `axis` is not an integer.
    ValueError
        If `x` has no such axis.
    """
    x = real_array("x", x)
    axis = check_integer("axis", axis)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"x has shape {x.shape}, so no axis {axis}")
    computing, result = common_dtypes(x)
    rows = np.moveaxis(x, axis, -1).astype(computing, copy=False)
    with np.errstate(all="ignore"):
        p = weights(rows.copy, rows != -np.inf)
    return as_result(np.moveaxis(p, -1, axis), result)


def attention_weights(Q, K, attn_mask=None, is_causal=False, scale=None):
    """Return A = softmax(Q Kᵀ · scale + M), one distribution for each query (Claims 4.1, 5.4, 7.2).

    Parameters
    ----------
    Q : array_like, shape (..., n_q, d_k)
    K : array_like, shape (..., n_k, d_k)
    attn_mask, is_causal, scale
        As in `scaled_dot_product_attention`; so are dtypes, errors and the warning.

    Returns
    -------
    ndarray, shape (..., n_q, n_k)
        Non-negative; rows sum to 1, and a row that may attend to nothing is 0.
    """
    (Q, K), result = checked_inputs(Q=Q, K=K)
    mask, scale = _options(Q, K, None, attn_mask, is_causal, scale)
    with np.errstate(all="ignore"):
        A = weights(lambda: scaled_scores(Q, K, scale), mask)
    return as_result(A, result)


def scaled_dot_product_attention(Q, K, V, attn_mask=None, is_causal=False, scale=None):
    """Return Z = softmax(Q Kᵀ · scale + M) V and keep nothing else (Claims 1.2 to 1.4, 6.1 to 6.3).

    The arguments are those of ``torch.nn.functional.scaled_dot_product_attention``; there
    `is_causal` lines up the first query with the first key, here the last with the last, so the
    two differ where n_q ≠ n_k (see `causal_mask`).

    Parameters
    ----------
    Q : array_like, shape (..., n_q, d_k)
    K : array_like, shape (..., n_k, d_k)
    V : array_like, shape (..., n_k, d_v)
    attn_mask : array_like of bool or float, shape (..., n_q or 1, n_k), optional
        bool: True = may attend. float: added to the scaled scores, -inf forbids; what a finite
        entry does to the weights it does as in float64. What a mask forbids has no influence,
        whatever it holds.
    is_causal : bool
        Also forbid the keys j > i + n_k - n_q.
    scale : float, optional
        By default 1/√d_k.

    Returns
    -------
    ndarray, shape (..., n_q, d_v)
        Leading axes broadcast. The dtype is ``numpy.result_type`` of Q, K and V, int and bool
        counting as float64; float16 is computed in float32 and returned as float16; a mask never
        changes it. A row that may attend to nothing is 0.

    Raises
    ------
    TypeError
        If Q, K or V has another dtype than bool, an integer, float16, float32 or float64, if
        `attn_mask` has another than bool, float16, float32 or float64, or if one of them is a
        masked array (``numpy.ma``).
    ValueError
        If shapes disagree; the message names both arguments, both shapes and the axis.

    Warns
    -----
    UserWarning
        If a floating `attn_mask` holds nothing but 0 and 1, some of each: it is added, and
        forbids nothing.
    """
    (Q, K, V), result = checked_inputs(Q=Q, K=K, V=V)
    mask, scale = _options(Q, K, V, attn_mask, is_causal, scale)
    return as_result(attention_output(Q, K, V, mask, scale), result)


def attend(Q, K, V, attn_mask=None, is_causal=False, scale=None):
    """Return every intermediate of Z = softmax(Q Kᵀ · scale + M) V by its name (Claim 6.3).

    Parameters
    ----------
    Q : array_like, shape (..., n_q, d_k)
    K : array_like, shape (..., n_k, d_k)
    V : array_like, shape (..., n_k, d_v)
    attn_mask, is_causal, scale
        As in `scaled_dot_product_attention`; so are dtypes, errors and the warning.

    Returns
    -------
    AttentionTrace
        Frozen; Q, K, V, S, S_scaled (..., n_q, n_k), mask, scale, A (..., n_q, n_k) and
        Z (..., n_q, d_v).
    """
    (Q, K, V), result = checked_inputs(Q=Q, K=K, V=V)
    mask, scale = _options(Q, K, V, attn_mask, is_causal, scale)
    return attention_trace(Q, K, V, mask, scale).in_dtype(result)


def self_attention(X, W_Q, W_K, W_V, *, is_causal=False, attn_mask=None, scale=None):
    """Return the trace of attention whose Q, K, V come from X (Claims 1.1, 1.5, 2.1 to 2.6, 6.3).

    Parameters
    ----------
    X : array_like, shape (..., n, d_model)
    W_Q, W_K : array_like, shape (..., d_model, d_k)
    W_V : array_like, shape (..., d_model, d_v)
    is_causal, attn_mask, scale
        As in `scaled_dot_product_attention`, n_q = n_k = n; so are errors and the warning.

    Returns
    -------
    AttentionTrace
        With Q = X W_Q, K = X W_K, V = X W_V. The dtype rule counts X and the weights together.
    """
    X, W_Q, W_K, W_V = (
        real_array(name, value)
        for name, value in [("X", X), ("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)]
    )
    check_matrix("X", X, "(..., n, d_model)")
    for name, W in [("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V)]:
        check_matrix(name, W, "(..., d_model, d)")
        check_same_length("d_model", "X", X, -1, name, W, -2)
    check_same_length("d_k", "W_Q", W_Q, -1, "W_K", W_K, -1)
    check_leading_axes(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    computing, result = common_dtypes(X, W_Q, W_K, W_V)
    X, W_Q, W_K, W_V = (in_computing_dtype(M, computing) for M in (X, W_Q, W_K, W_V))
    with np.errstate(all="ignore"):
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    mask, scale = _options(Q, K, V, attn_mask, is_causal, scale)
    return attention_trace(Q, K, V, mask, scale).in_dtype(result)


def attention_trace(Q, K, V, mask, scale):
    """Return the trace of arrays that are checked and in their computing dtype already."""
    with np.errstate(all="ignore"):
        S = Q @ K.swapaxes(-1, -2)
        S_scaled = S * scale
        A = weights(S_scaled.copy, mask)
        Z = aggregate(A, V, mask)
    return AttentionTrace(Q, K, V, S, S_scaled, mask, scale, A, Z)


def _options(Q, K, V, attn_mask, is_causal, scale):
    """Return (mask, scale) ready for use."""
    given_mask = mask_array(attn_mask)
    mask = resolve_mask(given_mask, is_causal, Q.shape[-2], K.shape[-2])
    check_leading_axes(Q=Q, K=K, V=V, attn_mask=mask)
    warn_of_zeros_and_ones(given_mask)
    return mask, check_scale(scale, Q.shape[-1], Q.dtype)
