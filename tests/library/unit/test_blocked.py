"""Tile by tile gives what the formula gives, with the memory and the threads that are promised."""

import numpy as np
import pytest
from attention_cases import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attnlib.attention import scaled_dot_product_attention
from attnlib.blocked import blocked_attention


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.mark.claim("6.3")
@settings(max_examples=400)
@given(cases(np.float64), st.integers(1, 12))
def test_equals_plain_in_float64(case, block_size):
    plain = scaled_dot_product_attention(*case.inputs, **case.options)
    tiled = blocked_attention(*case.inputs, **case.options, block_size=block_size)
    assert tiled.dtype == np.float64
    assert_allclose(tiled, plain, rtol=1e-12, atol=1e-12, strict=True)


@settings(max_examples=200)
@given(cases(np.float32), st.integers(1, 12))
def test_equals_plain_in_float32(case, block_size):
    plain = scaled_dot_product_attention(*case.inputs, **case.options)
    tiled = blocked_attention(*case.inputs, **case.options, block_size=block_size)
    assert tiled.dtype == np.float32
    assert_allclose(tiled, plain, rtol=1e-5, atol=1e-5, strict=True)


@settings(max_examples=40)
@given(cases(np.float64), st.integers(1, 12), st.integers(1, 3))
def test_threads_change_nothing(case, block_size, threads):
    alone = blocked_attention(*case.inputs, **case.options, block_size=block_size)
    together = blocked_attention(
        *case.inputs, **case.options, block_size=block_size, threads=threads
    )
    assert_allclose(together, alone, rtol=1e-14, atol=1e-14, strict=True)


@pytest.mark.parametrize("is_causal", [False, True])
def test_default_block_size_on_more_than_one_tile(is_causal):
    Q, K, V = normal(2, 700, 3), normal(2, 1100, 3, seed=1), normal(2, 1100, 4, seed=2)
    plain = scaled_dot_product_attention(Q, K, V, is_causal=is_causal)
    assert_allclose(blocked_attention(Q, K, V, is_causal), plain, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_q", [3, 10, 17])
@pytest.mark.parametrize("block_size", [1, 2, 3, 4, 7, 100])
def test_causal_lines_up_the_last_query_with_the_last_key(n_q, block_size):
    Q, K, V = normal(n_q, 5), normal(10, 5, seed=1), normal(10, 4, seed=2)
    plain = scaled_dot_product_attention(Q, K, V, is_causal=True)
    tiled = blocked_attention(Q, K, V, is_causal=True, block_size=block_size)
    assert_allclose(tiled, plain, rtol=1e-12, atol=1e-12)
    assert_allclose(tiled[-1:], scaled_dot_product_attention(Q[-1:], K, V), rtol=1e-12)


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        ("eee", np.float16),
        ("eff", np.float32),
        ("fdf", np.float64),
        ("iii", np.float64),
        ("e?e", np.float64),
        ("ffb", np.float64),
    ],
)
def test_dtypes_follow_the_rule_of_the_plain_function(dtypes, expected):
    # scores near 1: what rounding does to a weight grows with its score
    arrays = [normal(*s, seed=s[0]) for s in [(6, 5), (7, 5), (7, 3)]]
    Q, K, V = (np.rint(4 * M).astype(dtype) for M, dtype in zip(arrays, dtypes, strict=True))
    mask = normal(6, 7, dtype=np.float64, seed=9)
    options = {"attn_mask": mask, "scale": 0.03}
    tiled = blocked_attention(Q, K, V, **options, block_size=4)
    plain = scaled_dot_product_attention(Q, K, V, **options)
    assert tiled.dtype == expected
    eps = np.finfo(expected).eps
    assert_allclose(tiled, plain, rtol=8 * eps, atol=8 * eps, strict=True)


def test_float16_is_computed_in_float32():
    # in float16 the 4096 weights of 1/4096 would add up to something else, and scores overflow
    Q, K = np.full((1, 4), 250, np.float16), np.full((4096, 4), 250, np.float16)
    V = np.linspace(0, 1, 4096, dtype=np.float16)[:, None]
    assert_allclose(blocked_attention(Q, K, V), [[0.5]], rtol=1e-3)


def test_is_silent_where_numpy_is_told_to_raise():
    # weights that underflow, and an average below the smallest normal float16
    Q, K = np.array([[300.0]], np.float16), np.array([[-1.0], [1.0], [1.0]], np.float16)
    V = np.array([[1.0], [2e-6], [1e-6]], np.float16)
    with np.errstate(all="raise"):
        tiled = blocked_attention(Q, K, V, block_size=2)
    assert_allclose(tiled, [[1.5e-6]], rtol=0.1)


