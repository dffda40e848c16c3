"""Words that a notebook's metadata hold, as a part of the page that catalogues translate.

They open what is closed, so they stay on pages alone.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import publish_msgstr


def parsed(transform: SphinxTransform, words: str, line: int) -> list[nodes.Node]:
    """Words as Sphinx parses a translation of them, mathematics included."""
    document = transform.document
    source, settings = document["source"], document.settings
    whole = publish_msgstr(transform.app, words, source, line, transform.config, settings)
    return whole.children
