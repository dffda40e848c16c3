"""Formulas in plain text, as the search and the descriptions of pages show them."""

from __future__ import annotations

import pytest
from book.plain_text import plain, said
from docutils import nodes


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"d_k", "dₖ"),
        (r"\sqrt{d_k}", "√dₖ"),
        (r"\frac{q k^T}{\sqrt{d_k}}", "(q kᵀ)/√dₖ"),
        (r"\operatorname{softmax}\!\left(\widetilde S + M\right) V", "softmax(S̃ + M) V"),
        (r"\sum_{j \in \mathcal A_i} \alpha_{ij} v_j", "Σ_(j ∈ Aᵢ) αᵢⱼ vⱼ"),
        (r"W_Q^{(h)}", "W_Q^(h)"),
        (r"d_{\text{model}}", "d_model"),
        (r"a \\[0.6em] b", "a ; b"),
        (r"\begin{pmatrix} 1 & 2 \end{pmatrix}", "1 2"),
        (r"\{1, \dots, n\}", "{1, …, n}"),
    ],
)
def test_a_formula_is_one_line_of_text(tex, text):
    assert plain(tex) == text


@pytest.mark.parametrize("broken", ["", "{", "}", r"\frac", r"x_", r"\begin", "a}b", "\\"])
def test_any_text_ends(broken):
    assert isinstance(plain(broken), str)


def test_a_title_says_its_formula_once():
    title = nodes.title("", "", nodes.Text("Why "), nodes.math("", r"\sqrt{d_k}"), nodes.Text("?"))
    assert said(title) == "Why √dₖ?"
