"""The title, the description and the card of a page.

What needs the address of the published site (the card's picture, the canonical link) is there only
where the environment variable ``BOOK_URL`` gives it.
"""

from __future__ import annotations

import os
from html import escape

from sphinx.application import Sphinx
from sphinx.config import Config

from book.builders import makes_site
from book.languages.editions import of_language
from book.plain_text import said
from book.sharing import card
from book.sharing.description import description


def published_at() -> str:
    """The address of the published site, without a slash at its end; empty where none is given."""
    return os.environ.get("BOOK_URL", "").strip().rstrip("/")


def name_address(app: Sphinx, config: Config) -> None:
    """Tell Sphinx where this edition is published: it writes the canonical link itself."""
    if published_at():
        edition = of_language(config.language)
        folder = f"{edition.folder}/" if config.editions else ""
        config.html_baseurl = f"{published_at()}/{folder}"


def describe(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    """Give a page its title, once, and what is said of it elsewhere."""
    # the index and the search have nothing to pass on
    if not doctree or not makes_site(app.builder):
        return
    site = app.config.html_title
    # not the heading on the page, which has the chapter's number
    title = said(app.env.titles[page]) if page in app.env.titles else site
    context["page_title"] = site if title == site else f"{title} — {site}"
    about = description(doctree, app.config.language)
    edition = of_language(app.config.language)
    properties = {
        "og:title": title,
        "og:description": about,
        "og:type": "website" if page == app.config.root_doc else "article",
        "og:site_name": site,
        "og:locale": edition.locale,
    }
    base = app.config.html_baseurl
    if published_at():
        properties |= {
            "og:url": base + app.builder.get_target_uri(page),
            "og:image": f"{base}{card.PATH}",
            "og:image:width": str(card.WIDTH),
            "og:image:height": str(card.HEIGHT),
            "og:image:alt": edition.card,
        }
    tags = [f'<meta name="description" content="{escape(about)}">']
    tags += [
        f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()
    ]
    if published_at():
        tags.append('<meta name="twitter:card" content="summary_large_image">')
    context["metatags"] += "".join(f"\n    {tag}" for tag in tags)


def draw_card(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and makes_site(app.builder) and published_at():
        card.draw(app.outdir)


def setup(app: Sphinx) -> dict:
    # after languages.switch
    app.connect("config-inited", name_address, priority=600)
    app.connect("html-page-context", describe)
    app.connect("build-finished", draw_card)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
