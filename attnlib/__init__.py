"""Self-attention in plain NumPy, the public names in the order of the formula."""

from attnlib.attention import (
    attend,
    attention_weights,
    scaled_dot_product_attention,
    scores,
    self_attention,
    softmax,
)
from attnlib.blocked import blocked_attention
from attnlib.gradients import AttentionGradients, attention_backward, softmax_jacobian
from attnlib.heads import merge_heads, split_heads
from attnlib.kv_cache import KVCache
from attnlib.masks import causal_mask
from attnlib.multihead import MultiHeadAttention, MultiHeadGradients
from attnlib.trace import AttentionTrace, MultiHeadTrace

__version__ = "0.2.0"

__all__ = [  # noqa: RUF022 (the order of the formula, not of the alphabet)
    "scores",
    "causal_mask",
    "softmax",
    "attention_weights",
    "scaled_dot_product_attention",
    "attend",
    "AttentionTrace",
    "self_attention",
    "split_heads",
    "merge_heads",
    "MultiHeadAttention",
    "MultiHeadTrace",
    "blocked_attention",
    "KVCache",
    "softmax_jacobian",
    "attention_backward",
    "AttentionGradients",
    "MultiHeadGradients",
]
