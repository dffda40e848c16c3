"""A cache that grows chunk by chunk gives the rows of full causal attention."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnlib.attention import scaled_dot_product_attention
from attnlib.kv_cache import KVCache


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def filled(K, V):
    cache = KVCache()
    cache.append(K, V)
    return cache


@pytest.mark.claim("7.5")
@settings(max_examples=100)
@given(
    chunks=st.lists(st.integers(0, 5), min_size=1, max_size=6),
    leading=st.sampled_from([((), (), ()), ((2, 3), (2, 3), (2, 3)), ((3,), (1,), (2, 1))]),
    dtype=st.sampled_from([np.float32, np.float64]),
    seed=st.integers(0, 2**32 - 1),
)
def test_chunks_of_any_size_give_the_rows_of_the_full_causal_result(chunks, leading, dtype, seed):
    rng = np.random.default_rng(seed)
    n = sum(chunks)
    Q, K, V = (
        rng.standard_normal((*lead, n, width)).astype(dtype)
        for lead, width in zip(leading, [4, 4, 3], strict=True)
    )
    full = scaled_dot_product_attention(Q, K, V, is_causal=True)
    cache, start = KVCache(), 0
    for size in chunks:
        new = np.s_[..., start : start + size, :]
        cache.append(K[new], V[new])
        Z = cache.attend(Q[new])
        assert Z.dtype == dtype
        tolerance = 1e-12 if dtype == np.float64 else 1e-5
        assert_allclose(Z, full[new], rtol=tolerance, atol=tolerance, strict=True)
        start += size
    assert_array_equal(cache.K, K, strict=True)
    assert_array_equal(cache.V, V, strict=True)


def test_queries_may_come_in_other_chunks_than_keys():
    Q, K, V = normal(9, 4), normal(9, 4, seed=1), normal(9, 3, seed=2)
    full = scaled_dot_product_attention(Q, K, V, is_causal=True)
    cache = filled(K[:2], V[:2])
    cache.append(K[2:], V[2:])
    for n_new in range(10):
        assert_allclose(cache.attend(Q[9 - n_new :]), full[9 - n_new :], rtol=1e-12, strict=True)


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ("ee", np.float16),
        ("ff", np.float32),
        ("ef", np.float32),
        ("fe", np.float32),
        ("fd", np.float64),
        ("df", np.float64),
        ("ii", np.float64),
        ("?e", np.float64),
        ("ei", np.float64),
    ],
)
def test_holds_what_concatenate_would_make_of_the_chunks(chunks, expected):
    K, V = 5 * normal(5, 4), 5 * normal(5, 3, seed=1)
    # three rows leave room for a fourth: one new chunk finds room, the other does not
    parts = [(slice(2), chunks[0]), (slice(2, 3), chunks[0])]
    parts += [(slice(3, 4), chunks[1]), (slice(4, 5), chunks[1])]
    cache = KVCache()
    for rows, dtype in parts:
        cache.append(K[rows].astype(dtype), V[rows].astype(dtype))
    for held, whole in [(cache.K, K), (cache.V, V)]:
        joined = np.concatenate([whole[rows].astype(dtype) for rows, dtype in parts])
        assert_array_equal(held, joined.astype(expected), strict=True)


def test_keys_and_values_keep_their_own_dtypes_and_the_output_takes_the_widest():
    cache = filled(normal(3, 4, dtype=np.float16), normal(3, 2, dtype=np.float32))
    assert (cache.K.dtype, cache.V.dtype) == (np.float16, np.float32)
    assert cache.attend(normal(1, 4, dtype=np.float16)).dtype == np.float32
    assert cache.attend(normal(1, 4, dtype=np.float64)).dtype == np.float64


def test_growth_copies_each_token_a_bounded_number_of_times():
    cache, buffers, copied = KVCache(), [], 0
    row = np.ones((1, 2))
    for n in range(1000):
        cache.append(row * n, row)
        # less than half of the memory is left over
        assert len(cache.K.base) < 2 * (n + 1)
        if not buffers or cache.K.base is not buffers[-1]:
            buffers.append(cache.K.base)
            copied += n
    assert len(buffers) <= 11
    assert copied <= 2 * 1000
    assert_array_equal(cache.K[:, 0], np.arange(1000))


def test_what_is_given_is_copied_and_what_is_held_is_read_only():
    K, V = normal(3, 4), normal(3, 2)
    cache = filled(K, V)
    K[:], V[:] = 7, 8
    assert_array_equal(cache.K, normal(3, 4))
    assert_array_equal(cache.V, normal(3, 2))
    for held in [cache.K, cache.V]:
        with pytest.raises(ValueError, match="read-only"):
            held[0, 0] = 1


def test_earlier_views_stay_as_they_were():
    cache = filled(normal(3, 4), normal(3, 2))
    before = cache.K
    for _ in range(4):
        cache.append(np.ones((1, 4)), np.ones((1, 2)))
    assert_array_equal(before, normal(3, 4), strict=True)
    assert cache.K.shape == (7, 4)


def test_an_empty_chunk_changes_nothing():
    cache = filled(normal(0, 4), normal(0, 2))
    assert cache.K.shape == (0, 4)
    assert cache.attend(normal(0, 4)).shape == (0, 2)
    cache.append(normal(3, 4), normal(3, 2))
    cache.append(normal(0, 4), normal(0, 2))
    assert_array_equal(cache.K, normal(3, 4), strict=True)


def test_holds_nothing_before_the_first_append():
    cache = KVCache()
    assert cache.K is None
    assert cache.V is None
    with pytest.raises(ValueError, match=r"^the cache is empty: append .* queries first$"):
        cache.attend(normal(1, 4))


@pytest.mark.parametrize(
    ("K_new", "V_new", "error", "message"),
    [
        (normal(2, 1, 5), normal(2, 1, 3), ValueError, r"K_new has shape \(2, 1, 5\), but the"),
        (normal(2, 1, 4), normal(2, 1, 2), ValueError, r"V_new has shape \(2, 1, 2\), but the"),
        (normal(1, 1, 4), normal(1, 1, 3), ValueError, r"cached keys have shape \(2, 6, 4\)"),
        (normal(2, 1, 4), normal(1, 1, 3), ValueError, r"cached values have shape \(2, 6, 3\)"),
        (normal(1, 4), normal(1, 3), ValueError, "all axes except -2, the tokens, must agree"),
        (normal(2, 1, 4), normal(2, 2, 3), ValueError, "K_new and V_new disagree on n_new"),
        (normal(2, 1, 4), normal(3, 1, 3), ValueError, "K_new and V_new do not broadcast"),
        (normal(4), normal(2, 1, 3), ValueError, r"K_new has .* two axes \(\.\.\., n_new, d_k\):"),
        (normal(2, 1, 4), normal(3), ValueError, r"V_new has .* two axes \(\.\.\., n_new, d_v\):"),
        (normal(2, 1, 4) * 1j, normal(2, 1, 3), TypeError, "K_new has dtype complex128"),
        (normal(2, 1, 4), [["a"]], TypeError, "V_new has dtype <U1"),
    ],
)
def test_a_chunk_that_does_not_fit_is_refused_and_nothing_changes(K_new, V_new, error, message):
    K, V = normal(2, 6, 4), normal(2, 6, 3)
    cache = filled(K, V)
    with pytest.raises(error, match=message):
        cache.append(K_new, V_new)
    assert_array_equal(cache.K, K, strict=True)
    assert_array_equal(cache.V, V, strict=True)


@pytest.mark.parametrize(
    ("Q_new", "error", "message"),
    [
        (normal(2, 7, 4), ValueError, r"7 queries, but the cache holds 6 tokens"),
        (normal(2, 1, 5), ValueError, "Q_new and the cached keys disagree on d_k"),
        (normal(3, 1, 4), ValueError, "Q_new and the cached keys do not broadcast"),
        (normal(4), ValueError, r"Q_new has .* two axes \(\.\.\., n_new, d_k\):"),
        (normal(2, 1, 4) * 1j, TypeError, "Q_new has dtype complex128"),
    ],
)
def test_a_query_that_does_not_fit_is_refused(Q_new, error, message):
    with pytest.raises(error, match=message):
        filled(normal(2, 6, 4), normal(2, 6, 3)).attend(Q_new)


def test_a_query_that_fits_the_keys_alone_is_refused():
    with pytest.raises(ValueError, match="Q_new and the cached values do not broadcast"):
        filled(normal(1, 6, 4), normal(2, 6, 3)).attend(normal(3, 1, 4))
