"""Put the figures of notebooks into the page, as SVG.

MyST-NB writes each kind of a picture into a file. Of a figure that is stored as SVG, too, the page
gets the shapes themselves, and the catalogues its words. Whatever else is built than pages of a
site shows the PNG.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.figures.markup import StrangeColourError, on_a_page, words

SVG = "image/svg+xml"
# those that have pages, and the one that collects messages
BUILDERS = ("html", "dirhtml", "singlehtml", "gettext")


class svg_figure(nodes.General, nodes.Element, addnodes.translatable):  # noqa: N801
    """A figure of a page: its SVG, its name, what it shows, and its words as text."""

    def preserve_original_messages(self) -> None:
        self["messages"] = {message: message for message in (self["alt"], *words(self["svg"]))}
        self.name_words()

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        self["messages"][original_message] = translated_message
        self.name_words()

    def extract_original_messages(self) -> list[str]:
        return [*self["messages"]]

    def name_words(self) -> None:
        """Keep the words as text, where the search finds them."""
        _alt, *texts = self["messages"].values()
        self.children = []
        self.extend(nodes.Text(f"{text} ") for text in texts)

    def html(self) -> str:
        messages = self["messages"]
        say = lambda text: messages.get(text, text)  # noqa: E731
        return on_a_page(self["svg"], self["name"], say(self["alt"]), say)


class TakeIn(SphinxTransform):
    """Put the shapes of a figure where MyST-NB has put the address of a file."""

    # before sphinx.transforms.i18n.PreserveTranslatableMessages
    default_priority = 5

    def apply(self) -> None:
        for figure in self.document.findall(nodes.figure):
            for image in [*figure.findall(nodes.image)]:
                if image.parent.get("mime_type") == SVG:
                    path = Path(self.app.srcdir, image["uri"].removeprefix("/"))
                    inside = svg_figure(
                        svg=path.read_text(encoding="utf-8"),
                        name=figure["names"][0],
                        alt=image.get("alt", ""),
                    )
                    inside.source, inside.line = figure.source, figure.line
                    image.replace_self(inside)


class LeaveOut(SphinxPostTransform):
    """Where there is no page, the PNG beside a figure is shown."""

    # before myst_nb.sphinx_.SelectMimeType
    default_priority = 3

    def run(self, **kwargs) -> None:
        if self.app.builder.name not in BUILDERS:
            for inside in [*self.document.findall(svg_figure)]:
                inside.parent.parent.remove(inside.parent)


def visit(translator, node: svg_figure) -> None:
    try:
        translator.body.append(node.html())
    except StrangeColourError as fault:
        page = translator.builder.current_docname
        raise ExtensionError(f"{page}: figure {node['name']!r}: {fault}") from None
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    app.add_node(svg_figure, html=(visit, None))
    app.add_transform(TakeIn)
    app.add_post_transform(LeaveOut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
