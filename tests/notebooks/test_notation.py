"""Every letter in a formula of a chapter has one meaning, and the page on notation tells it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from manuscript import CHAPTERS, NOTEBOOKS, markdown, read

DISPLAYED = re.compile(r"```\{math\}\n(?::\w+:[^\n]*\n)*(.*?)```", re.DOTALL)
INLINE = re.compile(r"\$([^$]+)\$")
CODE = re.compile(r"`[^`\n]+`")
WORDS = re.compile(r"\\(?:text|mathrm|operatorname\*?|begin|end)\s*\{[^{}]*\}")
SYMBOL = re.compile(
    r"\\(?:mathcal|mathbb|widetilde)\s*\{?\s*[A-Z]\}?"
    r"|\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho"
    r"|sigma|tau|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega"
    r"|partial|exp)(?![A-Za-z])"
)
COMMAND = re.compile(r"\\[A-Za-z]+")


def letters(text: str) -> set[str]:
    """The letters of all formulas in a text, without what is written above and below them."""
    found = set()
    prose = CODE.sub("", DISPLAYED.sub("", text))
    for formula in DISPLAYED.findall(text) + INLINE.findall(prose):
        tex = WORDS.sub(" ", formula)
        found |= {re.sub(r"[\s{}]", "", symbol) for symbol in SYMBOL.findall(tex)}
        found |= set(re.findall("[A-Za-z]", COMMAND.sub(" ", SYMBOL.sub(" ", tex))))
    return found


PAGE = (CHAPTERS / "notation.md").read_text(encoding="utf-8")
COMMON, SINGLE = re.split(r"^## Letters of single chapters$", PAGE, flags=re.MULTILINE)
ROWS = re.findall(r"^\| (\$.+?) \| ([\d, ]+) \| .+ \|$", SINGLE, re.MULTILINE)
# what a row of the table is about, without its indices
OWN = [
    (re.sub(r"_\w", "", symbol), int(chapter))
    for symbols, chapters in ROWS
    for symbol in re.findall(r"\$([^$]+)\$", symbols)
    for chapter in chapters.split(",")
]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_letter_of_a_chapter_is_on_the_page(path):
    number = int(path.stem.partition("_")[0])
    known = letters(COMMON) | {letter for letter, chapter in OWN if chapter == number}
    missing = sorted(letters(markdown(read(path))) - known)
    assert not missing, "add them to chapters/notation.md"


def test_a_letter_has_one_meaning_in_a_chapter():
    assert ROWS
    twice = {own: count for own, count in Counter(OWN).items() if count > 1}
    assert not twice


def test_the_page_knows_what_was_missing():
    assert {"Y", r"\delta", "T", "W"} <= letters(COMMON)
    assert r"\operatorname{head}_h" in COMMON
    assert "W^{(h)}" in COMMON
