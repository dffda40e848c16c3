"""Write the page that a bare address opens: it leads to the first page of the book."""

from __future__ import annotations

from html import escape
from pathlib import Path

from sphinx.application import Sphinx

from book.builders import makes_site

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="{icon}">
<meta http-equiv="refresh" content="0; url={target}">
<p><a href="{target}">{title}</a></p>
</html>
"""


def write(folder: Path, *, title: str, target: str, icon: str, language: str = "en") -> None:
    """Write ``index.html`` in `folder`, leading to `target`."""
    page = PAGE.format(
        title=escape(title), target=escape(target), icon=escape(icon), language=language
    )
    (folder / "index.html").write_text(page, encoding="utf-8")


def lead_to_root(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and makes_site(app.builder):
        target = app.builder.get_target_uri(app.config.root_doc)
        title = app.config.html_title or app.config.project
        write(
            Path(app.outdir),
            title=title,
            target=target,
            icon=app.config.html_favicon,
            language=app.config.language,
        )


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", lead_to_root)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
