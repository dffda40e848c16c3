"""Name the edition that is being built, and let its pages know the other one.

`editions` lists the folders in which they lie side by side (``-D editions=en,zh``). A build of one
edition alone, which is what `jupyter-book build .` makes, has no switch.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.config import Config

from book.languages.editions import EDITIONS, of_language


def name_edition(app: Sphinx, config: Config) -> None:
    """Give the site its title and its search field in the language of the edition."""
    edition = of_language(config.language)
    config.html_title = edition.title
    config.project = edition.title
    config.html_theme_options["search_bar_text"] = edition.search
    config.html_theme_options["article_header_end"] = [
        "language-switch.html",
        "article-header-buttons.html",
    ]
    for name, words in edition.settings.items():
        config[name] = words


def link_editions(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    """Tell a page where it stands in each edition."""
    address = app.builder.get_target_uri(page)
    up = "../" * (address.count("/") + 1)
    present = [EDITIONS[folder] for folder in app.config.editions]
    links = [{"edition": one, "href": f"{up}{one.folder}/{address}"} for one in present]
    context["edition"] = of_language(app.config.language)
    context["editions"] = links
    context["other_editions"] = [link for link in links if link["edition"] != context["edition"]]


def setup(app: Sphinx) -> dict:
    app.add_config_value("editions", [], "html", [list])
    app.connect("config-inited", name_edition)
    app.connect("html-page-context", link_editions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
