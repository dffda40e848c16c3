"""The search of the site, asked in the page of its results."""

from __future__ import annotations

from contextlib import contextmanager
from urllib.parse import quote, urlsplit

from browser import opened

# as if the page had been opened at this address
ASK = """query => {
  history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
  dispatchEvent(new Event("search-ready"));
}"""
FOUND = """[...document.querySelectorAll("#search-results ol.search > li > a")]
  .map((link) => link.getAttribute("href"))"""


def places(page) -> list[str]:
    """The places that the search has found, in their order: a page, or a page and an anchor."""
    page.wait_for_selector("#search-results [role=status]")
    return [href.replace(".html", "") for href in page.evaluate(FOUND)]


def answers(page) -> list[str]:
    """The pages of the places that the search has found."""
    return [urlsplit(place).path for place in places(page)]


def ask(page, query: str) -> list[str]:
    """Search once more on a page of results, without loading it."""
    page.evaluate(ASK, query)
    return answers(page)


@contextmanager
def searched(browser, edition: str, query: str):
    """The page of the results for a query, as its address asks it, and what the page did."""
    with opened(browser, f"{edition}/search.html?q={quote(query)}") as (page, record):
        yield page, record
