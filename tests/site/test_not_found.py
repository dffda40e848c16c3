"""The page for an address that leads nowhere, at any depth, with and without scripts."""

from __future__ import annotations

import re

import pytest
from browser import opened, served
from not_found_page import not_found_page

SITE = "https://example.org/book"
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with served(folder) as origin:
        yield folder, origin


@pytest.fixture
def shown(browser, server):
    """What the page says in the place of an address, as a web server shows it."""
    folder, origin = server

    def show(path: str, text: str, **options):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        with opened(browser, f"{origin}/{path}", **options) as (page, record):
            assert not record.complaints
            # it needs nothing but itself
            assert record.requests == [f"{origin}/{path}"]
            links = page.locator("a:visible").evaluate_all("all => all.map((a) => a.href)")
            headings = page.locator("h1:visible").all_inner_texts()
            lang = page.evaluate("document.documentElement.lang")
            return headings, lang, [link.removeprefix(origin) for link in links]

    return show


@pytest.fixture
def page_of_site(site):
    return (site / "404.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "locale", "language"),
    [
        ("book/en/chapters/x.html", "zh-CN", "en"),
        ("book/zh/chapters/deep/x.html", "en-US", "zh-CN"),
        ("book/x.html", "zh-TW", "zh-CN"),
        ("book/y.html", "fr-FR", "en"),
    ],
)
def test_it_speaks_the_language_that_was_asked_for_or_the_readers(
    shown, page_of_site, path, locale, language
):
    headings, lang, links = shown(path, page_of_site, locale=locale)
    assert lang == language
    [heading] = headings
    assert bool(CHINESE.search(heading)) == (language == "zh-CN")
    assert len(links) == 3


@pytest.mark.parametrize("path", ["book/en/z.html", "book/en/chapters/deep/z.html"])
def test_its_links_lead_to_the_editions_from_any_depth(shown, path):
    _, _, links = shown(path, not_found_page(""))
    assert links == [
        f"/book/{page}" for page in ("en/index.html", "en/search.html", "zh/index.html")
    ]


def test_its_links_are_those_of_the_published_site_where_that_is_known(shown):
    _, _, links = shown("book/zh/p.html", not_found_page(SITE))
    assert links == [
        f"{SITE}/{page}" for page in ("zh/index.html", "zh/search.html", "en/index.html")
    ]


def test_without_scripts_it_speaks_both(shown):
    headings, _, links = shown("book/q.html", not_found_page(SITE), java_script_enabled=False)
    assert [bool(CHINESE.search(heading)) for heading in headings] == [False, True]
    assert len(links) == 6
    assert all(link.startswith(SITE) for link in links)


def test_its_links_lead_to_pages_of_the_site(site, page_of_site):
    names = re.findall(r'data-to="([^"]+)"', page_of_site)
    assert len(names) == 6
    assert all((site / name).is_file() for name in names)
