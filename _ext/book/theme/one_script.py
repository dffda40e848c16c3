"""One script for what every page can do: copy, print, scroll, unfold, change the language."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from book import scripts

NAME = "page.js"
PARTS = sorted(Path(__file__).with_name("page").glob("*.js"))


def write(app: Sphinx) -> None:
    scripts.write(app, NAME, PARTS)


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", write)
    app.add_js_file(NAME)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
