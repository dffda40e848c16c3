"""Which build makes the website (no extension by itself).

An EPUB is HTML too, for Sphinx; but it has its own theme, no scripts, and no search.
"""

from __future__ import annotations

from sphinx.builders import Builder


def makes_site(builder: Builder) -> bool:
    """Whether pages of the website are built."""
    return builder.format == "html" and builder.name != "epub"


def makes_messages(builder: Builder) -> bool:
    """Whether what is built are the messages to translate."""
    return builder.name == "gettext"
