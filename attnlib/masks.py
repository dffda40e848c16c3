"""Which query may attend to which key."""

import sys
import warnings

import numpy as np

from attnlib._checks import (
    FLOATS,
    INTEGERS,
    check_flag,
    check_integer,
    plain_array,
    refuse_other_floats,
)


def causal_mask(n_q, n_k=None, *, offset=None):
    """Return the mask that lets query i attend to the keys j ≤ i + offset (Claims 7.1, 7.2, 7.4).

    PyTorch's `is_causal` and the ONNX operator without a cache use ``offset=0``; with as many
    queries as keys both are the same lower triangle.

    Parameters
    ----------
    n_q : int
        Number of queries, the rows.
    n_k : int, optional
        Number of keys, the columns; as many as queries if left out.
    offset : int, optional
        By default ``n_k - n_q``: the last query lines up with the last key, as a KV cache needs.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True = may attend.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If `n_q` or `n_k` is negative.
    """
    n_q = check_integer("n_q", n_q, least=0)
    n_k = n_q if n_k is None else check_integer("n_k", n_k, least=0)
    offset = n_k - n_q if offset is None else check_integer("offset", offset)
    i = np.arange(n_q)[:, None]
    j = np.arange(n_k)
    return j <= i + offset


def mask_array(attn_mask):
    """Return `attn_mask` as a bool or floating array, or None."""
    if attn_mask is None:
        return None
    mask = plain_array("attn_mask", attn_mask)
    if mask.dtype.type is np.bool_ or mask.dtype.type in FLOATS:
        return mask
    if mask.dtype.type not in INTEGERS:
        refuse_other_floats("attn_mask", mask)
    raise TypeError(
        f"attn_mask has dtype {mask.dtype}; there are two kinds of mask: bool, where True = may "
        f"attend (mask.astype(bool)), and float, which is added to the scaled scores, -inf forbids"
    )


def check_mask(attn_mask, n_q, n_k):
    """Return `attn_mask` as a bool or floating array of shape (..., n_q or 1, n_k), or None."""
    mask = mask_array(attn_mask)
    if mask is None:
        return None
    if mask.ndim < 2:
        raise ValueError(
            f"attn_mask has shape {mask.shape}; it needs two axes, ({n_q} or 1, {n_k}) here: for "
            f"the same keys at every query give attn_mask[None, :]"
        )
    if mask.shape[-1] != n_k:
        raise ValueError(
            f"attn_mask and K disagree on n_k: attn_mask has shape {mask.shape}, so "
            f"{mask.shape[-1]} keys on its last axis; K has {n_k}"
        )
    if mask.shape[-2] not in (1, n_q):
        raise ValueError(
            f"attn_mask and Q disagree on n_q: attn_mask has shape {mask.shape}, so "
            f"{mask.shape[-2]} queries on axis -2; Q has {n_q} (1 would stand for every query)"
        )
    return mask


def resolve_mask(attn_mask, is_causal, n_q, n_k):
    """Join `attn_mask` and `is_causal` into one mask: None, bool or floating.

    Both apply: a bool mask stays bool, a floating one gets -inf above the causal diagonal.
    """
    mask = check_mask(attn_mask, n_q, n_k)
    if not check_flag("is_causal", is_causal):
        return mask
    causal = causal_mask(n_q, n_k)
    if mask is None:
        return causal
    if mask.dtype == bool:
        return mask & causal
    return np.where(causal, mask, mask.dtype.type(-np.inf))


def warn_of_zeros_and_ones(mask):
    """Warn where a floating mask looks like a bool one: nothing but 0 and 1, some of each.

    The warning points at the line that called the library, whichever function was called.
    """
    if mask is None or mask.dtype == bool or not _is_zeros_and_ones(mask):
        return
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("attnlib."):
        level, frame = level + 1, frame.f_back
    warnings.warn(
        "attn_mask holds nothing but 0 and 1, as floats: such a mask is added to the scores and "
        "forbids nothing. If 1 means may attend, give attn_mask.astype(bool); to forbid in a "
        "floating mask, put -inf there",
        UserWarning,
        stacklevel=level,
    )


def _is_zeros_and_ones(mask):
    """Say so, at the cost of two numbers for most other masks, of one maximum for nearly all."""
    if mask.size == 0:
        return False
    # the first row of a causal mask ends in something else, and so does a mask of padding
    if mask.item(mask.shape[-1] - 1) not in (0, 1) or mask.item(mask.size - 1) not in (0, 1):
        return False
    if mask.max() != 1 or mask.min() != 0:
        return False
    # piece by piece: a mask that was broadcast is larger than the memory it takes
    pieces = np.nditer(mask, ["external_loop", "buffered"], order="K", buffersize=2**14)
    return all(np.logical_or(piece == 0, piece == 1).all() for piece in pieces)


def visible(mask):
    """Return where a resolved mask lets attend: a bool array, or None if it forbids nothing."""
    if mask is None:
        return None
    may_attend = mask if mask.dtype == bool else mask != -np.inf
    return None if may_attend.all() else may_attend
