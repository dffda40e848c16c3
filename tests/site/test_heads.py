"""What the head of a page says of it to others: title, description, card, address."""

from __future__ import annotations

import re
import struct

import pytest
from bs4 import BeautifulSoup
from builds import make_bare_book, strict_build, write_settings
from html_pages import head
from manuscript import pages
from visits import EDITIONS

PAGE = """# By $\\sqrt{d_k}$

A paragraph on *scores*, with the formula $\\frac{a}{b}$ in it: "quoted", and long enough to be cut
somewhere, because no line of a search engine holds so many words as this one sentence has.
"""


def said(soup: BeautifulSoup) -> dict[str, str]:
    """The content of the head's descriptions, by name."""
    found = {}
    for tag in soup.find_all("meta", content=True):
        name = tag.get("property") or tag.get("name")
        if name:
            assert name == "viewport" or name not in found, f"{name} twice"
            found[name] = tag["content"]
    return found


@pytest.mark.parametrize("folder", EDITIONS)
def test_every_page_says_what_it_is_about(site, folder):
    titles, abouts = [], []
    for name in pages():
        soup = head(site / folder / f"{name}.html")
        tags = said(soup)
        [title] = soup.find_all("title")
        words = title.text.split(" — ")
        assert len({*words}) == len(words) <= 2, title.text
        assert words[0] == tags["og:title"]
        about = tags["description"]
        assert tags["og:description"] == about
        assert len(about) <= (80 if folder == "zh" else 160) + 1
        assert len(about) > 20
        assert bool(re.search(r"[\u4e00-\u9fff]{4}", about)) == (folder == "zh")
        assert not re.search(r"\\[a-z]|\$|\{eq\}|\[0\.", about), about
        assert tags["og:type"] == ("website" if name == pages()[0] else "article")
        assert tags["og:locale"].startswith(folder)
        titles.append(title.text)
        abouts.append(about)
    assert len({*titles}) == len(titles)
    assert len({*abouts}) == len(abouts)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book of one page with its settings."""
    folder = tmp_path_factory.mktemp("heads") / "book"
    make_bare_book(folder, {"page.md": PAGE})
    write_settings(folder)
    return folder


def built(book, tmp_path, katex_cache, **environment):
    done = strict_build(book, tmp_path, ATTNLIB_KATEX_CACHE=str(katex_cache), **environment)
    assert (done.code, done.said) == (0, "")
    return tmp_path / "html", head(tmp_path / "html" / "page.html")


def test_without_an_address_nothing_is_absolute(book, tmp_path, katex_cache):
    out, soup = built(book, tmp_path, katex_cache, BOOK_URL="")
    tags = said(soup)
    assert soup.title.text == "By √dₖ — Understanding Self-Attention"
    assert tags["description"].startswith(
        "A paragraph on scores, with the formula a/b in it: “quoted”"
    )
    assert tags["description"].endswith("…")
    assert not {"og:url", "og:image", "twitter:card"} & {*tags}
    assert not soup.select("link[rel=canonical]")
    assert not (out / "_static" / "card.png").exists()


def test_with_an_address_there_are_links_and_a_picture(book, tmp_path, katex_cache):
    address = "https://example.org/a/book"
    out, soup = built(book, tmp_path, katex_cache, BOOK_URL=f"{address}/")
    tags = said(soup)
    [canonical] = soup.select("link[rel=canonical]")
    assert canonical["href"] == tags["og:url"] == f"{address}/page.html"
    assert tags["og:image"].startswith(f"{address}/")
    picture = (out / tags["og:image"].removeprefix(f"{address}/")).read_bytes()
    assert len(picture) <= 60_000
    assert picture.startswith(b"\x89PNG")
    size = struct.unpack(">II", picture[16:24])
    assert size == (int(tags["og:image:width"]), int(tags["og:image:height"]))
    assert tags["og:image:alt"]
