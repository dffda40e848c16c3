"""What the first page, the README and the formula index say of the book as a whole is so."""

from __future__ import annotations

import re

import numpy as np
import pytest
from book.evidence import formula_index
from book.evidence.claims import claims
from manuscript import CHAPTERS, NOTEBOOKS, ROOT, code_cells, markdown, pages, read, source

from attnlib.example import running_example
from attnlib.explorers import PipelineExplorer, ProjectionExplorer

INDEX = (CHAPTERS / "index.md").read_text(encoding="utf-8")
PAGES = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("README*.md")}


def code_in(page: str) -> set[str]:
    """What a Markdown page writes as code: words, commands, paths."""
    fenced = re.findall(r"^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    commands = {re.sub(r"\s+#.*", "", line) for block in fenced for line in block.splitlines()}
    return commands | set(re.findall(r"`([^`\n]+)`", page))


@pytest.mark.parametrize("name", ["README", "CONTRIBUTING"])
def test_a_guide_names_the_same_commands_and_files_in_both_languages(name):
    english, chinese = (
        (ROOT / f"{name}{ending}").read_text(encoding="utf-8") for ending in (".md", ".zh.md")
    )
    assert code_in(english)
    assert code_in(english) == code_in(chinese)


LISTED = re.findall(r"^\d+\. \[.+\]\((\w+)\.ipynb\):", INDEX, re.MULTILINE)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_is_in_the_contents_and_on_the_first_page(path):
    assert f"chapters/{path.stem}" in pages(), "add it to _toc.yml"
    assert path.stem in LISTED, "add it to the list in chapters/index.md"


def test_the_contents_and_the_first_page_have_the_chapters_in_order():
    chapters = [page.removeprefix("chapters/") for page in pages() if re.search(r"/\d", page)]
    assert chapters == LISTED == sorted(LISTED)


def test_most_claims_have_what_the_first_page_says():
    book = claims(CHAPTERS)
    found = formula_index.totals(book, [formula_index.Chapter(path) for path in NOTEBOOKS])
    of_all = found.pop("claims")
    assert {kind: sum(kind in claim["evidence"] for claim in book) for kind in "PNX"} == {
        kind: found[kind] for kind in "PNX"
    }
    assert found["P"] > of_all / 2, "most are derived"
    assert of_all - 2 <= found["N"] <= of_all, "nearly all are checked"
    assert found["X"] > of_all / 2, "more than half are playable"
    prose = " ".join(INDEX.split())
    assert "Most are *derived*" in prose
    assert "nearly all are *checked*" in prose
    assert "more than half are *playable*" in prose


def test_no_page_says_that_every_formula_has_everything():
    for text in (INDEX, *PAGES.values()):
        assert not re.search(r"(each|every) formula is|每个公式都", text, re.IGNORECASE)


def test_the_sentence_comes_back_in_the_chapters_that_the_first_page_names():
    without = [
        path.stem[:2]
        for path in NOTEBOOKS
        if not any("running_example()" in source(cell) for cell in code_cells(read(path)))
    ]
    assert without == ["04"], "these chapters do not use running_example()"
    assert "all of them but chapter 4" in " ".join(INDEX.split())


def test_two_explorers_keep_two_features_of_the_four_and_of_the_three():
    _, _, X, W_Q, W_K, W_V = running_example()
    rows, columns = [0, 3], [0, 2]
    wanted = [X[:, rows], W_Q[np.ix_(rows, columns)], W_K[np.ix_(rows, columns)], W_V[rows]]
    assert X.shape[1] == 4
    assert W_Q.shape[1] == 3
    for explorer in (PipelineExplorer(), ProjectionExplorer()):
        given = [explorer.X, explorer.W_Q, explorer.W_K, explorer.W_V]
        for matrix, want in zip(given, wanted, strict=True):
            np.testing.assert_array_equal(matrix, want)
        explorer.close()


def test_a_chapter_takes_as_long_as_the_first_page_says():
    minutes = [
        int(re.search(r"Time: about (\d+) minutes", markdown(read(path)))[1]) for path in NOTEBOOKS
    ]
    low, high = map(int, re.search(r"takes (\d+) to (\d+)\s+minutes", INDEX).groups())
    assert (low, high) == (min(minutes), max(minutes))
