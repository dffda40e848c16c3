"""The formula in symbols is attnlib's formula."""

import subprocess
import sys

import numpy as np
import pytest
import sympy as sp
from small_heads import D_K, D_V, N_K, N_Q, with_values

import attnlib
from attnlib import symbolic
from attnlib.multihead import MultiHeadAttention
from attnlib.symbolic import (
    aggregate,
    assert_same,
    attend,
    mask_matrix,
    matrix,
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

VISIBLE = np.array([[True, False, True, True], [False, False, True, False]])


def arrays(pairs):
    return [values for _, values in pairs]


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
