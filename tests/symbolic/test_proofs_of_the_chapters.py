"""What the chapters prove with the formula in symbols holds, and their mistakes are refuted."""

import pytest
import sympy as sp
from small_heads import D_K

from attnlib.symbolic import (
    assert_same,
    attend,
    is_same,
    mask_matrix,
    matrix,
    merge_heads,
    multi_head_attention,
    project,
    scores,
    self_attention,
    softmax,
    softmax_jacobian,
    split_heads,
)

# --- what the chapters prove --------------------------------------------------------------------


@pytest.mark.claim("4.3")
def test_the_jacobian_of_softmax_is_diag_p_minus_the_outer_product():
    s = matrix("s", 1, 4)
    p = softmax(s)
    assert_same(p.jacobian(s), softmax_jacobian(p))
    assert not is_same(p.jacobian(s), sp.diag(*p) - (p * p.T)[0] * sp.ones(4, 4))


@pytest.mark.claim("5.3")
def test_softmax_is_unchanged_by_a_constant_and_by_the_row_maximum():
    s, c = matrix("s", 1, 3), sp.Symbol("c", real=True)
    assert_same(softmax(s + c * sp.ones(1, 3)), softmax(s))
    assert_same(softmax(s - sp.Max(*s) * sp.ones(1, 3)), softmax(s))
    assert not is_same(softmax(c * s), softmax(s))


@pytest.mark.claim("1.1")
def test_permuting_the_tokens_permutes_the_outputs(heads):
    X, W_Q, W_K, W_V, _ = (names for names, _ in heads)
    P = sp.Matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    Z = self_attention(X, W_Q[:, :2], W_K[:, :2], W_V).Z
    permuted = self_attention(P * X, W_Q[:, :2], W_K[:, :2], W_V).Z
    assert_same(permuted, P * Z)
    assert not is_same(permuted, Z)


@pytest.mark.claim("2.6")
def test_an_invertible_change_of_query_and_key_features_leaves_the_scores_alone():
    X, W_Q, W_K, M = (matrix(*of) for of in [("X", 3, 4), ("P", 4, 2), ("K", 4, 2), ("M", 2, 2)])
    before = scores(project(X, W_Q), project(X, W_K))
    assert_same(scores(project(X, W_Q * M), project(X, W_K * M.inv().T)), before)
    assert not is_same(scores(project(X, W_Q * M), project(X, W_K * M)), before)


@pytest.mark.claim("7.4")
def test_outputs_do_not_depend_on_later_inputs_when_causal():
    X, W_Q, W_K, W_V = (matrix(*of) for of in [("X", 3, 2), ("Q", 2, 1), ("K", 2, 1), ("V", 2, 1)])
    causal = self_attention(X, W_Q, W_K, W_V, is_causal=True).Z
    free = self_attention(X, W_Q, W_K, W_V).Z
    assert_same(causal[0, :].jacobian(X[1:, :].reshape(1, 4)), sp.zeros(1, 4))
    assert not is_same(free[0, :].jacobian(X[1:, :].reshape(1, 4)), sp.zeros(1, 4))
    # row i of the masked result is the last row of attention over the prefix
    assert_same(causal[1, :], self_attention(X[:2, :], W_Q, W_K, W_V).Z[1, :])


@pytest.mark.claim("8.5")
def test_the_output_is_the_sum_of_the_shares_of_the_heads(heads):
    X, W_Q, W_K, W_V, W_O = (names for names, _ in heads)
    trace = multi_head_attention(X, W_Q, W_K, W_V, W_O, 2, is_causal=True)
    assert_same(trace.O, trace.Z[0] * W_O[:1, :] + trace.Z[1] * W_O[1:, :])
    assert_same(trace.C[:, 0], trace.Z[0])
    assert_same(merge_heads(split_heads(W_Q, 2)), W_Q)
    for h, (Q, K, V) in enumerate(zip(*(split_heads(W, 2) for W in (W_Q, W_K, W_V)), strict=True)):
        assert_same(trace.A[h], self_attention(X, Q, K, V, is_causal=True).A)


# --- mistakes that assert_same must catch -------------------------------------------------------


@pytest.mark.claim("5.1")
def test_softmax_along_the_queries_is_refuted():
    S = matrix("S", 3, 3)
    with pytest.raises(AssertionError, match=r"entry \(1, 1\)"):
        assert_same(softmax(S.T).T, softmax(S))


@pytest.mark.claim("4.1")
def test_a_missing_scale_is_refuted(head):
    Q, K, V = (names for names, _ in head)
    assert not is_same(attend(Q, K, V, scale=1).A, attend(Q, K, V).A)
    assert not is_same(attend(Q, K, V, scale=sp.Rational(1, D_K)).Z, attend(Q, K, V).Z)


@pytest.mark.claim("3.2")
def test_transposed_scores_are_refuted():
    Q, K = matrix("Q", 3, 2), matrix("K", 3, 2)
    assert not is_same(scores(Q, K).T, scores(Q, K))
    assert_same(scores(Q, K).T, scores(K, Q))


@pytest.mark.claim("8.4")
def test_heads_in_the_wrong_order_are_refuted(heads):
    trace = multi_head_attention(*(names for names, _ in heads), 2)
    assert not is_same(merge_heads(trace.Z[::-1]), trace.C)


@pytest.mark.claim("8.3")
def test_the_scale_of_d_model_in_a_head_is_refuted(heads):
    options = [names for names, _ in heads]
    right = multi_head_attention(*options, 2).A[0]
    assert not is_same(multi_head_attention(*options, 2, scale=1 / sp.sqrt(5)).A[0], right)


def test_a_mask_after_softmax_is_refuted():
    S, M = matrix("S", 2, 2), sp.Matrix([[1, 0], [1, 1]])
    masked_late = softmax(S).multiply_elementwise(M)
    assert not is_same(masked_late, softmax(S + mask_matrix(2, 2, is_causal=True)))
