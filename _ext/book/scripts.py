"""Joins small scripts, each with one job, into the one file that a page loads (no extension).

A page that is opened as a file may not import module files, so modules are joined to a classic
script, each after what it imports, without comments and types.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sphinx.application import Sphinx

from attnlib.explorers.framework import bundle
from book.builders import makes_site


def joined(paths: Iterable[Path]) -> str:
    """The text of one script; what it declares, no other script of the page can see."""
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    for joint in (bundle.IMPORT, bundle.EXPORT, bundle.COMMENT, bundle.TYPE):
        text = joint.sub("", text)
    return bundle.for_the_page("(() => {" + bundle.BLANK.sub("\n", text) + "})();\n")


def write(app: Sphinx, name: str, paths: Iterable[Path]) -> None:
    """Write a joined script into the static files of a site."""
    if makes_site(app.builder):
        path = Path(app.outdir) / "_static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(joined(paths), encoding="utf-8", newline="\n")
