"""Write the index of the search, and the page of its results with its two scripts.

Sphinx's own search knows pages, not sections, and shows a page's text with every formula three
times over; so its index is not made. This one holds the text itself: a result needs no other file,
which a page opened as a file could not read.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.locale import _

from book.builders import makes_site
from book.search.places import CHAPTER, LIBRARY, PAGE, Collector, kind_of

HERE = Path(__file__).resolve().parent
SCRIPTS = ("ranking.js", "results.js")
INDEX = "searchindex.js"
CALL = "Search.use("
ORDER = (CHAPTER, PAGE, LIBRARY)


def words() -> dict:
    """What students say: other words for what the book says, and words that say nothing."""
    return tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))


def known(path: Path) -> dict[str, dict]:
    """The pages of an index that is there: a later build writes only the pages that changed."""
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8").removeprefix(CALL).removesuffix(");\n")
    return {page["name"]: page for page in json.loads(text)["pages"]}


class Index:
    """What the pages of one build say."""

    pages: dict[str, dict]

    def begin(self, app: Sphinx) -> None:
        if isinstance(app.builder, StandaloneHTMLBuilder) and makes_site(app.builder):
            app.builder.search = False
            self.pages = known(Path(app.outdir) / INDEX)

    def collect(self, app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
        if doctree is None or not makes_site(app.builder):
            return
        found = Collector(page, doctree).found()
        self.pages[page] = {
            "name": page,
            "address": app.builder.get_target_uri(page),
            "title": found[0]["title"] if found else "",
            "kind": kind_of(page),
            "places": found,
        }

    def write(self, app: Sphinx, exception: Exception | None) -> None:
        if exception is not None or not makes_site(app.builder):
            return
        there = [self.pages[name] for name in sorted(self.pages) if name in app.env.found_docs]
        there.sort(key=lambda page: ORDER.index(page["kind"]))
        text = json.dumps({"pages": there, **words()}, ensure_ascii=False, separators=(",", ":"))
        out = Path(app.outdir)
        (out / INDEX).write_text(f"{CALL}{text});\n", encoding="utf-8", newline="\n")
        folder = out / "_static" / "search"
        folder.mkdir(exist_ok=True)
        for name in SCRIPTS:
            shutil.copyfile(HERE / name, folder / name)


def results_page(app: Sphinx) -> Iterator[tuple[str, dict, str]]:
    if makes_site(app.builder):
        yield "search", {"title": _("Search"), "search_scripts": SCRIPTS}, "search.html"


def setup(app: Sphinx) -> dict:
    index = Index()
    app.connect("builder-inited", index.begin)
    app.connect("html-page-context", index.collect)
    app.connect("html-collect-pages", results_page)
    app.connect("build-finished", index.write)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
