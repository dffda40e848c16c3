"""The two editions have the same of everything but the words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import lxml.etree
import lxml.html
import pytest
from html_pages import tree
from manuscript import pages

LANGUAGES = {"en": "en", "zh": "zh-CN"}
HAN = re.compile(r"[\u3400-\u9fff，。：；（）《》]")
# words in a formula are language too
WORDS_IN_TEX = re.compile(r"\\text\{[^}]*\}")
# what is the same in every language: code, results, formulas, titles of works, parameters
NO_PROSE = (
    "script, style, noscript, pre, code, .cell_output, .math, .katex, [lang], em, "
    ".bibtex-citation, div.citation, .sig, .headerlink, .field-list dt strong"
)
# names that code gives and its output prints, dotted names of code, and pairs of terms in both
# languages
NAMES = re.compile(r"off by one|\w+(\.\w+)+|\w+ · \w+")


def article(site: Path, folder: str, page: str):
    [found] = tree(site / folder / f"{page}.html").cssselect("article.bd-article")
    return found


@pytest.fixture(scope="module", params=pages())
def both(request, site):
    return [article(site, folder, request.param) for folder in LANGUAGES]


def texts(soup, selector: str) -> list[str]:
    return [found.text_content() for found in soup.cssselect(selector)]


def test_the_same_anchors(both):
    english, chinese = (soup.xpath(".//@id") for soup in both)
    assert english == chinese
    assert len(english) > 1


def test_the_same_code_and_outputs(both):
    for selector in ("div.cell_input", "div.cell_output pre", "pre"):
        english, chinese = (texts(soup, selector) for soup in both)
        assert english == chinese


def test_the_same_figures_and_explorers(both):
    english, chinese = ([Path(src).name for src in soup.xpath(".//img/@src")] for soup in both)
    assert english == chinese
    english, chinese = (
        [lxml.html.tostring(one) for one in soup.cssselect("attn-explorer")] for soup in both
    )
    assert english == chinese


def test_the_same_displayed_formulas_with_the_same_numbers_and_labels(both):
    english, chinese = (
        [
            (box.get("id"), [number[:4] for number in texts(box, ".eqno")])
            for box in soup.cssselect("div.math")
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
        english, chinese = (len(soup.cssselect(selector)) for soup in both)
        assert (selector, english) == (selector, chinese)
    names = ("li", "tr", "td", "th", "h1", "h2", "h3", "h4", "p", "figcaption", "dt")
    english, chinese = (Counter(tag.tag for tag in soup.iter(*names)) for soup in both)
    assert english == chinese


def test_the_same_links(both):
    english, chinese = (Counter(soup.xpath(".//a/@href")) for soup in both)
    assert english == chinese
    english, chinese = (Counter(soup.xpath(".//@data-set")) for soup in both)
    assert english == chinese


def test_the_same_code_in_sentences(both):
    english, chinese = (Counter(texts(soup, "code")) for soup in both)
    assert english == chinese


def english_left(soup, without: str = NO_PROSE) -> list[str]:
    """Pieces of prose, and words for ears, in which nothing is Chinese."""
    left_out = {part for tag in soup.cssselect(without) for part in tag.iter()}
    words = [
        tag.get(name)
        for name in ("alt", "title", "aria-label", "placeholder")
        for tag in soup.cssselect(f"[{name}]:not(.bibtex):not(.reference)")
        if tag not in left_out or name == "alt"
    ]
    prose = [
        " ".join(text.split())
        for tag in soup.iter(lxml.etree.Element)
        for part, text in ((tag, tag.text), (tag.getparent(), tag.tail))
        if text and part not in left_out
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
    headings = texts(chinese, "h1, h2, h3, h4, .admonition-title, summary")
    assert headings
    assert not [text for text in headings if not HAN.search(text)]


@pytest.mark.parametrize("page", pages())
def test_no_english_is_left_in_the_chinese_text(site, page):
    # the entries of the bibliography are in the language of the works
    assert not english_left(article(site, "zh", page))


def test_english_that_is_left_is_seen(site):
    assert english_left(article(site, "en", "chapters/03_scores"))


@pytest.mark.parametrize("page", [*pages(), "search"])
def test_the_frame_around_the_text_speaks_chinese_too(site, page):
    """Navigation, buttons, what a screen reader says."""
    soup = tree(site / "zh" / f"{page}.html")
    assert not english_left(soup.body, f"article, kbd, {NO_PROSE}")
    assert HAN.search(soup.findtext(".//title"))
