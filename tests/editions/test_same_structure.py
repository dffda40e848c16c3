"""The two editions have the same of everything but the words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString
from manuscript import pages

LANGUAGES = {"en": "en", "zh": "zh-CN"}
HAN = re.compile(r"[\u3400-\u9fff，。：；（）《》]")
# words in a formula are language too
WORDS_IN_TEX = re.compile(r"\\text\{[^}]*\}")
# what is the same in every language: code, results, formulas, titles of works, parameters
NO_PROSE = (
    "pre, code, .cell_output, .math, .katex, [lang], em, .bibtex-citation, div.citation, .sig, "
    ".headerlink, .field-list dt strong"
)
# names that code gives and its output prints, dotted names of code, and pairs of terms in both
# languages
NAMES = re.compile(r"off by one|\w+(\.\w+)+|\w+ · \w+")


@cache
def parsed(site: Path, folder: str, page: str) -> BeautifulSoup:
    html = (site / folder / f"{page}.html").read_text(encoding="utf-8")
    return BeautifulSoup(html, "html.parser")


@cache
def article(site: Path, folder: str, page: str):
    return parsed(site, folder, page).select_one("article.bd-article")


@pytest.fixture(params=pages())
def both(request, site):
    return [article(site, folder, request.param) for folder in LANGUAGES]


def texts(soup, selector: str) -> list[str]:
    return [found.get_text() for found in soup.select(selector)]


def test_the_same_anchors(both):
    english, chinese = ([tag["id"] for tag in soup.select("[id]")] for soup in both)
    assert english == chinese
    assert len(english) > 1


def test_the_same_code_and_outputs(both):
    for selector in ("div.cell_input", "div.cell_output pre", "pre"):
        english, chinese = (texts(soup, selector) for soup in both)
        assert english == chinese


def test_the_same_figures_and_explorers(both):
    english, chinese = ([Path(image["src"]).name for image in soup.select("img")] for soup in both)
    assert english == chinese
    english, chinese = ([str(found) for found in soup.select("attn-explorer")] for soup in both)
    assert english == chinese


def test_the_same_displayed_formulas_with_the_same_numbers_and_labels(both):
    english, chinese = (
        [
            (box.get("id"), box.select_one(".eqno") and box.select_one(".eqno").get_text()[:4])
            for box in soup.select("div.math")
        ]
        for soup in both
    )
    assert english == chinese


def test_the_same_formulas(both):
    english, chinese = (
        Counter(WORDS_IN_TEX.sub("", tex) for tex in texts(soup, "annotation")) for soup in both
    )
    assert english == chinese


def test_the_same_exercises_boxes_tables_and_lists(both):
    for selector in ("div.exercise", "details.solution", "div.admonition"):
        english, chinese = (len(soup.select(selector)) for soup in both)
        assert (selector, english) == (selector, chinese)
    names = ("li", "tr", "td", "th", "h1", "h2", "h3", "h4", "p", "figcaption", "dt")
    english, chinese = (Counter(tag.name for tag in soup.find_all(names)) for soup in both)
    assert english == chinese


def test_the_same_links(both):
    english, chinese = (Counter(link["href"] for link in soup.select("a[href]")) for soup in both)
    assert english == chinese


def test_the_same_code_in_sentences(both):
    english, chinese = (Counter(texts(soup, "code")) for soup in both)
    assert english == chinese


def english_left(soup, without: str = NO_PROSE) -> list[str]:
    """Pieces of prose, and words for ears, in which nothing is Chinese."""
    left_out = {id(part) for tag in soup.select(without) for part in [tag, *tag.descendants]}

    def counts(part) -> bool:
        return id(part) not in left_out

    words = [
        tag[name]
        for name in ("alt", "title", "aria-label", "placeholder")
        for tag in soup.select(f"[{name}]:not(.bibtex):not(.reference)")
        if counts(tag) or name == "alt"
    ]
    prose = [
        " ".join(text.split())
        for text in soup.find_all(string=lambda text: type(text) is NavigableString)
        if counts(text)
    ]
    return [
        text
        for text in [*words, *prose]
        if not HAN.search(text)
        and not NAMES.fullmatch(text)
        and re.search(r"[A-Za-z]{3,}\W+[A-Za-z]{2,}", text)
    ]


def test_every_chinese_heading_is_chinese(both):
    """Also one of a single word, in which no phrase would be seen."""
    _, chinese = both
    headings = chinese.select("h1, h2, h3, h4, .admonition-title, summary")
    assert headings
    assert not [one.get_text() for one in headings if not HAN.search(one.get_text())]


@pytest.mark.parametrize("page", pages())
def test_no_english_is_left_in_the_chinese_text(site, page):
    # the entries of the bibliography are in the language of the works
    assert not english_left(article(site, "zh", page))


def test_english_that_is_left_is_seen(site):
    assert english_left(article(site, "en", "chapters/03_scores"))


@pytest.mark.parametrize("page", [*pages(), "search"])
def test_the_frame_around_the_text_speaks_chinese_too(site, page):
    """Navigation, buttons, what a screen reader says."""
    soup = parsed(site, "zh", page)
    assert not english_left(soup.body, f"article, script, style, noscript, kbd, {NO_PROSE}")
    assert HAN.search(soup.title.get_text())