@pytest.mark.parametrize("block_size", [1, 2, 5, 64])
@pytest.mark.parametrize("threads", [None, 2])
def test_rows_with_nothing_to_attend_to_are_zero(block_size, threads):
    Q, K, V = normal(5, 3), normal(7, 3, seed=1), normal(7, 4, seed=2)
    mask = np.ones((5, 7), bool)
    mask[1] = mask[4] = False
    for attn_mask in [mask, np.where(mask, 0, -np.inf)]:
        tiled = blocked_attention(
            Q, K, V, attn_mask=attn_mask, block_size=block_size, threads=threads
        )
        assert_array_equal(tiled[[1, 4]], 0)
        assert np.abs(tiled[[0, 2, 3]]).min() > 0


def test_no_keys_give_zeros_and_no_queries_an_empty_result():
    for is_causal in [False, True]:
        no_keys = blocked_attention(normal(2, 5, 3), normal(2, 0, 3), normal(2, 0, 4), is_causal)
        assert_array_equal(no_keys, np.zeros((2, 5, 4)), strict=True)
        no_queries = blocked_attention(normal(2, 0, 3), normal(2, 5, 3), normal(2, 5, 4), is_causal)
        assert_array_equal(no_queries, np.zeros((2, 0, 4)), strict=True)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("block_size", [1, 3, 4, 64])
@pytest.mark.parametrize("kind", ["bool", "float", "causal"])
def test_masked_positions_have_no_influence(bad, block_size, kind):
    Q, K, V = normal(6, 3), normal(6, 3, seed=1), normal(6, 4, seed=2)
    allowed = np.tril(np.ones((6, 6), bool))
    options = {
        "bool": {"attn_mask": allowed},
        "float": {"attn_mask": np.where(allowed, 0.5, -np.inf)},
        "causal": {"is_causal": True},
    }[kind]
    clean = blocked_attention(Q, K, V, **options, block_size=block_size)
    K_bad, V_bad = K.copy(), V.copy()
    K_bad[4:], V_bad[3:, 1] = bad, bad
    dirty = blocked_attention(Q, K_bad, V_bad, **options, block_size=block_size)
    assert_array_equal(dirty[:3], clean[:3])
    assert not np.isfinite(dirty[3:, 1]).any()


@pytest.mark.parametrize("block_size", [1, 2, 64])
def test_a_masked_key_gets_no_weight_however_low_the_visible_scores_are(block_size):
    Q, K, V = np.ones((1, 1)), np.array([[-1e300], [0.0], [-1e300], [0.0]]), normal(4, 2)
    mask = np.array([[True, False, True, False]])
    for attn_mask in [mask, np.where(mask, 0, -np.inf)]:
        tiled = blocked_attention(Q, K, V, attn_mask=attn_mask, block_size=block_size)
        assert_allclose(tiled[0], (V[0] + V[2]) / 2, rtol=1e-12)


@pytest.mark.parametrize("threads", [None, 2])
@pytest.mark.parametrize("name", ["Q", "K", "V"])
def test_visible_nan_reaches_the_rows_that_see_it_and_no_others(name, threads):
    arrays = {"Q": normal(7, 3), "K": normal(9, 3, seed=1), "V": normal(9, 4, seed=2)}
    arrays[name][5] = np.nan
    mask = np.random.default_rng(3).random((7, 9)) < 0.5
    plain = scaled_dot_product_attention(*arrays.values(), attn_mask=mask)
    sees = np.arange(7) == 5 if name == "Q" else mask[:, 5]
    assert_array_equal(np.isnan(plain).any(axis=1), sees)
    for block_size in [1, 2, 4, 64]:
        tiled = blocked_attention(
            *arrays.values(), attn_mask=mask, block_size=block_size, threads=threads
        )
        assert_allclose(tiled, plain, rtol=1e-12)


