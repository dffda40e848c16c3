"""Contract, masks: what each kind means, how it broadcasts, and where the causal diagonal lies."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from row_by_row import attention_row_by_row

import attnlib as al

T, F = True, False
INF = np.inf


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.fixture
def qkv():
    return normal(3, 5, seed=1), normal(4, 5, seed=2), normal(4, 7, seed=3)


def check(qkv, mask, is_causal=False):
    """Every function agrees with the row-by-row reference under this mask."""
    A, Z = attention_row_by_row(*qkv, mask, is_causal)
    trace = al.attend(*qkv, mask, is_causal)
    assert_allclose(trace.A, A, rtol=1e-12, atol=1e-15, strict=True)
    assert_allclose(trace.Z, Z, rtol=1e-12, atol=1e-15, strict=True)
    assert_array_equal(al.attention_weights(*qkv[:2], mask, is_causal), trace.A)
    Z = al.scaled_dot_product_attention(*qkv, mask, is_causal)
    assert_allclose(Z, trace.Z, rtol=1e-12, atol=1e-15, strict=True)
    return trace


def test_true_in_a_bool_mask_means_may_attend(qkv):
    mask = np.array([[T, F, T, F], [F, F, F, T], [T, T, T, T]])
    trace = check(qkv, mask)
    assert_array_equal(trace.A > 0, mask)
    assert_array_equal(trace.A[1], [0, 0, 0, 1])
    assert_allclose(trace.A[2], al.attention_weights(*qkv[:2])[2], rtol=1e-12)


@pytest.mark.claim("7.2")
def test_a_float_mask_is_added_to_the_scaled_scores(qkv):
    bias = normal(3, 4)
    trace = check(qkv, bias)
    assert_allclose(trace.A, al.softmax(trace.S_scaled + bias), rtol=1e-12)


@pytest.mark.claim("7.2")
def test_minus_inf_in_a_float_mask_forbids(qkv):
    allowed = np.array([[T, F, T, F], [F, F, F, T], [T, T, T, T]])
    trace = check(qkv, np.where(allowed, 0.0, -INF))
    assert_array_equal(trace.A, al.attention_weights(*qkv[:2], allowed))


def test_a_large_negative_bias_does_not_forbid(qkv):
    # every key of the row is pushed down alike, so nothing changes; -inf would empty the row
    bias = np.full((3, 4), -1e9)
    assert_allclose(check(qkv, bias).A, al.attention_weights(*qkv[:2]), rtol=1e-6)


@pytest.mark.claim("7.3")
def test_masked_weights_are_exactly_zero_and_the_rest_still_sums_to_one(qkv):
    A = al.attention_weights(*qkv[:2], is_causal=True)
    assert_array_equal(A[~al.causal_mask(3, 4)], 0)
    assert_allclose(A.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("kind", [bool, float])
@pytest.mark.parametrize("shape", [(3, 4), (1, 4), (2, 3, 4), (2, 1, 4), (1, 2, 1, 4)])
def test_a_mask_has_n_k_columns_n_q_or_one_row_and_leading_axes_that_broadcast(kind, shape):
    lead = shape[:-2]
    qkv = normal(2, 3, 5, seed=1), normal(4, 5, seed=2), normal(2, 4, 7, seed=3)
    allowed = np.random.default_rng(5).random(shape) < 0.6
    mask = allowed if kind is bool else np.where(allowed, normal(*shape, seed=6), -INF)
    trace = check(qkv, mask)
    assert trace.A.shape == (*np.broadcast_shapes(lead, (2,)), 3, 4)
    assert_array_equal(trace.mask, mask)


def test_leading_axes_that_only_the_mask_has_are_added(qkv):
    mask = np.random.default_rng(0).random((6, 1, 3, 4)) < 0.5
    assert check(qkv, mask).Z.shape == (6, 1, 3, 7)
    assert check(qkv, np.where(mask, 0.5, -INF)).Z.shape == (6, 1, 3, 7)


def test_a_mask_may_be_nested_lists(qkv):
    assert_array_equal(
        al.attention_weights(*qkv[:2], [[T, F, F, F]]), np.tile([1, 0, 0, 0], (3, 1))
    )
    assert_array_equal(
        al.attention_weights(*qkv[:2], [[0.0, -INF, -INF, -INF]]), np.tile([1, 0, 0, 0], (3, 1))
    )


def test_a_mask_that_forbids_nothing_changes_nothing(qkv):
    plain = al.attention_weights(*qkv[:2])
    assert_array_equal(al.attention_weights(*qkv[:2], np.ones((3, 4), bool)), plain)
    assert_array_equal(al.attention_weights(*qkv[:2], np.zeros((1, 4))), plain)


def test_a_bool_mask_and_is_causal_both_apply(qkv):
    mask = np.array([[F, T, T, T], [T, T, F, T], [T, T, T, F]])
    trace = check(qkv, mask, is_causal=True)
    assert trace.mask.dtype == bool
    assert_array_equal(trace.mask, [[F, T, F, F], [T, T, F, F], [T, T, T, F]])
    assert_array_equal(trace.A > 0, trace.mask)


def test_a_float_mask_and_is_causal_both_apply(qkv):
    bias = normal(3, 4)
    bias[2, 0] = -INF
    trace = check(qkv, bias, is_causal=True)
    assert_array_equal(trace.mask, np.where(al.causal_mask(3, 4), bias, -INF))


@pytest.mark.parametrize("mask", [np.array([[T, F, T, T]]), np.array([[0.5, -INF, 1.0, 0.0]])])
def test_a_mask_of_one_row_and_is_causal_both_apply(qkv, mask):
    trace = check(qkv, mask, is_causal=True)
    assert trace.mask.shape == (3, 4)
    assert_array_equal(trace.A > 0, [[T, F, F, F], [T, F, T, F], [T, F, T, T]])


@pytest.mark.claim("7.1")
def test_the_causal_mask_of_four_tokens_is_the_table_of_the_document():
    assert_array_equal(
        al.causal_mask(4), [[T, F, F, F], [T, T, F, F], [T, T, T, F], [T, T, T, T]], strict=True
    )


def test_the_last_query_lines_up_with_the_last_key():
    assert_array_equal(al.causal_mask(2, 4), [[T, T, T, F], [T, T, T, T]])
    assert_array_equal(al.causal_mask(4, 2), [[F, F], [F, F], [T, F], [T, T]])
    assert_array_equal(al.causal_mask(1, 3), [[T, T, T]])


def test_offset_moves_the_diagonal():
    assert_array_equal(al.causal_mask(2, 4, offset=0), [[T, F, F, F], [T, T, F, F]])
    assert_array_equal(al.causal_mask(3, offset=-1), [[F, F, F], [T, F, F], [T, T, F]])
    assert_array_equal(al.causal_mask(2, 3, offset=1), [[T, T, F], [T, T, T]])
    assert al.causal_mask(2, 3, offset=9).all()
    assert not al.causal_mask(2, 3, offset=-9).any()


def test_a_causal_mask_may_be_empty():
    assert al.causal_mask(0).shape == (0, 0)
    assert al.causal_mask(0, 3).shape == (0, 3)
    assert al.causal_mask(3, 0).shape == (3, 0)


def test_a_causal_mask_takes_numpy_integers():
    assert_array_equal(
        al.causal_mask(np.int64(2), np.int32(4), offset=np.int8(2)), [[T, T, T, F], [T] * 4]
    )


@pytest.mark.parametrize(("n_q", "n_k"), [(3, 3), (3, 5), (5, 3), (1, 4), (4, 1)])
def test_is_causal_lines_up_the_last_query_with_the_last_key(n_q, n_k):
    qkv = normal(n_q, 2), normal(n_k, 2), normal(n_k, 6)
    trace = check(qkv, None, is_causal=True)
    assert_array_equal(trace.mask, al.causal_mask(n_q, n_k, offset=n_k - n_q))
    for i in range(n_q):
        assert np.count_nonzero(trace.A[i]) == max(0, i + 1 + n_k - n_q)


@pytest.mark.parametrize("flag", [True, np.True_])
def test_is_causal_may_be_a_numpy_bool(qkv, flag):
    assert_array_equal(al.attend(*qkv, is_causal=flag).mask, al.causal_mask(3, 4))


@pytest.mark.claim("7.4")
def test_causal_rows_do_not_depend_on_later_tokens(qkv):
    X, W = normal(6, 8), [normal(8, 3, seed=s) for s in (1, 2, 3)]
    Z = al.self_attention(X, *W, is_causal=True).Z
    X[4] += 1
    changed = al.self_attention(X, *W, is_causal=True).Z
    assert_array_equal(changed[:4], Z[:4])
    assert (changed[4:] != Z[4:]).all()
