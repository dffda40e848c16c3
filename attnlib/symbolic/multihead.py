"""Multi-head attention in symbols: O = Concat(head_1, …, head_H) W_O."""

import sympy as sp

from attnlib._checks import check_integer
from attnlib.symbolic.head import product, self_attention
from attnlib.trace import MultiHeadTrace


def split_heads(x, n_heads):
    """Return the blocks of columns that belong to the heads (Claim 8.2).

    Parameters
    ----------
    x : Matrix, shape (n, H*d_h)
    n_heads : int

    Returns
    -------
    list of Matrix, each (n, d_h)

    Raises
    ------
    ValueError
        If `n_heads` does not divide the width.
    """
    x, n_heads = sp.Matrix(x), check_integer("n_heads", n_heads, least=1)
    if x.cols % n_heads:
        raise ValueError(f"n_heads = {n_heads} does not divide the width {x.cols} of x {x.shape}")
    d_h = x.cols // n_heads
    return [x[:, h * d_h : (h + 1) * d_h] for h in range(n_heads)]


def merge_heads(heads):
    """Return the heads side by side, C = Concat(head_1, …, head_H) (Claim 8.4).

    Parameters
    ----------
    heads : sequence of Matrix, each (n, d_h)

    Returns
    -------
    Matrix, shape (n, H*d_h)
    """
    return sp.Matrix.hstack(*(sp.Matrix(head) for head in heads))


def multi_head_attention(
    X, W_Q, W_K, W_V, W_O, n_heads, *, is_causal=False, attn_mask=None, scale=None
):
    """Return the trace of O = Concat(head_1, …, head_H) W_O (Claims 8.2 to 8.5).

    Parameters
    ----------
    X : Matrix, shape (n, d_model)
    W_Q, W_K : Matrix, shape (d_model, H*d_k)
    W_V : Matrix, shape (d_model, H*d_v)
    W_O : Matrix, shape (H*d_v, d_model)
    n_heads : int
    is_causal, attn_mask, scale
        As in `attend`, the same for every head; the scale is 1/√d_k, not 1/√d_model (Claim 8.3).

    Returns
    -------
    MultiHeadTrace
        Q, K, V, S, S_scaled, A and Z are lists of H matrices, so that ``trace.A[h]`` reads as it
        does for arrays; C (n, H*d_v), O (n, d_model) and the mask are matrices.

    Raises
    ------
    TypeError, ValueError
        As in `attend` and `split_heads`.
    """
    options = {"is_causal": is_causal, "attn_mask": attn_mask, "scale": scale}
    weights = zip(*(split_heads(W, n_heads) for W in (W_Q, W_K, W_V)), strict=True)
    heads = [self_attention(X, *weights_of_head, **options) for weights_of_head in weights]
    of_heads = {
        name: [getattr(head, name) for head in heads]
        for name in ("Q", "K", "V", "S", "S_scaled", "A", "Z")
    }
    C = merge_heads(of_heads["Z"])
    return MultiHeadTrace(
        **of_heads,
        mask=heads[0].mask,
        scale=heads[0].scale,
        X=sp.Matrix(X),
        C=C,
        O=product("C", C, "W_O", W_O),
    )
