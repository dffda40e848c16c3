"""The search of the site, asked in the page of its results."""

from __future__ import annotations

from contextlib import contextmanager
from urllib.parse import quote, urlsplit

from browser import opened

# the order of the results depends on the address
ASK = """query => {
  history.replaceState(null, "", `?q=${encodeURIComponent(query)}`);
  document.querySelector("#search-results").replaceChildren();
  Search.performSearch(query);
}"""
# said when all of them are there
ANSWERED = "document.querySelector('#search-results h2 ~ p')?.textContent"
FOUND = """[...document.querySelectorAll("#search-results ul.search li > a")]
  .map((link) => link.getAttribute("href"))"""


def answers(page) -> list[str]:
    """The pages that the search has found, in their order."""
    page.wait_for_function(ANSWERED)
    return [urlsplit(href).path.removesuffix(".html") for href in page.evaluate(FOUND)]


def ask(page, query: str) -> list[str]:
    """Search once more on a page of results, without loading it."""
    page.evaluate(ASK, query)
    return answers(page)


@contextmanager
def searched(browser, edition: str, query: str):
    """The page of the results for a query, as its address asks it, and what the page did."""
    with opened(browser, f"{edition}/search.html?q={quote(query)}") as (page, record):
        yield page, record
