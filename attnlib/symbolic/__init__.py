"""The formula in symbols: SymPy twins of attnlib's steps, for matrices of any small size.

The names are attnlib's. Everything is exact: a weight that a mask forbids is the number 0.
"""

from attnlib.symbolic.equality import UndecidedError, assert_same, is_same
from attnlib.symbolic.head import (
    aggregate,
    attend,
    mask_matrix,
    project,
    scaled_scores,
    scores,
    self_attention,
    softmax,
    softmax_jacobian,
)
from attnlib.symbolic.matrices import matrix, substitute
from attnlib.symbolic.multihead import merge_heads, multi_head_attention, split_heads

__all__ = [  # noqa: RUF022 (the order of the formula, not of the alphabet)
    "matrix",
    "project",
    "scores",
    "scaled_scores",
    "mask_matrix",
    "softmax",
    "softmax_jacobian",
    "aggregate",
    "attend",
    "self_attention",
    "split_heads",
    "merge_heads",
    "multi_head_attention",
    "substitute",
    "assert_same",
    "is_same",
    "UndecidedError",
]
