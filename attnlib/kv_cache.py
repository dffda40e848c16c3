"""Keys and values of the tokens so far, for attention that goes on token by token."""

import numpy as np

from attnlib._checks import (
    check_leading_axes,
    check_matrix,
    check_same_length,
    real_array,
)
from attnlib.attention import scaled_dot_product_attention


class KVCache:
    """Keep the keys and values that a causal model has computed already (Claim 7.5).

    Row i of causal attention needs the keys and values of the tokens 1..i only, and later tokens
    never change them. So each new token brings one new row to K and V, and asks with one query.

    The cache holds what ``numpy.concatenate`` would make of the chunks: int and bool become
    float64, float16, float32 and float64 stay, and a chunk of a wider dtype widens the cache.
    It starts empty and copies what it is given; its memory grows by doubling, so that appending n
    tokens one by one copies each of them O(1) times on average.

    Examples
    --------
    >>> cache = KVCache()
    >>> cache.append([[1.0, 0.0]], [[3.0]])
    >>> cache.append([[0.0, 1.0]], [[5.0]])
    >>> cache.attend([[0.0, 0.0]])
    array([[4.]])
    """

    def __init__(self):
        self._length = 0
        self._keys = None
        self._values = None

    @property
    def K(self):
        """Keys so far, shape (..., n, d_k): a read-only view, or None before the first append."""
        return self._filled(self._keys)

    @property
    def V(self):
        """Values so far, shape (..., n, d_v): a read-only view, or None before the first append."""
        return self._filled(self._values)

    def append(self, K_new, V_new):
        """Add the keys and values of the next tokens; if they are refused, nothing changes.

        Parameters
        ----------
        K_new : array_like, shape (..., n_new, d_k)
        V_new : array_like, shape (..., n_new, d_v)
            Any number of tokens; the leading axes and the widths are those of the first chunk.

        Raises
        ------
        TypeError
            If a chunk is a masked array or has another dtype than these.
        ValueError
            If the chunks disagree with each other or with what the cache holds.
        """
        K_new, V_new = real_array("K_new", K_new), real_array("V_new", V_new)
        check_matrix("K_new", K_new, "(..., n_new, d_k)")
        check_matrix("V_new", V_new, "(..., n_new, d_v)")
        check_same_length("n_new", "K_new", K_new, -2, "V_new", V_new, -2)
        check_leading_axes(K_new=K_new, V_new=V_new)
        _check_continues("K_new", K_new, "keys", self.K)
        _check_continues("V_new", V_new, "values", self.V)
        keys = _with_appended(self._keys, self._length, K_new)
        values = _with_appended(self._values, self._length, V_new)
        self._keys, self._values = keys, values
        self._length += K_new.shape[-2]

    def attend(self, Q_new):
        """Return the output of the newest tokens: the last rows of full causal attention.

        Parameters
        ----------
        Q_new : array_like, shape (..., n_new, d_k)
            Queries of the n_new tokens that were appended last, in their order, whatever the
            chunks they came in.

        Returns
        -------
        ndarray, shape (..., n_new, d_v)
            What ``scaled_dot_product_attention(Q, K, V, is_causal=True)`` has in its last n_new
            rows, with its dtype rule for `Q_new` and the cached keys and values. It holds
            (..., n_new, n) scores; `blocked_attention` on `K` and `V` does without.

        Raises
        ------
        TypeError
            If `Q_new` is a masked array or has another dtype than keys may have.
        ValueError
            If nothing was appended yet, if there are more queries than cached tokens, or if
            shapes disagree.
        """
        Q_new = real_array("Q_new", Q_new)
        check_matrix("Q_new", Q_new, "(..., n_new, d_k)")
        if self._keys is None:
            raise ValueError(
                "the cache is empty: append the keys and values of these queries first"
            )
        check_same_length("d_k", "Q_new", Q_new, -1, "the cached keys", self.K, -1)
        cached = {"the cached keys": self.K, "the cached values": self.V}
        check_leading_axes(Q_new=Q_new, **cached)
        if Q_new.shape[-2] > self._length:
            raise ValueError(
                f"Q_new has shape {Q_new.shape}, so {Q_new.shape[-2]} queries, but the cache holds "
                f"{self._length} tokens: append the keys and values of every query first"
            )
        return scaled_dot_product_attention(Q_new, self.K, self.V, is_causal=True)

    def _filled(self, buffer):
        if buffer is None:
            return None
        filled = buffer[..., : self._length, :]
        filled.flags.writeable = False
        return filled


def _check_continues(name, new, kind, cached):
    """Refuse a chunk whose axes other than the tokens differ from those of the cached one."""
    if cached is None:
        return
    if (*new.shape[:-2], new.shape[-1]) != (*cached.shape[:-2], cached.shape[-1]):
        raise ValueError(
            f"{name} has shape {new.shape}, but the cached {kind} have shape {cached.shape}: all "
            f"axes except -2, the tokens, must agree"
        )


def _with_appended(buffer, length, new):
    """Return a buffer whose first rows are the `length` rows of `buffer`, then those of `new`."""
    needed = length + new.shape[-2]
    if buffer is None:
        return new.copy(order="C")
    dtype = np.result_type(buffer, new)
    if needed > buffer.shape[-2] or dtype != buffer.dtype:
        capacity = max(needed, 2 * buffer.shape[-2])
        larger = np.empty((*buffer.shape[:-2], capacity, buffer.shape[-1]), dtype)
        larger[..., :length, :] = buffer[..., :length, :]
        buffer = larger
    buffer[..., length:needed, :] = new
    return buffer
