"""Several attention heads side by side: MultiHead(X) = Concat(head_1, …, head_H) W_O."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attnlib._checks import (
    as_result,
    check_integer,
    check_matrix,
    check_same_length,
    check_scale,
    common_dtypes,
    in_computing_dtype,
    real_array,
    repr_with_shapes,
)
from attnlib._kernel import aggregate, attention_output
from attnlib.attention import attention_trace
from attnlib.gradients import attention_backward
from attnlib.heads import head_width, mask_with_head_axis, merge_heads, split_heads
from attnlib.masks import resolve_mask, warn_of_zeros_and_ones
from attnlib.trace import MultiHeadTrace


class MultiHeadGradients(NamedTuple):
    """Gradients of a loss with respect to X and the weights, each with the shape of its array."""

    dX: np.ndarray  # noqa: N815
    dW_Q: np.ndarray  # noqa: N815
    dW_K: np.ndarray  # noqa: N815
    dW_V: np.ndarray  # noqa: N815
    dW_O: np.ndarray  # noqa: N815


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention:
    """Multi-head self-attention without biases (Claims 8.2 to 8.6).

    Head h has the columns h·d_k … (h + 1)·d_k − 1 of W_Q and W_K and the columns
    h·d_v … (h + 1)·d_v − 1 of W_V. Its scores are scaled by 1/√d_k, the width of the head, not of
    the model (Claim 8.3).

    Parameters
    ----------
    W_Q, W_K : array_like, shape (d_model, H*d_k)
    W_V : array_like, shape (d_model, H*d_v)
    W_O : array_like, shape (H*d_v, d_model)
    n_heads : int
        H, the number of heads.

    Raises
    ------
    TypeError
        If a weight is a masked array or has another dtype than bool, an integer, float16, float32
        or float64, or if `n_heads` is not an integer.
    ValueError
        If shapes disagree or `n_heads` does not divide a width.
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray
    n_heads: int

    __repr__ = repr_with_shapes

    def __post_init__(self):
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            W = real_array(name, getattr(self, name))
            if W.ndim != 2:
                raise ValueError(f"{name} has shape {W.shape}; it needs exactly two axes")
            object.__setattr__(self, name, W)
        object.__setattr__(self, "n_heads", check_integer("n_heads", self.n_heads, least=1))
        check_same_length("d_model", "W_Q", self.W_Q, 0, "W_K", self.W_K, 0)
        check_same_length("d_model", "W_Q", self.W_Q, 0, "W_V", self.W_V, 0)
        check_same_length("d_model", "W_Q", self.W_Q, 0, "W_O", self.W_O, 1)
        check_same_length("H*d_k", "W_Q", self.W_Q, 1, "W_K", self.W_K, 1)
        check_same_length("H*d_v", "W_V", self.W_V, 1, "W_O", self.W_O, 0)
        head_width("W_Q", self.W_Q, self.n_heads)
        head_width("W_V", self.W_V, self.n_heads)

    @classmethod
    def init(cls, d_model, n_heads, rng):
        """Return random weights of the standard widths, d_h = d_model / H (Claim 8.2).

        Parameters
        ----------
        d_model : int
        n_heads : int
        rng : numpy.random.Generator
            Draws all entries from N(0, 1/d_model): features of variance 1 keep that variance.

        Raises
        ------
        TypeError
            If `d_model` or `n_heads` is not an integer or `rng` not a Generator.
        ValueError
            If `n_heads` does not divide `d_model`.
        """
        d_model = check_integer("d_model", d_model, least=1)
        n_heads = check_integer("n_heads", n_heads, least=1)
        if d_model % n_heads:
            raise ValueError(f"n_heads = {n_heads} does not divide d_model = {d_model}")
        if not isinstance(rng, np.random.Generator):
            raise TypeError(
                f"rng must be a numpy.random.Generator, such as numpy.random.default_rng(0), not "
                f"{type(rng).__name__}"
            )
        W_Q, W_K, W_V, W_O = rng.normal(0, d_model**-0.5, (4, d_model, d_model))
        return cls(W_Q, W_K, W_V, W_O, n_heads)

    @classmethod
    def from_torch(cls, in_proj_weight, out_proj_weight, n_heads):
        """Return the weights of a ``torch.nn.MultiheadAttention`` without biases, copied.

        PyTorch multiplies by transposed weights and stacks W_Qᵀ, W_Kᵀ and W_Vᵀ.

        Parameters
        ----------
        in_proj_weight : array_like or torch.Tensor, shape (3*d_model, d_model)
        out_proj_weight : array_like or torch.Tensor, shape (d_model, d_model)
        n_heads : int

        Raises
        ------
        TypeError
            As for the weights themselves, or if `n_heads` is not an integer; PyTorch's bfloat16,
            for one, needs ``weight.float()``.
        ValueError
            If a shape is not that of the packed layout or `n_heads` does not divide d_model.
        """
        packed = real_array("in_proj_weight", _detached(in_proj_weight))
        W_O_T = real_array("out_proj_weight", _detached(out_proj_weight))
        if packed.ndim != 2 or packed.shape[0] != 3 * packed.shape[1]:
            raise ValueError(
                f"in_proj_weight has shape {packed.shape}; it stacks three square weights, "
                f"(3*d_model, d_model)"
            )
        d_model = packed.shape[1]
        if W_O_T.shape != (d_model, d_model):
            raise ValueError(
                f"in_proj_weight and out_proj_weight disagree on d_model: in_proj_weight has shape "
                f"{packed.shape}, so out_proj_weight needs {(d_model, d_model)}; it has "
                f"{W_O_T.shape}"
            )
        W_Q, W_K, W_V = (W_T.T.copy() for W_T in np.split(packed, 3))
        return cls(W_Q, W_K, W_V, W_O_T.T.copy(), n_heads)

    def __call__(self, X, *, is_causal=False, attn_mask=None, scale=None):
        """Return O = Concat(head_1, …, head_H) W_O and keep nothing else (Claim 8.5).

        Parameters
        ----------
        X : array_like, shape (..., n, d_model)
        is_causal : bool
        attn_mask : array_like of bool or float, optional
            Two axes, (n or 1, n): the same everywhere. As many axes as X, (..., n or 1, n): the
            same in every head. One axis more: (..., H, n or 1, n). The number of axes alone
            decides.
        scale : float, optional
            By default 1/√d_k.

        Returns
        -------
        ndarray, shape (..., n, d_model)
            The dtype is ``numpy.result_type`` of X and the weights, int and bool counting as
            float64; float16 is computed in float32 and returned as float16.

        Raises
        ------
        TypeError
            If X or `attn_mask` is a masked array or has a dtype that
            `scaled_dot_product_attention` refuses.
        ValueError
            If shapes disagree; the message names both arguments, both shapes and the axis.

        Warns
        -----
        UserWarning
            If a floating `attn_mask` holds nothing but 0 and 1, some of each: it is added, and
            forbids nothing.
        """
        _, Q, K, V, W_O, mask, scale, result = self._project(X, is_causal, attn_mask, scale)
        C = merge_heads(attention_output(Q, K, V, mask, scale))
        with np.errstate(all="ignore"):
            return as_result(C @ W_O, result)

    def trace(self, X, *, is_causal=False, attn_mask=None, scale=None):
        """Return the same result with every intermediate of the formula (Claim 8.5).

        Parameters
        ----------
        X : array_like, shape (..., n, d_model)
        is_causal, attn_mask, scale
            As when the object is called; so are dtypes, errors and the warning.

        Returns
        -------
        MultiHeadTrace
            Q, K, V, S, S_scaled, mask, scale, A and Z with a head axis, then X, C
            (..., n, H*d_v) and O (..., n, d_model).
        """
        X, Q, K, V, W_O, mask, scale, result = self._project(X, is_causal, attn_mask, scale)
        heads = attention_trace(Q, K, V, mask, scale)
        C = merge_heads(heads.Z)
        with np.errstate(all="ignore"):
            O = C @ W_O  # noqa: E741
        return MultiHeadTrace(**vars(heads), X=X, C=C, O=O).in_dtype(result)

    def backward(self, trace, dO):
        """Return the gradients of a loss L, given dO = ∂L/∂O of a traced forward pass.

        Parameters
        ----------
        trace : MultiHeadTrace
            From `trace` of this object.
        dO : array_like, shape (..., n, d_model)
            The shape of ``trace.O``.

        Returns
        -------
        MultiHeadGradients
            dX with the shape of X; dW_Q, dW_K, dW_V and dW_O with the shapes of the weights,
            summed over the leading axes of X. The dtype is ``numpy.result_type`` of the trace,
            the weights and dO; float16 is computed in float32 and returned as float16. What a
            mask forbids takes no part, whatever it holds.

        Raises
        ------
        TypeError
            If `dO` is a masked array or has another dtype than X may have.
        ValueError
            If `dO` has another shape than ``trace.O``.
        """
        dO = real_array("dO", dO)
        if dO.shape != trace.O.shape:
            raise ValueError(
                f"dO has shape {dO.shape}, trace.O has shape {trace.O.shape}; a loss has one "
                f"derivative for each entry of O"
            )
        arrays = (dO, trace.X, trace.C, self.W_Q, self.W_K, self.W_V, self.W_O)
        computing, result = common_dtypes(*arrays)
        dO, X, C, W_Q, W_K, W_V, W_O = (in_computing_dtype(M, computing) for M in arrays)
        with np.errstate(all="ignore"):
            dZ = split_heads(dO @ W_O.T, self.n_heads)
            dQ, dK, dV = (merge_heads(dM) for dM in attention_backward(trace, dZ))
            gradients = MultiHeadGradients(
                dX=dQ @ W_Q.T + dK @ W_K.T + dV @ W_V.T,
                dW_Q=_weight_gradient(X, dQ),
                dW_K=_weight_gradient(X, dK),
                dW_V=_weight_gradient(X, dV),
                dW_O=_weight_gradient(C, dO),
            )
        return MultiHeadGradients(*(as_result(gradient, result) for gradient in gradients))

    def _project(self, X, is_causal, attn_mask, scale):
        """Return X, Q, K and V of all heads, W_O, mask, scale and the result dtype."""
        X = real_array("X", X)
        check_matrix("X", X, "(..., n, d_model)")
        check_same_length("d_model", "X", X, -1, "W_Q", self.W_Q, 0)
        arrays = (X, self.W_Q, self.W_K, self.W_V, self.W_O)
        computing, result = common_dtypes(*arrays)
        X, W_Q, W_K, W_V, W_O = (in_computing_dtype(M, computing) for M in arrays)
        n = X.shape[-2]
        given_mask = mask_with_head_axis(attn_mask, X, self.n_heads)
        mask = resolve_mask(given_mask, is_causal, n, n)
        warn_of_zeros_and_ones(given_mask)
        with np.errstate(all="ignore"):
            Q, K, V = (split_heads(X @ W, self.n_heads) for W in (W_Q, W_K, W_V))
        return X, Q, K, V, W_O, mask, check_scale(scale, Q.shape[-1], computing), result


def _detached(weight):
    """Return a torch.Tensor without its gradient, anything else as it is."""
    return weight.detach() if hasattr(weight, "detach") else weight


def _weight_gradient(X, dY):
    """Return the gradient Xᵀ dY of the weight in Y = X W, summed over the leading axes."""
    n_tokens = math.prod(X.shape[:-1])
    X = X.reshape(n_tokens, X.shape[-1])
    dY_T = dY.reshape(n_tokens, dY.shape[-1]).T
    # a token that takes no part has gradient 0, and what it holds is left out like a masked value
    return aggregate(dY_T, X, dY_T != 0).T
