"""Bring the explorers to the pages that have one: a few small classic scripts and a style sheet.

A notebook brings an explorer among its outputs; on a page that is not run, the directive
``explorer`` makes it while the site is built, in its first state.

The scripts are written to ``_static/explorers`` of the output, not kept under ``_static``, where
Jupyter Book would load them on every page. A page gets the custom element, the part that all
explorers share, and its own explorers; each ES module travels as a string, because a page opened
as a file may not import module files.
"""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from attnlib import explorers
from attnlib.explorers.framework import bundle
from book.builders import makes_site
from book.explorers.minified import minified

FOLDER = "explorers"
ELEMENT = re.compile(r"<attn-explorer\b[^>]*?\bname=\"([^\"]*)\"")
logger = logging.getLogger(__name__)


class ExplorerDirective(SphinxDirective):
    """An explorer by its name, with the very HTML that its class writes into a notebook."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            explorer = explorers.by_name(self.arguments[0])()
        except ValueError as fault:
            raise self.error(str(fault)) from None
        self.env.note_dependency(inspect.getfile(type(explorer)))
        node = nodes.raw("", explorer.to_html(), format="html")
        explorer.close()
        self.set_source_info(node)
        return [node]


def as_script(name: str, source: str) -> str:
    """A classic script that keeps the source of a module for ``element.js``."""
    text = json.dumps(source, ensure_ascii=False)
    return f"(globalThis.attnExplorerSources ??= {{}})[{json.dumps(name)}] = {text};\n"


@cache
def assets() -> dict[str, str]:
    """What a site needs, by file name."""
    sources = {"shared": bundle.shared()}
    for cls in map(explorers.by_name, explorers.names()):
        sources[cls.name] = bundle.own(cls.name, cls.settings())
    element, *parts = minified({"element.js": bundle.page_script(), **sources}).values()
    scripts = {
        f"{name}.js": as_script(name, part) for name, part in zip(sources, parts, strict=True)
    }
    return {"explorers.css": bundle.css(), "element.js": element, **scripts}


def write_assets(app: Sphinx) -> None:
    if not makes_site(app.builder):
        return
    folder = Path(app.outdir) / "_static" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in assets().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def add_assets(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    used = sorted(set(ELEMENT.findall(context.get("body") or "")))
    known = [name for name in used if name in explorers.names()]
    for name in sorted(set(used) - set(known)):
        logger.warning("no explorer is called %r", name, location=page, type="explorers")
    if not known:
        return
    app.add_css_file(f"{FOLDER}/explorers.css")
    # long pages take their time to be read; an explorer near the top need not wait for the end
    for name in ["shared", *known, "element"]:
        app.add_js_file(f"{FOLDER}/{name}.js", loading_method="async")


def setup(app: Sphinx) -> dict:
    app.add_directive("explorer", ExplorerDirective)
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", add_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
