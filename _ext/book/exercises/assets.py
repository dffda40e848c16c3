"""Bring the script of the forms to the pages that have one; a page without a form gets nothing."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from attnlib import exercises
from book import scripts

HERE = Path(__file__).parent
MODULES = (Path(exercises.__file__).parent / "judge.js", HERE / "numbers.js", HERE / "form.js")
SCRIPT = "exercises/answers.js"


def write_script(app: Sphinx) -> None:
    scripts.write(app, SCRIPT, MODULES)


def add_script(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    if '<form class="answer"' in (context.get("body") or ""):
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
