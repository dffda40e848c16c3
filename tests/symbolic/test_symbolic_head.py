"""The formula in symbols is attnlib's formula, and what the chapters prove with it holds."""

import subprocess
import sys

import numpy as np
import pytest
import sympy as sp

import attnlib
from attnlib import symbolic
from attnlib.multihead import MultiHeadAttention
from attnlib.symbolic import (
    aggregate,
    assert_same,
    attend,
    is_same,
    mask_matrix,
    matrix,
    merge_heads,
    multi_head_attention,
    project,
    scaled_scores,
    scores,
    self_attention,
    softmax,
    softmax_jacobian,
    split_heads,
    substitute,
)

N_Q, N_K, D_K, D_V = 2, 4, 3, 5
VISIBLE = np.array([[True, False, True, True], [False, False, True, False]])


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def with_values(rng, *matrices):
    return [(names, rng.standard_normal(names.shape)) for names in matrices]


def arrays(pairs):
    return [values for _, values in pairs]


@pytest.fixture
def head(rng):
    """Symbols for Q, K and V with values, all sizes different."""
    return with_values(rng, matrix("Q", N_Q, D_K), matrix("K", N_K, D_K), matrix("V", N_K, D_V))


@pytest.fixture
def heads(rng):
    """Symbols for X and the weights of two heads with values: n, d_model, d_k, d_v all differ."""
    n, d_model, n_heads, d_k, d_v = 3, 5, 2, 4, 1
    return with_values(
        rng,
        matrix("X", n, d_model),
        matrix("W_Q", d_model, n_heads * d_k),
        matrix("W_K", d_model, n_heads * d_k),
        matrix("W_V", d_model, n_heads * d_v),
        matrix("W_O", n_heads * d_v, d_model),
    )


# --- twins of attnlib ---------------------------------------------------------------------------


def test_importing_attnlib_does_not_import_sympy():
    code = "import sys, attnlib; assert 'sympy' not in sys.modules, 'sympy was imported'"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("Q", "Q_{23}"),
        ("W_Q", "W_{Q,23}"),
        ("W_{Q}", "W_{Q,23}"),
        ("W_Q^{(1)}", "W_{Q,23}^{(1)}"),
        (r"\alpha", r"\alpha_{23}"),
    ],
)
def test_entries_print_as_the_field_writes_them(name, entry):
    M = matrix(name, 2, 3)
    assert M.shape == (2, 3)
    assert sp.latex(M[1, 2]) == entry
    assert M[1, 2].is_real
    assert len(M.free_symbols) == 6


def test_indices_past_nine_are_separated():
    M = matrix("Q", 2, 11)
    assert sp.latex(M[0, 10]) == "Q_{1,11}"
    assert len(M.free_symbols) == 22


@pytest.mark.claim("3.1", "3.2", "4.1", "6.1", "6.3")
def test_steps_of_a_head_equal_attnlib(head):
    (Q, K, V), values = [names for names, _ in head], arrays(head)
    expected = attnlib.attend(*values)
    trace = attend(Q, K, V)
    for name in ("S", "S_scaled", "A", "Z"):
        result = substitute(getattr(trace, name), *head)
        np.testing.assert_allclose(result, getattr(expected, name), rtol=1e-13, err_msg=name)
    assert trace.scale == 1 / sp.sqrt(D_K)
    assert trace.mask is None
    assert_same(trace.S, scores(Q, K))
    assert_same(trace.S_scaled, scaled_scores(Q, K))
    assert_same(trace.Z, aggregate(trace.A, V))


@pytest.mark.parametrize(
    ("attn_mask", "is_causal", "scale"),
    [
        (None, True, None),
        (VISIBLE, False, None),
        (VISIBLE, True, sp.Rational(2, 3)),
        (VISIBLE[:1], False, None),
        (None, False, 1),
    ],
)
def test_masks_and_scales_equal_attnlib(head, attn_mask, is_causal, scale):
    trace = attend(*(names for names, _ in head), attn_mask, is_causal, scale)
    number = None if scale is None else float(scale)
    expected = attnlib.attend(*arrays(head), attn_mask, is_causal, number)
    for name in ("A", "Z"):
        result = substitute(getattr(trace, name), *head)
        np.testing.assert_allclose(result, getattr(expected, name), rtol=1e-13, err_msg=name)


def test_an_added_matrix_equals_attnlib(rng, head):
    bias = matrix("B", N_Q, N_K)
    added = with_values(rng, bias)
    M = bias.copy()
    M[0, 3] = -sp.oo
    values = added[0][1].copy()
    values[0, 3] = -np.inf
    trace = attend(*(names for names, _ in head), M, is_causal=True)
    expected = attnlib.attend(*arrays(head), values, is_causal=True)
    np.testing.assert_allclose(substitute(trace.Z, *head, *added), expected.Z, rtol=1e-13)
    one_row = attend(*(names for names, _ in head), M[:1, :])
    expected = attnlib.attend(*arrays(head), values[:1])
    np.testing.assert_allclose(substitute(one_row.Z, *head, *added), expected.Z, rtol=1e-13)


@pytest.mark.claim("2.1", "2.2", "6.3")
@pytest.mark.parametrize("is_causal", [False, True])
def test_self_attention_equals_attnlib(heads, is_causal):
    weights = [names for names, _ in heads[:4]]
    trace = self_attention(*weights, is_causal=is_causal)
    expected = attnlib.self_attention(*arrays(heads[:4]), is_causal=is_causal)
    for name in ("Q", "K", "V", "A", "Z"):
        result = substitute(getattr(trace, name), *heads[:4])
        np.testing.assert_allclose(result, getattr(expected, name), rtol=1e-12, err_msg=name)


