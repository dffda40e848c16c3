"""Contract, shapes: leading axes broadcast as in `numpy.matmul`, and any axis may be empty."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attnlib as al


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


LEADING = [
    # Q, K, V, result
    ((), (), (), ()),
    ((2,), (2,), (2,), (2,)),
    ((2, 1), (3,), (), (2, 3)),
    ((1,), (2, 1), (3,), (2, 3)),
    ((), (), (2,), (2,)),
    ((0,), (1,), (), (0,)),
]


@pytest.mark.parametrize(("lead_q", "lead_k", "lead_v", "lead"), LEADING)
def test_leading_axes_broadcast_as_in_matmul(lead_q, lead_k, lead_v, lead):
    Q, K, V = normal(*lead_q, 4, 5), normal(*lead_k, 6, 5), normal(*lead_v, 6, 7)
    lead_s = np.broadcast_shapes(lead_q, lead_k)
    assert al.scores(Q, K).shape == (*lead_s, 4, 6)
    assert al.attention_weights(Q, K).shape == (*lead_s, 4, 6)
    Z = al.scaled_dot_product_attention(Q, K, V)
    assert Z.shape == (*lead, 4, 7)
    stretched = [np.broadcast_to(M, (*lead, *M.shape[-2:])) for M in (Q, K, V)]
    for head in np.ndindex(lead):
        one = al.scaled_dot_product_attention(*(M[head] for M in stretched))
        assert_allclose(Z[head], one, rtol=1e-12, atol=1e-14)


def test_a_trace_holds_what_it_was_given_and_the_broadcast_results():
    Q, K, V = normal(2, 1, 4, 5), normal(3, 6, 5), normal(6, 7)
    trace = al.attend(Q, K, V, np.zeros((5, 1, 1, 1, 6)))
    shapes = {name: np.shape(value) for name, value in vars(trace).items()}
    assert shapes == {
        "Q": (2, 1, 4, 5),
        "K": (3, 6, 5),
        "V": (6, 7),
        "S": (2, 3, 4, 6),
        "S_scaled": (2, 3, 4, 6),
        "mask": (5, 1, 1, 1, 6),
        "scale": (),
        "A": (5, 2, 3, 4, 6),
        "Z": (5, 2, 3, 4, 7),
    }


@pytest.mark.claim("3.2", "4.1", "5.2", "6.1", "6.3")
def test_a_trace_is_the_formula_step_by_step():
    Q, K, V = normal(4, 5), normal(6, 5, seed=1), normal(6, 7, seed=2)
    trace = al.attend(Q, K, V)
    assert_array_equal(trace.Q, Q)
    assert_array_equal(trace.K, K)
    assert_array_equal(trace.V, V)
    assert trace.mask is None
    assert trace.scale == 1 / np.sqrt(5)
    assert_allclose(trace.S, Q @ K.T, rtol=1e-12)
    assert_allclose(trace.S_scaled, Q @ K.T / np.sqrt(5), rtol=1e-12)
    exponentials = np.exp(Q @ K.T / np.sqrt(5))
    A = exponentials / exponentials.sum(axis=1, keepdims=True)
    assert_allclose(trace.A, A, rtol=1e-12)
    assert_allclose(trace.Z, A @ V, rtol=1e-12)


def test_a_trace_is_frozen_and_shows_its_shapes():
    trace = al.attend(normal(4, 5), normal(6, 5), normal(6, 7), scale=0.5)
    with pytest.raises(FrozenInstanceError):
        trace.A = trace.Z
    assert repr(trace) == (
        "AttentionTrace(Q=(4, 5), K=(6, 5), V=(6, 7), S=(4, 6), S_scaled=(4, 6), mask=None, "
        "scale=0.5, A=(4, 6), Z=(4, 7))"
    )


def test_traces_with_equal_arrays_can_be_compared_and_hashed():
    trace = al.attend(normal(4, 5), normal(6, 5), normal(6, 7))
    again = al.attend(normal(4, 5), normal(6, 5), normal(6, 7))
    assert trace == trace
    assert trace != again
    assert len({trace, again}) == 2


@pytest.mark.claim("2.1", "6.3")
def test_self_attention_projects_and_then_attends():
    X, W_Q, W_K, W_V = normal(2, 6, 8), normal(8, 3), normal(8, 3, seed=1), normal(8, 5, seed=2)
    mask = normal(6, 6, seed=3)
    trace = al.self_attention(X, W_Q, W_K, W_V, is_causal=True, attn_mask=mask, scale=0.3)
    same = al.attend(X @ W_Q, X @ W_K, X @ W_V, mask, is_causal=True, scale=0.3)
    for name in ("Q", "K", "V", "S", "S_scaled", "mask", "A", "Z"):
        assert_allclose(getattr(trace, name), getattr(same, name), rtol=1e-12, strict=True)
    assert trace.scale == 0.3


@pytest.mark.claim("4.1")
def test_nothing_is_masked_and_the_scale_is_one_over_root_d_k_unless_asked_for():
    X, W = normal(6, 8), normal(8, 3)
    for trace in (
        al.attend(X, X, X),
        al.self_attention(X, W, W, W),
        al.MultiHeadAttention(W, W, W, W.T, 1).trace(X),
    ):
        assert trace.mask is None
        assert (trace.A > 0).all()
        assert trace.scale == 1 / np.sqrt(trace.Q.shape[-1])
    plain = al.MultiHeadAttention(W, W, W, W.T, 1)(X)
    assert_allclose(plain, trace.O, rtol=1e-12)
    assert (al.attention_weights(X, X) > 0).all()
    Z = al.scaled_dot_product_attention(X, X, np.eye(6))
    assert (Z > 0).all()


def test_weights_of_self_attention_may_have_a_head_axis():
    X, W = normal(6, 8), normal(4, 8, 3)
    trace = al.self_attention(X, W, W, W)
    assert trace.Z.shape == (4, 6, 3)
    assert_allclose(trace.Z[2], al.self_attention(X, W[2], W[2], W[2]).Z, rtol=1e-12)


@pytest.mark.claim("5.1")
def test_softmax_runs_along_any_axis():
    x = normal(2, 3, 4)
    for axis in (-3, -2, -1, 0, 1, 2):
        p = al.softmax(x, axis)
        assert p.shape == x.shape
        assert_allclose(p, np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True), rtol=1e-12)
    assert_array_equal(al.softmax(x), al.softmax(x, axis=-1))
    assert_allclose(al.softmax([1.0, 2.0]), np.exp([1, 2]) / np.exp([1, 2]).sum(), rtol=1e-12)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 3)])
def test_softmax_of_nothing_is_empty(shape):
    for axis in range(len(shape)):
        assert al.softmax(np.ones(shape), axis).shape == shape


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("mask", [None, np.ones((1, 0), bool), np.ones((3, 0)), np.ones((1, 0))])
def test_no_keys_give_zeros(mask, is_causal):
    Q, K, V = normal(2, 3, 5), normal(2, 0, 5), normal(2, 0, 7)
    trace = al.attend(Q, K, V, mask, is_causal)
    assert trace.A.shape == (2, 3, 0)
    assert_array_equal(trace.Z, np.zeros((2, 3, 7)))
    assert_array_equal(al.scaled_dot_product_attention(Q, K, V, mask, is_causal), trace.Z)


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("mask", [None, np.ones((0, 4), bool), np.ones((1, 4))])
def test_no_queries_give_an_empty_result(mask, is_causal):
    Q, K, V = normal(2, 0, 5), normal(2, 4, 5), normal(2, 4, 7)
    trace = al.attend(Q, K, V, mask, is_causal)
    assert trace.A.shape == (2, 0, 4)
    assert trace.Z.shape == (2, 0, 7)
    assert al.scaled_dot_product_attention(Q, K, V, mask, is_causal).shape == (2, 0, 7)
    assert al.attention_weights(Q, K, mask, is_causal).shape == (2, 0, 4)


def test_no_features_score_0_so_every_key_counts_the_same():
    V = normal(4, 7)
    trace = al.attend(normal(3, 0), normal(4, 0), V)
    assert trace.scale == 1.0
    assert_array_equal(trace.S, np.zeros((3, 4)))
    assert_array_equal(trace.A, np.full((3, 4), 0.25))
    assert_allclose(trace.Z, np.tile(V.mean(axis=0), (3, 1)), rtol=1e-12)


def test_values_may_have_no_features():
    assert al.scaled_dot_product_attention(normal(3, 5), normal(4, 5), normal(4, 0)).shape == (3, 0)


@pytest.mark.parametrize("n", [255, 256, 257])
def test_large_heads_taken_one_by_one_give_what_all_at_once_gives(n):
    Q, K, V = normal(2, 1, n, 3), normal(3, 256, 3, seed=1), normal(256, 2, seed=2)
    mask = np.random.default_rng(3).random((2, 1, 1, 256)) < 0.5
    for options in ({}, {"attn_mask": mask}, {"attn_mask": np.where(mask, 0.5, -np.inf)}):
        for is_causal in (False, True):
            Z = al.scaled_dot_product_attention(Q, K, V, **options, is_causal=is_causal)
            trace = al.attend(Q, K, V, **options, is_causal=is_causal)
            assert_allclose(Z, trace.Z, rtol=1e-12, atol=1e-14, strict=True)


def test_one_query_may_have_very_many_keys():
    Q, K, V = normal(1, 3), normal(70000, 3, seed=1), normal(70000, 2, seed=2)
    Z = al.scaled_dot_product_attention(Q, K, V)
    assert_allclose(Z, al.attend(Q, K, V).Z, rtol=1e-9, atol=1e-12)
