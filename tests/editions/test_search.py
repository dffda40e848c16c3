"""The search of both editions: what students ask leads to the place that answers it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from accessibility import axe
from manuscript import ROOT
from searches import answers, ask, places, searched

EDITIONS = ("en", "zh")
FIRST = tomllib.loads(Path(__file__).with_name("searches.toml").read_text(encoding="utf-8"))
SHOWN = """[...document.querySelectorAll("#search-results ol.search > li")]
  .map((entry) => entry.innerText)"""


@pytest.fixture(scope="module", params=EDITIONS)
def results(request, browser, origin):
    """An edition, and its page of results, on which one query after the other is asked."""
    with searched(browser, f"{origin}/{request.param}", "softmax") as (page, record):
        assert answers(page)
        yield request.param, page
        assert not record.complaints


def test_every_query_leads_to_its_place_first(results):
    edition, page = results
    missed = {}
    for query, wanted in FIRST[edition].items():
        ask(page, query)
        first, *_ = [place.removeprefix("chapters/") for place in places(page)] or [""]
        allowed = wanted.split(" | ")
        if not {first, first.partition("#")[0]} & {*allowed}:
            missed[query] = f"{first}, not {wanted}"
    assert not missed


def test_chapters_come_before_the_library(results):
    _, page = results
    for query in ("softmax", "causal mask", "attention weights", "scores"):
        kinds = [answer == "chapters/api" for answer in ask(page, query)]
        assert len(kinds) > 5
        assert kinds == sorted(kinds), query


def test_results_show_each_formula_once_and_no_remains_of_markup(results):
    _, page = results
    for query in ("d_k", "sqrt", "softmax", "W_V", "S", "头", "score"):
        assert ask(page, query), query
        for text in page.evaluate(SHOWN):
            assert not re.search(r"\\[a-z]+|dkd|d_kd|ijij|\.pdf|¶|\$|\bXXX\b", text), text


def test_every_place_is_there(results, site):
    """An address leads to a page that has the anchor."""
    edition, page = results
    found = set()
    for query in ("attention", "causal", "gradient", "softmax", "attend", "score"):
        ask(page, query)
        found |= {*places(page)}
    assert len(found) > 30
    for place in found:
        path, _, anchor = place.partition("#")
        html = (site / edition / f"{path}.html").read_text(encoding="utf-8")
        assert not anchor or f'id="{anchor}"' in html, place


def test_results_pass_axe_in_both_themes(browser, origin):
    with searched(browser, f"{origin}/zh", "softmax") as (page, _):
        assert answers(page)
        for view in axe(page, [(1280, "light"), (360, "dark")]):
            assert view["samples"] > 5
            assert not view["faults"], view["view"]


def test_what_is_in_no_place_is_said(results):
    edition, page = results
    assert ask(page, "鳄鱼") == []
    status = page.locator("#search-results [role=status]")
    said = {status.inner_text()}
    # one word is in the book, the other is not
    assert ask(page, "softmax xylophone")
    said.add(status.inner_text())
    ask(page, "softmax")
    said.add(status.inner_text())
    assert len(said) == 3
    assert all(bool(re.search(r"[\u4e00-\u9fff]", text)) == (edition == "zh") for text in said)


def test_a_result_opens_the_section_with_its_words_marked(browser, origin):
    with searched(browser, f"{origin}/en", "why divide by sqrt dk") as (page, record):
        page.locator("ol.search a[href*='#why-the-root']").click()
        page.wait_for_url(re.compile("04_scaling.html#why-the-root"))
        page.locator("h2 .highlighted").first.wait_for()
        # the button that takes the marks away has its glyph
        button = page.locator("#searchbox a")
        mask = button.evaluate("a => getComputedStyle(a, '::before').maskImage")
        assert mask.startswith("url(")
        button.click()
        assert page.locator(".highlighted").count() == 0
        assert not record.complaints


@pytest.mark.parametrize("width", [1280, 360])
def test_what_is_typed_stands_beside_the_magnifier(browser, origin, width):
    with searched(browser, f"{origin}/en", "softmax") as (page, _):
        page.set_viewport_size({"width": width, "height": 800})
        icon, field = (
            page.locator(f".bd-search-container {name}").bounding_box() for name in ("i", "input")
        )
        padding = page.locator(".bd-search-container input").evaluate(
            "field => parseFloat(getComputedStyle(field).paddingLeft)"
        )
        assert icon["x"] + icon["width"] <= field["x"] + padding


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_works_from_files(browser, site, edition):
    with searched(browser, f"{site.as_uri()}/{edition}", "KV cache") as (page, record):
        assert places(page)[0] == "chapters/07_causal_mask#one-product-for-all-prefixes"
        assert "KV" in page.locator("#search-results .context").first.inner_text()
        assert not record.complaints


def test_a_group_of_words_says_more_than_one():
    words = tomllib.loads(
        (ROOT / "_ext" / "book" / "search" / "words.toml").read_text(encoding="utf-8")
    )
    assert all(len(group) > 1 for group in words["same"])
    plain = [word for word in words["idle"] if word in {w for g in words["same"] for w in g}]
    assert not plain
