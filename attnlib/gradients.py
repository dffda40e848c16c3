"""How a loss changes with what went into attention: the formula's steps, backwards."""

from typing import NamedTuple

import numpy as np

from attnlib._checks import as_result, common_dtypes, in_computing_dtype, real_array
from attnlib._kernel import aggregate
from attnlib.masks import visible


class AttentionGradients(NamedTuple):
    """Gradients of a loss with respect to Q, K and V, each with the shape of its array."""

    dQ: np.ndarray  # noqa: N815
    dK: np.ndarray  # noqa: N815
    dV: np.ndarray  # noqa: N815


def softmax_jacobian(p):
    """Return ∂p_i/∂x_j = p_i (δ_ij − p_j), the matrix diag(p) − pᵀp (Claim 4.3).

    Parameters
    ----------
    p : array_like, shape (..., n)
        Rows of softmax: p = softmax(x).

    Returns
    -------
    ndarray, shape (..., n, n)
        Symmetric, rows sum to 0. float32 and float64 stay, int and bool become float64, float16
        is computed in float32 and returned as float16.

    Raises
    ------
    TypeError
        If `p` is a masked array or has another dtype than these.
    ValueError
        If `p` has no axis.
    """
    p = real_array("p", p)
    if p.ndim == 0:
        raise ValueError("p is a single number; a distribution needs an axis: shape (..., n)")
    computing, result = common_dtypes(p)
    p = p.astype(computing)
    with np.errstate(all="ignore"):
        # the derivatives of each weight by itself, taken backwards
        J = _softmax_backward(p[..., None, :], np.eye(p.shape[-1], dtype=computing), None)
    return as_result(J, result)


def attention_backward(trace, dZ):
    """Return the gradients of a loss L, given dZ = ∂L/∂Z of a traced forward pass.

    Backwards through Z = A V, A = softmax(S̃ + M), S̃ = S · scale and S = Q Kᵀ::

        dV = Aᵀ dZ
        dA = dZ Vᵀ
        dS̃ = A ⊙ (dA − row sums of A ⊙ dA)      each row times diag(α) − αᵀα (Claim 4.3)
        dS = dS̃ · scale
        dQ = dS K,  dK = dSᵀ Q

    Parameters
    ----------
    trace : AttentionTrace
        From `attend` or `self_attention`.
    dZ : array_like, shape (..., n_q, d_v)
        The shape of ``trace.Z``.

    Returns
    -------
    AttentionGradients
        dQ (..., n_q, d_k), dK (..., n_k, d_k) and dV (..., n_k, d_v) with the shapes of
        ``trace.Q``, ``trace.K`` and ``trace.V``: where leading axes were broadcast, gradients are
        summed. The dtype is ``numpy.result_type`` of the trace and dZ, int and bool counting as
        float64; float16 is computed in float32 and returned as float16. What a mask forbids takes
        no part, whatever it holds; a query that may attend to nothing has gradient 0.

    Raises
    ------
    TypeError
        If `dZ` is a masked array or has another dtype than Q, K and V may have.
    ValueError
        If `dZ` has another shape than ``trace.Z``.
    """
    dZ = real_array("dZ", dZ)
    if dZ.shape != trace.Z.shape:
        raise ValueError(
            f"dZ has shape {dZ.shape}, trace.Z has shape {trace.Z.shape}; a loss has one "
            f"derivative for each entry of Z"
        )
    computing, result = common_dtypes(trace.Z, dZ)
    Q, K, V, A, dZ = (
        in_computing_dtype(M, computing) for M in (trace.Q, trace.K, trace.V, trace.A, dZ)
    )
    may_attend = visible(trace.mask)
    if may_attend is not None:
        may_attend = np.broadcast_to(may_attend, A.shape)
    with np.errstate(all="ignore"):
        dV = aggregate(_transposed(A), dZ, _transposed(may_attend))
        dA = dZ @ _transposed(V)
        dS_scaled = _softmax_backward(A, dA, may_attend)
        dS = dS_scaled * trace.scale
        dQ = aggregate(dS, K, may_attend)
        dK = aggregate(_transposed(dS), Q, _transposed(may_attend))
        return AttentionGradients(
            *(
                as_result(_summed_to(gradient, M.shape), result)
                for gradient, M in [(dQ, Q), (dK, K), (dV, V)]
            )
        )


def _softmax_backward(A, dA, may_attend):
    """Return dA times the Jacobian of softmax, row by row, without building the Jacobian."""
    A_dA = A * dA
    if may_attend is not None:
        # 0 · NaN is NaN: what a masked value did to dA must not enter the sum
        A_dA = np.where(may_attend, A_dA, 0)
    dS_scaled = A * (dA - A_dA.sum(axis=-1, keepdims=True))
    return dS_scaled if may_attend is None else np.where(may_attend, dS_scaled, 0)


def _transposed(M):
    return None if M is None else M.swapaxes(-1, -2)


def _summed_to(gradient, shape):
    """Sum over the leading axes along which an array of this shape was broadcast."""
    added = gradient.ndim - len(shape)
    stretched = tuple(
        axis + added
        for axis, length in enumerate(shape[:-2])
        if length != gradient.shape[axis + added]
    )
    return gradient.sum(axis=(*range(added), *stretched)).reshape(shape)
