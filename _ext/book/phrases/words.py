"""Phrases of the text that set an explorer: ``[row 4 of $A$](set:aggregation?i=4)``.

On the site such a link is an element with its words, of which a script makes a button when the
explorer lives; everywhere else the words stand alone. The build says where a phrase, in either
language, could not do what it says.
"""

from __future__ import annotations

from collections import Counter
from html import unescape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from book.builders import makes_site
from book.explorers.assets import ELEMENT
from book.phrases.targets import SCHEME, fault_of
from book.plain_text import said

logger = logging.getLogger(__name__)


class Phrase(nodes.Inline, nodes.TextElement):
    """Words that set an explorer."""


class FindPhrases(SphinxTransform):
    """Put phrases in the place of links, and look whether each can do what it says."""

    # after sphinx.transforms.i18n.Locale: a message has links of its own
    default_priority = 25

    def apply(self) -> None:
        links = [
            link
            for link in self.document.findall(nodes.reference)
            if link.get("refuri", "").startswith(SCHEME)
        ]
        there = self.explorers() if links else {}
        for link in links:
            # MyST writes it as HTML would
            target = unescape(link["refuri"]).removeprefix(SCHEME)
            phrase = Phrase("", "", *link.children, target=target)
            phrase.source, phrase.line = link.source, link.line
            link.parent.replace(link, phrase)
            if fault := fault_of(target, there):
                words = phrase.astext()
                logger.warning(
                    "%r cannot set an explorer: %s", words, fault, location=phrase, type="phrases"
                )

    def explorers(self) -> Counter[str]:
        """How many explorers of each name the page has."""
        return Counter(
            name
            for raw in self.document.findall(nodes.raw)
            for name in ELEMENT.findall(raw.astext())
        )


class PlainWords(SphinxPostTransform):
    """Leave the words alone where no script can make anything of them."""

    default_priority = 300

    def run(self, **kwargs) -> None:
        if makes_site(self.app.builder):
            return
        for phrase in [*self.document.findall(Phrase)]:
            phrase.parent.replace(phrase, phrase.children)


def visit_phrase(self, node: Phrase) -> None:
    data = {"data-set": node["target"]}
    if node.next_node(nodes.math):
        data["data-words"] = said(node)
    self.body.append(self.starttag(node, "span", "", CLASS="attn-set", **data))


def depart_phrase(self, node: Phrase) -> None:
    self.body.append("</span>")


def setup(app: Sphinx) -> dict:
    app.add_node(Phrase, html=(visit_phrase, depart_phrase))
    app.add_transform(FindPhrases)
    app.add_post_transform(PlainWords)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
