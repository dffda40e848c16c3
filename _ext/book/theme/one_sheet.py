"""One style sheet for all pages, made of those that the theme and the extensions ask for.

A page would wait for a dozen files. They are joined in the order in which the pages name them, with
what they import in its place and their addresses bent to the new place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from sphinx.application import Sphinx

from book.builders import makes_site

NAME = "_static/site.css"
IMPORT = re.compile(r"""@import\s+(?:url\()?["']([^"']+)["']\)?\s*;""")
ADDRESS = re.compile(r"""url\(\s*(["']?)(?!data:|#|[a-z]+:)([^"')]+)\1\s*\)""")
CHARSET = re.compile(r'@charset\s+"[^"]*"\s*;')
LISTED = re.compile(r"/\* (.*) \*/")
VERSION = re.compile(rf"({re.escape(NAME)}\?v=)\w*")


def merged(order: list[str], more: Iterable[str]) -> list[str]:
    """Both orders in one: what is new comes behind what it stood behind."""
    found, place = [*order], 0
    for name in more:
        if name in found:
            place = found.index(name) + 1
        else:
            found.insert(place, name)
            place += 1
    return found


def joined(root: Path, sheets: Iterable[str]) -> str:
    """The text of all sheets, which are named from `root`."""
    return "\n".join(moved(root, PurePosixPath(sheet)) for sheet in sheets)


def moved(root: Path, sheet: PurePosixPath) -> str:
    """The text of a sheet as it reads in the place of the joined one."""

    def address(match: re.Match) -> str:
        target = normpath(str(sheet.parent / match[2]))
        return f'url("{relpath(target, str(PurePosixPath(NAME).parent))}")'

    def imported(match: re.Match) -> str:
        return moved(root, PurePosixPath(normpath(str(sheet.parent / match[1]))))

    text = CHARSET.sub("", (root / sheet).read_text(encoding="utf-8"))
    # addresses first: what is imported brings its own, which are bent already
    return IMPORT.sub(imported, ADDRESS.sub(address, text))


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the sheet, and its version into the pages."""
    if exception is not None or not makes_site(app.builder):
        return
    root = Path(app.outdir)
    sheet = root / NAME
    # where only some pages were written anew, the others need what they needed before
    before = LISTED.match(sheet.read_text(encoding="utf-8")) if sheet.is_file() else None
    sheets = merged(
        before[1].split() if before else [], getattr(app.builder.templates, "sheets", [])
    )
    text = f"/* {' '.join(sheets)} */\n{joined(root, sheets)}"
    sheet.write_text(text, encoding="utf-8", newline="\n")
    version = hashlib.sha256(text.encode()).hexdigest()[:8]
    for page in root.rglob("*.html"):
        old = page.read_text(encoding="utf-8")
        new = VERSION.sub(rf"\g<1>{version}", old)
        if new != old:
            page.write_text(new, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict:
    # last: the theme writes the colours of code when all else is done
    app.connect("build-finished", write, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
