"""Bring the script of a lesson to the pages that ask something, or count what was done."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from book import exercises, scripts

HERE = Path(__file__).parent
NUMBERS = Path(exercises.__file__).parent / "numbers.js"
MODULES = (NUMBERS, *(HERE / f"{name}.js" for name in ("prediction", "ledger")))
SCRIPT = "lesson/lesson.js"


def write_script(app: Sphinx) -> None:
    scripts.write(app, SCRIPT, MODULES)


def add_script(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    body = context.get("body") or ""
    if 'class="prediction"' in body or 'class="ledger"' in body:
        # where it cannot be had, all answers are open
        fallback = "document.documentElement.classList.add('answers-open')"
        app.add_js_file(SCRIPT, loading_method="defer", onerror=fallback)


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
