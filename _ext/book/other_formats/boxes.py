"""The book's own nodes, for the writers of LaTeX, text and EPUB, which know only those of docutils.

A box becomes an admonition, whose title every writer knows; any other node of the book gives way to
what is in it. An explorer is its plain table in an EPUB, in the language of the edition. LaTeX and
text cannot show its HTML: there a sentence says what the website has.
"""

from __future__ import annotations

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.builders import makes_messages, makes_site
from book.languages.editions import Edition, of_language

EXPLORER = "attn-explorer"


def is_explorer(node: nodes.Node) -> bool:
    """Raw HTML with an explorer, or an output that has it among its forms."""
    if isinstance(node, nodes.container) and node.get("nb_element") == "mime_bundle":
        return any(is_explorer(raw) for raw in node.findall(nodes.raw))
    return isinstance(node, nodes.raw) and f"<{EXPLORER}" in node.astext()


def plain_table(html: str, language: str) -> str:
    """The table inside an explorer, as XHTML, without what it says in another language."""
    soup = BeautifulSoup(html, "html.parser")
    for element in soup.find_all(lang=True):
        if not language.startswith(str(element["lang"]).partition("-")[0]):
            element.decompose()
    for element in soup.find_all(EXPLORER):
        element.unwrap()
    return str(soup)


class PlainNodes(SphinxPostTransform):
    """Leave nothing that a writer does not know."""

    # before MyST-NB chooses among the forms of an output
    default_priority = 3

    def run(self, **kwargs) -> None:
        if makes_site(self.app.builder) or makes_messages(self.app.builder):
            return
        edition = of_language(self.config.language)
        for node in [*self.document.findall(is_explorer)]:
            # the output around it may have been replaced
            if node.parent is not None:
                node.parent.replace(node, self.explorer(node, edition))
        own = [node for node in self.document.findall(nodes.Element) if is_own(node)]
        # the innermost first: what is outside takes over what became of it
        for node in reversed(own):
            replace(node)

    def explorer(self, node: nodes.Node, edition: Edition) -> nodes.Node:
        if self.app.builder.name == "epub":
            [raw, *_] = [*node.findall(lambda n: isinstance(n, nodes.raw) and is_explorer(n))]
            html = plain_table(raw.astext(), edition.language)
            return nodes.raw("", html, format="html")
        return nodes.paragraph("", edition.explorer_elsewhere)


def is_own(node: nodes.Node) -> bool:
    """Whether the book itself has made this kind of node."""
    return type(node).__module__.startswith("book.")


def replace(node: nodes.Element) -> None:
    """Put nodes of docutils in the place of one of the book."""
    kept = {"ids": node["ids"], "names": node["names"]}
    if isinstance(node, nodes.title):
        new: nodes.Node | list[nodes.Node] = nodes.title("", "", *node.children, **kept)
    elif isinstance(node, nodes.Admonition):
        new = nodes.admonition("", *node.children, **kept)
    elif isinstance(node, nodes.TextElement):
        new = nodes.inline("", "", *node.children, **kept)
    else:
        new = node.children
    node.replace_self(new)


def setup(app) -> dict:
    app.add_post_transform(PlainNodes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
