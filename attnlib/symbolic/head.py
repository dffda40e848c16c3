"""One attention head in symbols, in the order of its formula: Z = softmax(Q Kᵀ / √d_k + M) V."""

import numpy as np
import sympy as sp

from attnlib.masks import check_mask, resolve_mask
from attnlib.trace import AttentionTrace


def project(X, W):
    """Return X W: one row for each token, for example Q = X W_Q (Claims 2.1 and 2.2).

    Parameters
    ----------
    X : Matrix, shape (n, d_model)
    W : Matrix, shape (d_model, d)

    Returns
    -------
    Matrix, shape (n, d)

    Raises
    ------
    ValueError
        If they disagree on d_model.
    """
    return product("X", X, "W", W)


def scores(Q, K):
    """Return S = Q Kᵀ (Claims 3.1 and 3.2).

    Parameters
    ----------
    Q : Matrix, shape (n_q, d_k)
    K : Matrix, shape (n_k, d_k)

    Returns
    -------
    Matrix, shape (n_q, n_k)

    Raises
    ------
    ValueError
        If they disagree on d_k.
    """
    return product("Q", Q, "K transposed", sp.Matrix(K).T)


def scaled_scores(Q, K, scale=None):
    """Return S̃ = S · scale, by default S / √d_k (Claim 4.1).

    Parameters
    ----------
    Q : Matrix, shape (n_q, d_k)
    K : Matrix, shape (n_k, d_k)
    scale : number or expression, optional

    Returns
    -------
    Matrix, shape (n_q, n_k)

    Raises
    ------
    ValueError
        If they disagree on d_k.
    """
    return scores(Q, K) * _scale(Q, scale)


def mask_matrix(n_q, n_k, attn_mask=None, is_causal=False):
    """Return M, which is added to the scaled scores: 0 = may attend, -∞ forbids (Claim 7.2).

    Parameters
    ----------
    n_q, n_k : int
    attn_mask : array_like of bool, or Matrix, shape (n_q or 1, n_k), optional
        bool: True = may attend. A SymPy matrix is M already.
    is_causal : bool
        Also forbid the keys j > i + n_k - n_q.

    Returns
    -------
    Matrix, shape (n_q, n_k)

    Raises
    ------
    TypeError
        If `attn_mask` is neither bool nor a SymPy matrix: floats are not exact.
    ValueError
        If its shape is another.
    """
    if isinstance(attn_mask, sp.MatrixBase):
        check_mask(np.zeros(attn_mask.shape), n_q, n_k)
        added = sp.Matrix(n_q, n_k, lambda i, j: attn_mask[min(i, attn_mask.rows - 1), j])
        attn_mask = None
    else:
        added = sp.zeros(n_q, n_k)
    may_attend = resolve_mask(attn_mask, is_causal, n_q, n_k)
    if may_attend is None:
        return added
    if may_attend.dtype != bool or may_attend.ndim != 2:
        raise TypeError(
            f"attn_mask has dtype {may_attend.dtype} and shape {may_attend.shape}; in symbols it "
            f"is a bool array of shape ({n_q} or 1, {n_k}) or a SymPy matrix of 0 and -oo"
        )
    may_attend = np.broadcast_to(may_attend, (n_q, n_k))
    return sp.Matrix(n_q, n_k, lambda i, j: added[i, j] if may_attend[i, j] else -sp.oo)


def softmax(S):
    """Return exp(s_ij) / Σ_t exp(s_it), row by row: along the keys (Claims 5.1, 5.2 and 7.3).

    Parameters
    ----------
    S : Matrix, shape (n_q, n_k)
        -oo gets the weight 0; where there is nothing else, the whole row is 0.

    Returns
    -------
    Matrix, shape (n_q, n_k)
    """
    S = sp.Matrix(S)
    E = S.applyfunc(sp.exp)
    totals = [sum(E.row(i)) or sp.S.One for i in range(E.rows)]
    return sp.Matrix(*S.shape, lambda i, j: E[i, j] / totals[i])


