"""Other ways to compute the same attention, to compare with."""

import numpy as np
from machine import torch


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def one_line(Q, K, V):
    """The formula as one writes it first: np.sqrt gives a float64, and everything follows."""
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) @ V


def one_line_float32(Q, K, V):
    """The same line with a constant that stays float32."""
    return softmax(Q @ K.swapaxes(-1, -2) / np.float32(np.sqrt(Q.shape[-1]))) @ V


def matrix_products(Q, K, V, rows=512):
    """The floor: the two products of the formula and nothing between, some queries at a time."""
    for q, k, v in zip(Q, K, V, strict=True):
        for start in range(0, len(q), rows):
            q[start : start + rows] @ k.T @ v


def torch_way(Q, K, V, *, fused, is_causal=False):
    """Return a function that runs PyTorch's kernel on the same numbers, or None without PyTorch."""
    if torch is None:
        return None
    from torch.nn.attention import SDPBackend, sdpa_kernel

    backend = SDPBackend.FLASH_ATTENTION if fused else SDPBackend.MATH
    tensors = [torch.from_numpy(M)[None] for M in (Q, K, V)]

    def attend():
        with torch.inference_mode(), sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(
                *tensors, is_causal=is_causal
            ).numpy()[0]

    return attend
