"""Symbols and terms wear the colours of their roles, where they mean them, and can be read."""

from __future__ import annotations

import re

import pytest
from book.colours.sheet import RULES
from book.colours.variables import variables
from book.colours.words import role_of
from book.mathematics.katex import rendered
from book.mathematics.symbols import ROLES, coloured, other_meanings
from manuscript import ROOT

COLOURED = re.compile(r'<span class="mord mathnormal attn-(\w+)"(?: style="[^"]*")?>(.)</span>')
FORMULAS = {
    r"Z = A V": "Z output, A weights, V value",
    r"S = Q K^T": "S signed, Q query, K key",
    r"\widetilde S = S / \sqrt{d_k}": "S signed, S signed",
    r"q_i k_j^T = \sum_{r=1}^{d_k} Q_{ir} K_{jr}": "q query, k key, Q query, K key",
    r"z_i = \sum_{j \in \mathcal A_i} \alpha_{ij}\, v_j": "z output, α weights, v value",
    r"\displaystyle \frac{\partial z_i}{\partial x_j}": "z output",
    r"\operatorname{softmax}(S)": "S signed",
    r"O = C\, W_O": "O output",
    r"Q^{(h)} = X W_Q^{(h)}": "Q query",
    r"\sigma_q^2 \sigma_k^2": "",
    r"\sum_{k=1}^{K} x_k": "",
    r"\mathcal A": "",
    r"\operatorname{Var}(X)": "",
}


@pytest.mark.parametrize("displayed", [False, True])
@pytest.mark.parametrize("tex", FORMULAS)
def test_a_symbol_on_the_line_has_the_colour_of_its_role(tex, displayed):
    plain = rendered(tex, displayed, "htmlAndMathml")["html"]
    html = coloured(plain, tex, "a/page")
    found = [f"{letter} {role}" for role, letter in COLOURED.findall(html)]
    assert ", ".join(found) == FORMULAS[tex]
    # nothing else is different: MathML and the TeX in it are what they were
    assert re.sub(r" attn-\w+", "", html) == plain
    assert html.partition('class="katex-html"')[0] == plain.partition('class="katex-html"')[0]


def test_where_a_letter_means_something_else_the_formula_has_no_colour(site):
    for page, formulas in other_meanings().items():
        for edition in ("en", "zh"):
            text = (site / edition / f"{page}.html").read_text(encoding="utf-8")
            for tex in formulas:
                start = text.find(f'<annotation encoding="application/x-tex">{tex}</annotation>')
                assert start > 0, f"{page} has no formula {tex}"
                html = text[start:].partition('class="katex-mathml"')[0]
                assert "mathnormal" in html
                assert not COLOURED.search(html.partition("</p>")[0].partition("</td>")[0])


def test_each_role_has_its_own_colour_in_formulas_and_in_words():
    rules = re.findall(
        r"\.katex \.attn-(\w+),\s*strong\.attn-(\w+) \{\s*color: var\(--attn-(\w+)\);",
        RULES.read_text(encoding="utf-8"),
    )
    assert {*rules} == {(role, role, role) for role in ROLES}


def contrast(one: str, other: str) -> float:
    """As WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    channels = [byte / 255 for byte in bytes.fromhex(digits)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_symbols_can_be_read_on_every_ground_of_the_pages(site):
    styles = "".join(p.read_text(encoding="utf-8") for p in site.glob("en/_static/styles/*.css"))
    grounds = set(re.findall(r"--pst-color-(?:background|surface):\s*(#[0-9a-fA-F]{3,6})", styles))
    themes = {ground: "light" if luminance(ground) > 0.5 else "dark" for ground in grounds}
    assert {*themes.values()} == {"light", "dark"}
    for ground, theme in themes.items():
        for role in ROLES:
            colour = variables()[f"--attn-{role}"][theme]
            assert contrast(colour, ground) >= 4.5, (role, ground)


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("query", "query"),
        ("keys", "key"),
        ("attention weights", "weights"),
        ("Value", "value"),
        ("值", "value"),
        ("注意力分数", "signed"),
        ("ablation", None),
        ("values of a loss", None),
        ("", None),
    ],
)
def test_a_term_has_a_role_if_it_is_the_whole_of_what_is_bold(word, role):
    assert role_of(word) == role


def test_words_on_the_pages_are_coloured_in_both_languages(site):
    for edition, word in (("en", "query"), ("zh", "Query")):
        page = (site / edition / "chapters/02_query_key_value.html").read_text(encoding="utf-8")
        assert f'<strong class="attn-query">{word}</strong>' in page
    assert not re.search(
        r'<strong class="attn-', (site / "en/chapters/api.html").read_text(encoding="utf-8")
    )


def test_the_variables_come_from_the_palette_of_the_library():
    assert {f"--attn-{role}" for role in ROLES} <= variables().keys()
    assert (ROOT / "attnlib/palette.json").is_file()
