"""Attention with Python numbers, one row at a time: an independent reference for every case."""

import math

import numpy as np


def attention_row_by_row(Q, K, V, attn_mask=None, is_causal=False, scale=None):
    """Return (A, Z) in float64, by loops that leave out what a query may not attend to."""
    Q, K, V = (np.asarray(M, np.float64) for M in (Q, K, V))
    n_q, n_k, d_k, d_v = Q.shape[-2], K.shape[-2], Q.shape[-1], V.shape[-1]
    mask = np.True_ if attn_mask is None else np.asarray(attn_mask)
    lead_A = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], mask.shape[:-2])
    lead_Z = np.broadcast_shapes(lead_A, V.shape[:-2])
    A, Z = np.zeros((*lead_A, n_q, n_k)), np.zeros((*lead_Z, n_q, d_v))
    Q = np.broadcast_to(Q, (*lead_Z, n_q, d_k))
    K = np.broadcast_to(K, (*lead_Z, n_k, d_k))
    V = np.broadcast_to(V, (*lead_Z, n_k, d_v))
    mask = np.broadcast_to(mask, (*lead_Z, n_q, n_k))
    all_A = np.zeros((*lead_Z, n_q, n_k))
    for head in np.ndindex(lead_Z):
        for i in range(n_q):
            last = i + n_k - n_q if is_causal else n_k - 1
            seen = [j for j in range(n_k) if j <= last and lets_through(mask[head][i, j])]
            bias = [0.0 if mask.dtype == bool else mask[head][i, j] for j in seen]
            row = weights_of_row(Q[head][i], [K[head][j] for j in seen], bias, scale)
            for j, weight in zip(seen, row, strict=True):
                all_A[head][i, j] = weight
            for r in range(d_v):
                Z[head][i, r] = sum(
                    weight * float(V[head][j, r]) for j, weight in zip(seen, row, strict=True)
                )
    # a leading axis that only V has repeats the weights
    for head in np.ndindex(lead_Z):
        own = head[len(lead_Z) - len(lead_A) :]
        own = tuple(0 if length == 1 else k for k, length in zip(own, lead_A, strict=True))
        A[own] = all_A[head]
    return A, Z


def lets_through(entry):
    return bool(entry) if entry.dtype == bool else entry != -math.inf


def weights_of_row(q, keys, bias, scale):
    """Return the softmax of one row over the keys that it sees; NaN if it cannot be computed."""
    if scale is None:
        scale = 1 / math.sqrt(len(q)) if len(q) else 1.0
    scores = [
        sum(float(a) * float(b) for a, b in zip(q, k, strict=True)) * scale + float(extra)
        for k, extra in zip(keys, bias, strict=True)
    ]
    if not scores:
        return []
    if any(math.isnan(score) for score in scores) or math.isinf(max(scores)):
        return [math.nan] * len(scores)
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [e / sum(exponentials) for e in exponentials]
