"""Mend what the theme and the writers put on a page, in one pass over it with a parser.

- The icon font's script and fonts weigh more than all the rest of a page, for a dozen icons that
  ``_static/icons.css`` draws: they go.
- In some markup assistive tools stumble: what stands in the sidebar beside its navigation belongs
  to no landmark; the role that docutils gives a reference is deprecated, and no item of the list
  around it; a table's corner without text is no header cell.
- Words that no catalogue reaches are put into the language of the edition.
- In place of all style sheets a page asks for one (``one_sheet.py``).

A page is edited where it is mended and stays what it was everywhere else. What every page had and
one has no more stops the build: the theme has changed, and its mend can go.
"""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from itertools import accumulate
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.errors import ExtensionError
from sphinx.jinja2glue import BuiltinTemplateLoader

from book.builders import makes_site
from book.languages.editions import Edition
from book.theme import one_sheet

ICON_FONT = "vendor/fontawesome"
SIDEBAR = "bd-sidebar-primary"
WORDS = ("aria-label", "title", "placeholder")


class Mender(HTMLParser):
    """Find what is to be mended, as pieces of the page with what is put in their place."""

    def __init__(self, page: str, edition: Edition):
        super().__init__(convert_charrefs=False)
        self.page = page
        self.edition = edition
        self.lines = [0, *accumulate(len(line) + 1 for line in page.split("\n"))]
        self.edits: list[tuple[int, int, str]] = []
        self.icon_fonts = 0
        self.sheets: list[str] = []
        self.sidebars = 0
        self.header: tuple[int, int] | None = None
        self.dropping = False
        self.feed(page)
        self.close()

    def mended(self) -> str:
        """The page with all its edits."""
        parts, done = [], 0
        for start, end, text in sorted(self.edits):
            parts += [self.page[done:start], text]
            done = end
        return "".join([*parts, self.page[done:]])

    def position(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def drop(self, length: int) -> None:
        """Take a tag off the page, with the white space behind it."""
        start = self.position()
        rest = self.page[start + length :]
        self.edits.append((start, start + length + len(rest) - len(rest.lstrip()), ""))

    def join(self, tag: str, address: str) -> None:
        """Note a style sheet; the joined one stands in the place of the first."""
        path = address.partition("?")[0]
        name = path.lstrip("./")
        to_root = path.removesuffix(name)
        self.sheets.append(name)
        if len(self.sheets) > 1:
            self.drop(len(tag))
        else:
            start = self.position()
            link = f'<link rel="stylesheet" href="{to_root}{one_sheet.NAME}?v=" />'
            self.edits.append((start, start + len(tag), link))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        text = mended = self.get_starttag_text() or ""
        if tag in ("link", "script") and ICON_FONT in text:
            self.icon_fonts += 1
            self.dropping = tag == "script"
            self.drop(len(text))
            return
        if tag == "link" and ("rel", "stylesheet") in attributes:
            self.join(text, dict(attributes)["href"] or "")
            return
        for name, value in attributes:
            if name in WORDS and value in self.edition.fixed_words:
                words = self.edition.fixed_words[value]
                mended = mended.replace(f'{name}="{value}"', f'{name}="{words}"')
            elif name == "role" and value == "doc-biblioentry":
                mended = mended.replace(value, "listitem")
            elif name == "class" and SIDEBAR in (value or "").split():
                self.sidebars += 1
                landmark = f'<{tag} role="complementary" aria-label="{self.edition.sidebar}"'
                mended = mended.replace(f"<{tag}", landmark, 1)
        if mended != text:
            start = self.position()
            self.edits.append((start, start + len(text), mended))
        if tag == "th":
            start = self.position()
            self.header = start, start + len(text)
        elif tag != "p":
            self.header = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self.dropping:
            self.dropping = False
            self.drop(len("</script>"))
        elif tag == "th" and self.header:
            start, end = self.header
            empty = self.page[start:end].replace("<th", "<td", 1) + "</td>"
            self.edits.append((start, self.position() + len("</th>"), empty))
            self.header = None

    def handle_data(self, data: str) -> None:
        if not data.isspace():
            self.header = None

    def handle_entityref(self, name: str) -> None:
        self.header = None

    handle_charref = handle_entityref


class MendedPages(BuiltinTemplateLoader):
    """Sphinx's templates, whose pages are mended before they are written."""

    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[str] = []
        self.of_site = True

    def init(self, builder: Builder, *arguments, **options) -> None:
        super().init(builder, *arguments, **options)
        self.of_site = makes_site(builder)

    def render(self, template: str, context: dict) -> str:
        page = super().render(template, context)
        # the theme renders parts of a page by themselves, too
        if not (self.of_site and page.lstrip().startswith("<!DOCTYPE html>")):
            return page
        mender = Mender(page, context["edition"])
        if not mender.icon_fonts:
            raise ExtensionError(f"{context['pagename']}: the theme loads no icon font any more")
        if mender.sidebars != 1:
            raise ExtensionError(f"{context['pagename']}: {mender.sidebars} sidebars, not one")
        self.sheets = one_sheet.merged(self.sheets, mender.sheets)
        return mender.mended()


def use_mended_pages(app: Sphinx, config) -> None:
    config.template_bridge = f"{__name__}.{MendedPages.__name__}"


def remove_icon_font(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and makes_site(app.builder):
        shutil.rmtree(Path(app.outdir) / "_static" / ICON_FONT, ignore_errors=True)


def setup(app: Sphinx) -> dict:
    # Jupyter Book always passes this option, also to a book without sphinx-comments.
    app.add_config_value("comments_config", {}, "")
    app.connect("config-inited", use_mended_pages)
    app.connect("build-finished", remove_icon_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
