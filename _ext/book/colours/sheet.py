"""Bring the colours of the roles to every page: a style sheet made from the library's own data.

On paper they are those of a light page, whatever the theme.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from book.builders import makes_site
from book.colours.variables import variables

FILE = "colours.css"
RULES = Path(__file__).with_name("rules.css")


def values(theme: str) -> str:
    return "".join(f"  {name}: {shades[theme]};\n" for name, shades in variables().items())


def sheet() -> str:
    """The variables, and the rules that use them."""
    light, dark = values("light"), values("dark")
    return (
        f":root {{\n{light}}}\n"
        f'html[data-theme="dark"] {{\n{dark}}}\n'
        # before the style of the explorers, too
        f"@media print {{\n:root[data-theme][data-theme] {{\n{light}}}\n}}\n"
        f"{RULES.read_text(encoding='utf-8')}"
    )


def write_sheet(app: Sphinx) -> None:
    if not makes_site(app.builder):
        return
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(sheet(), encoding="utf-8", newline="\n")
    app.add_css_file(FILE)


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", write_sheet)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
