"""Self-attention in plain NumPy, the names in the order of the formula."""

from attnlib.attention import (
    AttentionTrace,
    attend,
    attention_weights,
    scaled_dot_product_attention,
    scores,
    self_attention,
    softmax,
)
from attnlib.masks import causal_mask

__all__ = [  # noqa: RUF022 (the order of the formula, not of the alphabet)
    "scores",
    "causal_mask",
    "softmax",
    "attention_weights",
    "scaled_dot_product_attention",
    "attend",
    "AttentionTrace",
    "self_attention",
]