def softmax_jacobian(p):
    """Return ∂p_i/∂x_j = p_i (δ_ij − p_j), the matrix diag(p) − pᵀp (Claim 4.3).

    Parameters
    ----------
    p : Matrix, shape (1, n)

    Returns
    -------
    Matrix, shape (n, n)

    Raises
    ------
    ValueError
        If `p` has more than one row.
    """
    p = sp.Matrix(p)
    if p.rows != 1:
        raise ValueError(f"p has shape {p.shape}; a distribution is one row: p[i, :]")
    return sp.diag(*p) - p.T * p


def aggregate(A, V):
    """Return Z = A V (Claims 6.1 and 6.2).

    Parameters
    ----------
    A : Matrix, shape (n_q, n_k)
    V : Matrix, shape (n_k, d_v)

    Returns
    -------
    Matrix, shape (n_q, d_v)

    Raises
    ------
    ValueError
        If they disagree on n_k.
    """
    return product("A", A, "V", V)


def attend(Q, K, V, attn_mask=None, is_causal=False, scale=None):
    """Return the trace of Z = softmax(Q Kᵀ · scale + M) V (Claims 6.3 and 7.2).

    Parameters
    ----------
    Q : Matrix, shape (n_q, d_k)
    K : Matrix, shape (n_k, d_k)
    V : Matrix, shape (n_k, d_v)
    attn_mask, is_causal
        As in `mask_matrix`.
    scale : number or expression, optional
        By default 1/√d_k.

    Returns
    -------
    AttentionTrace
        With SymPy matrices for Q, K, V, S, S_scaled, A and Z; ``mask`` is M or None.

    Raises
    ------
    TypeError, ValueError
        As in `mask_matrix`, or if the matrices do not fit together.
    """
    Q, K, V = (sp.Matrix(M) for M in (Q, K, V))
    S = scores(Q, K)
    S_scaled = scaled_scores(Q, K, scale)
    M = None
    if attn_mask is not None or is_causal:
        M = mask_matrix(Q.rows, K.rows, attn_mask, is_causal)
    A = softmax(S_scaled if M is None else _masked(S_scaled, M))
    return AttentionTrace(Q, K, V, S, S_scaled, M, _scale(Q, scale), A, aggregate(A, V))


def self_attention(X, W_Q, W_K, W_V, *, is_causal=False, attn_mask=None, scale=None):
    """Return the trace of one head whose Q, K and V all come from X (Claims 2.1 and 6.3).

    Parameters
    ----------
    X : Matrix, shape (n, d_model)
    W_Q, W_K : Matrix, shape (d_model, d_k)
    W_V : Matrix, shape (d_model, d_v)
    is_causal, attn_mask, scale
        As in `attend`.

    Returns
    -------
    AttentionTrace

    Raises
    ------
    TypeError, ValueError
        As in `attend`.
    """
    Q, K, V = project(X, W_Q), project(X, W_K), project(X, W_V)
    return attend(Q, K, V, attn_mask=attn_mask, is_causal=is_causal, scale=scale)


def product(name_a, A, name_b, B):
    """Return A B; refuse matrices whose sizes do not allow it by their names."""
    A, B = sp.Matrix(A), sp.Matrix(B)
    if A.cols != B.rows:
        raise ValueError(
            f"{name_a} has shape {A.shape} and {name_b} has shape {B.shape}: the columns of the "
            f"first must be as many as the rows of the second"
        )
    return A * B


def _scale(Q, scale):
    return 1 / sp.sqrt(sp.Matrix(Q).cols) if scale is None else sp.sympify(scale)


def _masked(S, M):
    # Not S + M everywhere: SymPy keeps x - oo as it is unless x is known to be finite.
    return sp.Matrix(*S.shape, lambda i, j: M[i, j] if M[i, j] == -sp.oo else S[i, j] + M[i, j])
