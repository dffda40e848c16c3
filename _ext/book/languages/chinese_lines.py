"""No line of a Chinese page begins with a mark that belongs to the formula before it.

A browser keeps a full-width mark with the character before it, but a formula, a piece of code or
a phrase that is a button is no character: between the two it may break a line. So they are put into
one box.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from book.phrases.words import Phrase

CLOSING = re.compile(r"[，。；：、？！）」》”’]+")
OPENING = re.compile(r"[（「《“‘]+$")


class KeepMarks(SphinxTransform):
    """Join formulas, code and buttons with the full-width marks beside them."""

    # after sphinx.transforms.i18n.Locale
    default_priority = 30

    def apply(self) -> None:
        if not self.config.language.startswith("zh"):
            return
        # as a list, for the tree changes on the way
        for node in list(self.document.findall(nodes.TextElement)):
            if isinstance(node, nodes.math | nodes.literal | Phrase):
                keep_marks(node)


def keep_marks(node: nodes.Element) -> None:
    parent = node.parent
    at = parent.index(node)
    before = parent[at - 1] if at else None
    after = parent[at + 1] if at + 1 < len(parent) else None
    opening = OPENING.search(before) if isinstance(before, nodes.Text) else None
    closing = CLOSING.match(after) if isinstance(after, nodes.Text) else None
    if not opening and not closing:
        return
    box = nodes.inline(classes=["kept-together"])
    parent.replace(node, box)
    if opening and isinstance(before, nodes.Text):
        parent.replace(before, nodes.Text(before[: opening.start()]))
        box += nodes.Text(opening[0])
    box += node
    if closing and isinstance(after, nodes.Text):
        parent.replace(after, nodes.Text(after[closing.end() :]))
        box += nodes.Text(closing[0])


def setup(app: Sphinx) -> dict:
    app.add_transform(KeepMarks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
