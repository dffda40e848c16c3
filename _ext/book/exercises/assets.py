"""Bring the script of the forms to the pages that have one: three modules, joined to a classic one.

A page opened as a file may not import module files; and a page without a form gets nothing.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from attnlib import exercises
from attnlib.explorers.framework import bundle
from book.builders import makes_site

HERE = Path(__file__).parent
MODULES = (Path(exercises.__file__).parent / "judge.js", HERE / "numbers.js", HERE / "form.js")
SCRIPT = "exercises/answers.js"


def script() -> str:
    """The modules in one, each after what it imports, without comments and types."""
    text = "".join(path.read_text(encoding="utf-8") for path in MODULES)
    for joint in (bundle.IMPORT, bundle.EXPORT, bundle.COMMENT, bundle.TYPE):
        text = joint.sub("", text)
    return bundle.for_the_page("(() => {" + bundle.BLANK.sub("\n", text) + "})();\n")


def write_script(app: Sphinx) -> None:
    if makes_site(app.builder):
        path = Path(app.outdir) / "_static" / SCRIPT
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script(), encoding="utf-8", newline="\n")


def add_script(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    if '<form class="answer"' in (context.get("body") or ""):
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