@pytest.mark.claim("8.2", "8.3", "8.5")
@pytest.mark.parametrize("is_causal", [False, True])
def test_multi_head_attention_equals_attnlib(heads, is_causal):
    X, *weights = arrays(heads)
    expected = MultiHeadAttention(*weights, n_heads=2).trace(X, is_causal=is_causal)
    trace = multi_head_attention(*(names for names, _ in heads), 2, is_causal=is_causal)
    for name in ("C", "O", "X"):
        result = substitute(getattr(trace, name), *heads)
        np.testing.assert_allclose(result, getattr(expected, name), rtol=1e-12, err_msg=name)
    for name in ("Q", "K", "V", "S", "S_scaled", "A", "Z"):
        for h in range(2):
            result = substitute(getattr(trace, name)[h], *heads)
            np.testing.assert_allclose(result, getattr(expected, name)[h], rtol=1e-12)
    assert trace.scale == sp.Rational(1, 2)  # 1/√d_k = 1/√4


# --- masks --------------------------------------------------------------------------------------


@pytest.mark.claim("7.3")
def test_what_a_mask_forbids_weighs_exactly_nothing_and_rows_still_sum_to_one(head):
    Q, K, V = (names for names, _ in head)
    A = attend(Q, K, V, VISIBLE).A
    for i, j in np.ndindex(N_Q, N_K):
        assert (A[i, j] == 0) == (not VISIBLE[i, j])
    assert_same(A * sp.ones(N_K, 1), sp.ones(N_Q, 1))


def test_forbidden_entries_are_exact_for_symbols_of_any_kind():
    s, t, u = sp.symbols("s t u")  # SymPy does not know whether they are finite
    Q, K, V = sp.Matrix([[s]]), sp.Matrix([[t], [u]]), sp.eye(2)
    A = attend(Q, K, V, [[True, False]]).A
    assert list(A) == [1, 0]


@pytest.mark.claim("7.2")
def test_the_mask_matrix_is_zero_and_minus_infinity():
    assert mask_matrix(2, 4, is_causal=True) == sp.Matrix([[0, 0, 0, -sp.oo], [0, 0, 0, 0]])
    assert mask_matrix(3, 3, is_causal=True)[0, :] == sp.Matrix([[0, -sp.oo, -sp.oo]])
    assert mask_matrix(2, 3) == sp.zeros(2, 3)
    assert mask_matrix(2, 2, [[True, False]]) == sp.Matrix([[0, -sp.oo], [0, -sp.oo]])


@pytest.mark.claim("7.2")
def test_adding_the_mask_matrix_is_the_formula_to_the_letter():
    S = matrix("S", 3, 3)
    M = mask_matrix(3, 3, is_causal=True)
    assert_same(softmax(S + M), attend(S, sp.eye(3), sp.eye(3), is_causal=True, scale=1).A)


def test_a_row_with_nothing_to_attend_to_is_zero(head):
    Q, K, V = (names for names, _ in head)
    visible = VISIBLE.copy()
    visible[1] = False
    trace = attend(Q, K, V, visible)
    assert trace.A[1, :] == sp.zeros(1, N_K)
    assert trace.Z[1, :] == sp.zeros(1, D_V)
    assert_same(sum(trace.A[0, :]), 1)


def test_no_keys_give_zeros():
    trace = attend(matrix("Q", 2, 3), matrix("K", 0, 3), matrix("V", 0, 5))
    assert trace.A.shape == (2, 0)
    assert trace.Z.shape == (2, 5)
    assert trace.Z.is_zero_matrix


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


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: matrix("Q_1_2", 2, 2), ValueError, "write it like Q, W_Q"),
        (lambda: matrix("", 2, 2), ValueError, "name is ''"),
        (lambda: matrix("Q", -1, 2), ValueError, "n_rows must be at least 0"),
        (lambda: matrix("Q", 1, 2.0), TypeError, "n_columns must be an integer"),
        (
            lambda: scores(matrix("Q", 2, 3), matrix("K", 4, 2)),
            ValueError,
            r"Q has shape \(2, 3\) and K transposed has shape \(2, 4\)",
        ),
        (
            lambda: project(matrix("X", 2, 3), matrix("W", 2, 3)),
            ValueError,
            r"X has shape \(2, 3\) and W has shape \(2, 3\)",
        ),
        (lambda: softmax_jacobian(matrix("p", 2, 2)), ValueError, r"a distribution is one row"),
        (lambda: mask_matrix(2, 2, [[0.0, 0.0]]), TypeError, "attn_mask has dtype float64"),
        (lambda: mask_matrix(2, 2, [[[True, True]]]), TypeError, r"shape \(1, 1, 2\)"),
        (lambda: mask_matrix(2, 3, sp.zeros(2, 2)), ValueError, "attn_mask and K disagree"),
        (lambda: mask_matrix(2, 3, [[True, False]]), ValueError, "attn_mask and K disagree"),
        (lambda: split_heads(matrix("x", 2, 5), 2), ValueError, "n_heads = 2 does not divide"),
        (
            lambda: substitute(matrix("Q", 1, 2), (matrix("Q", 1, 2), [1, 2])),
            ValueError,
            r"symbols of shape \(1, 2\), values of shape \(2,\)",
        ),
        (
            lambda: substitute(matrix("Q", 1, 3), (matrix("Q", 1, 2), [[1, 2]])),
            ValueError,
            r"no value for Q_\{13\}",
        ),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_every_public_name_has_a_docstring_that_names_its_claim():
    formula = set(symbolic.__all__) - {"substitute", "assert_same", "is_same", "UndecidedError"}
    for name in formula:
        assert "Claim" in getattr(symbolic, name).__doc__, name
