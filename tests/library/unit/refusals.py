"""Arguments for calls that are refused, and what every refusal says."""

import re

import numpy as np
import pytest

import attnlib as al

Q, K, V = np.ones((2, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 6))
X, W, W_V, W_O = np.ones((2, 5, 8)), np.ones((8, 12)), np.ones((8, 6)), np.ones((6, 8))
MHA = al.MultiHeadAttention(W, W, W_V, W_O, 3)
TRACE = MHA.trace(X)
RNG = np.random.default_rng(0)
TEXT = np.array(["a"])
RAGGED = [[1.0, 2.0], [3.0]]
ITSELF = []
ITSELF.append(ITSELF)
LONG = np.longdouble


def hidden(array):
    """A masked array: attention would use what it hides."""
    return np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) % 3 == 0)


class ArrayLike:
    """What NumPy cannot read, as a tensor of PyTorch in bfloat16."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


def sdpa(q=Q, k=K, v=V, *args, **kwargs):
    return al.scaled_dot_product_attention(q, k, v, *args, **kwargs)


def masked(mask):
    return sdpa(attn_mask=mask)


def mha_masked(mask, x=X):
    return MHA(x, attn_mask=mask)


def build(w_q=W, w_k=W, w_v=W_V, w_o=W_O, n_heads=3):
    return al.MultiHeadAttention(w_q, w_k, w_v, w_o, n_heads)


def assert_refused(call, error, parts):
    """Assert that the message can be acted on: it names the argument and the way out."""
    with pytest.raises(error) as refusal:
        call()
    assert refusal.type is error
    message = str(refusal.value)
    for part in parts:
        # as whole words: "X has" is not in "W_X has"
        assert re.search(rf"(?<!\w){re.escape(part)}", message), message
    # one sentence or two, without the numbers of an array
    assert len(message) < 300
    assert "array(" not in message