@pytest.mark.parametrize("score", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("block_size", [1, 2, 64])
@pytest.mark.parametrize("where", [0, 2, 4])
def test_a_score_that_is_not_finite_does_what_it_does_in_the_plain_function(
    score, block_size, where
):
    Q, V = np.ones((2, 1)), normal(5, 3)
    K = normal(5, 1, seed=1)
    K[where] = score
    plain = scaled_dot_product_attention(Q, K, V)
    assert np.isnan(plain).all() == (score != -np.inf)
    assert_allclose(blocked_attention(Q, K, V, block_size=block_size), plain, rtol=1e-12)


def test_only_minus_infinity_among_visible_scores_is_no_empty_row():
    Q, K, V = np.ones((1, 1)), np.full((3, 1), -np.inf), normal(3, 2)
    assert np.isnan(scaled_dot_product_attention(Q, K, V)).all()
    assert np.isnan(blocked_attention(Q, K, V, block_size=2)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("block_size", [1, 3, 64])
def test_large_scores_are_exact(dtype, block_size):
    top = float(np.sqrt(np.finfo(dtype).max)) / 2
    Q = np.array([[top], [-top], [1.0]], dtype)
    K = np.array([[top], [1.0], [-top], [0.5], [top]], dtype)
    V = normal(5, 2, dtype=dtype)
    tiled = blocked_attention(Q, K, V, block_size=block_size)
    assert_allclose(tiled[0], (V[0] + V[4]) / 2, rtol=1e-6)
    assert_allclose(tiled[1], V[2], rtol=1e-6)


@pytest.mark.parametrize("scale", [100.0, 1.0, 0.01])
def test_a_scale_costs_no_range(scale):
    top = np.finfo(np.float64).max / 4
    for q, k in [(top, 1 / top), (1 / top, top)]:
        Q, K, V = np.full((1, 1), q), np.array([[k], [2 * k], [0.0]]), normal(3, 2)
        weights = np.exp(scale * np.array([1.0, 2.0, 0.0]) - 2 * scale)
        expected = weights @ V / weights.sum()
        assert_allclose(blocked_attention(Q, K, V, scale=scale)[0], expected, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_average_of_the_largest_values_is_finite(dtype):
    largest = np.full((300, 2), np.finfo(dtype).max, dtype)
    largest *= dtype(0.99)
    tiled = blocked_attention(np.zeros((4, 3), dtype), np.zeros((300, 3), dtype), largest)
    assert_allclose(tiled, largest[:4], rtol=1e-5)


def test_inputs_may_be_read_only_and_strided_and_stay_as_they_are():
    Q, K, V = normal(3, 6, 5), normal(3, 8, 5, seed=1), normal(3, 8, 4, seed=2)
    mask = normal(6, 8, seed=3)
    expected = blocked_attention(Q, K, V, attn_mask=mask, block_size=4)
    arrays = [
        np.asfortranarray(Q),
        K[:, ::-1].copy()[:, ::-1],
        np.repeat(V, 2, axis=-1)[..., ::2],
        mask[:, ::-1].copy()[:, ::-1],
    ]
    for array in arrays:
        array.flags.writeable = False
    Q_, K_, V_, mask_ = arrays
    assert_array_equal(blocked_attention(Q_, K_, V_, attn_mask=mask_, block_size=4), expected)


def test_arguments_stand_in_the_order_of_the_contract():
    Q, K, V = normal(6, 5), normal(8, 5, seed=1), normal(8, 4, seed=2)
    mask = normal(6, 8, seed=3)
    by_position = blocked_attention(Q, K, V, True, mask, 0.3, 4, 2)
    by_name = blocked_attention(
        Q, K, V, is_causal=True, attn_mask=mask, scale=0.3, block_size=4, threads=2
    )
    assert_array_equal(by_position, by_name)


GOOD = {"Q": normal(2, 5, 3), "K": normal(2, 7, 3), "V": normal(2, 7, 4)}
ONE_HEAD = {name: array[:1] for name, array in GOOD.items()}
THREE_MASKS = np.ones((3, 5, 7), bool)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"block_size": 0}, ValueError, "block_size must be at least 1, not 0"),
        ({"block_size": 2.5}, TypeError, "block_size must be an integer, not 2.5"),
        ({"block_size": True}, TypeError, "block_size must be an integer"),
        ({"threads": 0}, ValueError, "threads must be at least 1, not 0"),
        ({"threads": "2"}, TypeError, "threads must be an integer, not '2'"),
        ({"threads": False}, TypeError, "threads must be an integer"),
        ({"Q": normal(2, 5, 3) + 1j}, TypeError, "Q has dtype complex128"),
        ({"K": normal(2, 7, 6)}, ValueError, "Q and K disagree on d_k"),
        ({"V": normal(2, 8, 4)}, ValueError, "K and V disagree on n_k"),
        ({"V": normal(3, 7, 4)}, ValueError, "Q and V do not broadcast"),
        ({"attn_mask": np.ones((5, 7), int)}, TypeError, "there are two kinds of mask"),
        ({"attn_mask": np.ones((5, 6), bool)}, ValueError, "attn_mask and K disagree on n_k"),
        ({"attn_mask": np.ones((4, 7), bool)}, ValueError, "attn_mask and Q disagree on n_q"),
        ({"attn_mask": THREE_MASKS}, ValueError, "Q and attn_mask do not broadcast"),
        (
            ONE_HEAD | {"K": GOOD["K"], "attn_mask": THREE_MASKS},
            ValueError,
            "K and attn_mask do not broadcast",
        ),
        (
            ONE_HEAD | {"V": GOOD["V"], "attn_mask": THREE_MASKS},
            ValueError,
            "V and attn_mask do not broadcast",
        ),
        ({"is_causal": 1}, TypeError, "is_causal must be True or False"),
        ({"scale": "1"}, TypeError, "scale must be a real number"),
        ({"scale": np.nan}, ValueError, "scale must be finite"),
    ],
)
def test_refuses_what_the_plain_function_refuses_and_bad_sizes(wrong, error, message):
    with pytest.raises(error, match=message):
        blocked_attention(**GOOD | wrong)
    if not wrong.keys() & {"block_size", "threads"}:
        with pytest.raises(error, match=message):
            scaled_dot_product_attention(**GOOD | wrong)
