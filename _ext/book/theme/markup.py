"""Mend markup of the theme and the writers in which assistive tools stumble.

A table's corner without text is no header cell; the role that docutils gives a reference is
deprecated, and no item of the list around it; what stands in the sidebar beside its navigation
belongs to no landmark.
"""

from __future__ import annotations

import re

from markupsafe import Markup
from sphinx.application import Sphinx

EMPTY_HEADER = re.compile(r"<th\b([^>]*)>\s*(?:<p>\s*</p>)?\s*</th>")
REFERENCE = ' role="doc-biblioentry"'
SIDEBAR = '<div class="bd-sidebar-primary bd-sidebar'
LABELS = {"en": "The book", "zh_CN": "全书"}


def mended(body: str) -> str:
    """The body of a page with data cells in empty corners and references as items of a list."""
    return EMPTY_HEADER.sub(r"<td\1></td>", body).replace(REFERENCE, ' role="listitem"')


def with_landmark(label: str):
    """A filter for the theme's page: its sidebar becomes a landmark of this name."""
    landmark = SIDEBAR.replace("<div", f'<div role="complementary" aria-label="{label}"', 1)

    def add(content: str) -> Markup:
        before, *after = str(content).split(SIDEBAR)
        if len(after) != 1:
            raise ValueError("the theme's sidebar has changed: see whether it is a landmark now")
        return Markup(before + landmark + after[0])

    return add


def mend_page(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    if context.get("body"):
        context["body"] = mended(context["body"])
    context["with_landmark"] = with_landmark(LABELS.get(app.config.language, LABELS["en"]))


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", mend_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
