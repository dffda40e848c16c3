"""A page of explorers in one file, with the scripts that the site has, opened in a browser."""

from __future__ import annotations

import json

import pytest
from browser import opened, served
from explorer_state import CLASSES

from attnlib.explorers.framework import bundle

VIEW = ".attn-view"


def plain(name="scaling", state="{}"):
    inside = "<p class='attn-plain'>plain</p>"
    return f"<attn-explorer name='{name}' state='{state}'>{inside}</attn-explorer>"


def page_of(*elements, lang="en", shared=None):
    """A page that loads the scripts as the site does, in one file."""
    sources = {"shared": bundle.shared() if shared is None else shared}
    sources |= {name: bundle.own(name, cls.settings()) for name, cls in CLASSES.items()}
    text = json.dumps(sources).replace("</", "<\\/")
    return (
        f"<!doctype html><html lang='{lang}'><meta charset='utf-8'><link rel='icon' href='data:,'>"
        f"<title>Explorers</title><style>{bundle.css()}</style><body>{''.join(elements)}"
        f"<script>globalThis.attnExplorerSources = {text};</script>"
        f"<script>{bundle.page_script()}</script></body></html>"
    )


@pytest.fixture
def page_at(tmp_path, browser):
    """Open a page, over http or as a file; `query` may end in an anchor."""

    path = tmp_path / "page.html"
    with served(tmp_path) as origin:
        addresses = {"http": f"{origin}/page.html", "file": path.as_uri()}

        def open_page(html, scheme="http", query="", **options):
            path.write_text(html, encoding="utf-8")
            return opened(browser, addresses[scheme] + query, **options)

        yield open_page


@pytest.fixture
def explorer_at(page_at):
    """Open a page with one explorer, at its start or in a state."""

    def open_at(cls, width=1000, lang="en", query="", state=None, **options):
        explorer = cls(**(state or {}))
        html = page_of(explorer.to_html(), lang=lang)
        explorer.close()
        return page_at(html, query=query, width=width, **options)

    return open_at


def value(view, name):
    """A number that is shown, wherever it stands."""
    script = "places => places.map((place) => place.dataset.value)"
    (shown,) = set(view.locator(f"[data-name='{name}']").evaluate_all(script))
    return float(shown)
