"""What a forward pass keeps: every intermediate by its name in the formula."""

from dataclasses import dataclass, fields

import numpy as np

from attnlib._checks import as_result, repr_with_shapes


@dataclass(frozen=True, eq=False, repr=False)
class AttentionTrace:
    """Every intermediate of one attention head, all in one dtype.

    Attributes
    ----------
    Q : ndarray, shape (..., n_q, d_k)
    K : ndarray, shape (..., n_k, d_k)
    V : ndarray, shape (..., n_k, d_v)
    S : ndarray, shape (..., n_q, n_k)
        Scores Q Kᵀ.
    S_scaled : ndarray, shape (..., n_q, n_k)
        ``S * scale``, before the mask.
    mask : ndarray, shape (..., n_q or 1, n_k), or None
        `attn_mask` and `is_causal` joined: bool (True = may attend) or added to `S_scaled`.
    scale : float
    A : ndarray, shape (..., n_q, n_k)
        Attention weights.
    Z : ndarray, shape (..., n_q, d_v)
        Output A V.
    """

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    S: np.ndarray
    S_scaled: np.ndarray
    mask: np.ndarray | None
    scale: float
    A: np.ndarray
    Z: np.ndarray

    __repr__ = repr_with_shapes

    def in_dtype(self, dtype):
        """Return the same trace with all arrays but the mask in that dtype."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in values.keys() - {"mask", "scale"}:
            values[name] = as_result(values[name], dtype)
        return type(self)(**values)


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadTrace(AttentionTrace):
    """Every intermediate of multi-head attention, all in one dtype.

    Q and K are (..., H, n, d_k), V and Z (..., H, n, d_v), S, S_scaled and A (..., H, n, n), and
    the mask is None, (n or 1, n) or (..., H or 1, n or 1, n).

    Attributes
    ----------
    X : ndarray, shape (..., n, d_model)
    C : ndarray, shape (..., n, H*d_v)
        The outputs Z of the heads, side by side.
    O : ndarray, shape (..., n, d_model)
        Output C W_O.
    """

    X: np.ndarray
    C: np.ndarray
    O: np.ndarray  # noqa: E741 (the name in the formula)
