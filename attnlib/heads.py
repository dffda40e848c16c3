"""Cut features into heads and lay heads side by side: reshape and transpose, no arithmetic."""

from attnlib._checks import check_integer, check_matrix, real_array
from attnlib.masks import mask_array


def split_heads(x, n_heads):
    """Return the heads of x: head h has the features h·d_h … (h + 1)·d_h − 1 (Claim 8.2).

    Parameters
    ----------
    x : array_like, shape (..., n, H*d_h)
    n_heads : int
        H, the number of heads.

    Returns
    -------
    ndarray, shape (..., H, n, d_h)
        A view of `x` where NumPy can make one; int and bool become float64, float16, float32 and
        float64 stay.

    Raises
    ------
    TypeError
        If `x` is a masked array or has another dtype than these, or if `n_heads` is not an
        integer.
    ValueError
        If `n_heads` does not divide the width of `x`.
    """
    x = real_array("x", x)
    check_matrix("x", x, "(..., n, H*d_h)")
    n_heads = check_integer("n_heads", n_heads, least=1)
    d_h = head_width("x", x, n_heads)
    x = x.reshape(*x.shape[:-1], n_heads, d_h)  # (..., n, H, d_h)
    return x.swapaxes(-3, -2)  # (..., H, n, d_h)


def merge_heads(x):
    """Return the heads side by side, the inverse of `split_heads` (Claim 8.4).

    Parameters
    ----------
    x : array_like, shape (..., H, n, d_h)

    Returns
    -------
    ndarray, shape (..., n, H*d_h)
        int and bool become float64, float16, float32 and float64 stay.

    Raises
    ------
    TypeError
        If `x` is a masked array or has another dtype than these.
    ValueError
        If `x` has fewer than three axes.
    """
    x = real_array("x", x)
    if x.ndim < 3:
        raise ValueError(
            f"x has shape {x.shape}; it needs at least the three axes (..., H, n, d_h): one head "
            f"(n, d_h) is x[None, :, :]"
        )
    *leading, n_heads, n, d_h = x.shape
    x = x.swapaxes(-3, -2)  # (..., n, H, d_h)
    return x.reshape(*leading, n, n_heads * d_h)


def head_width(name, array, n_heads):
    """Return the number of features of one head; refuse a width that does not split evenly."""
    width = array.shape[-1]
    if width % n_heads:
        raise ValueError(
            f"n_heads = {n_heads} does not divide the width {width} of {name}, which has shape "
            f"{array.shape}"
        )
    return width // n_heads


def mask_with_head_axis(attn_mask, X, n_heads):
    """Return the mask so that it broadcasts to (..., H, n, n); how many axes it has decides."""
    mask = mask_array(attn_mask)
    if mask is None or mask.ndim <= 2:
        return mask
    *batch, _, _ = X.shape
    if mask.ndim == X.ndim:
        expected = batch
    elif mask.ndim == X.ndim + 1:
        expected = [*batch, n_heads]
    else:
        raise ValueError(
            f"attn_mask has shape {mask.shape}, X has shape {X.shape}: a mask has two axes "
            f"(n_q, n_k), or {X.ndim} as X has, or {X.ndim + 1} with the heads before the last two"
        )
    for axis, wanted in enumerate(expected):
        if mask.shape[axis] not in (1, wanted):
            raise ValueError(
                f"attn_mask and X disagree on axis {axis}: attn_mask has shape {mask.shape}, X has "
                f"shape {X.shape} and there are {n_heads} heads, so axis {axis} of this mask needs "
                f"{wanted} or 1, not {mask.shape[axis]}"
            )
    return mask[..., None, :, :] if mask.ndim == X.ndim else mask
