"""KaTeX's script, style sheet and fonts: the release pinned in ``package-lock.json``."""

from __future__ import annotations

from pathlib import Path

from book.npm import of_the_site


def katex_dist() -> Path:
    """The folder with KaTeX's script, style sheet and fonts; fetched when it is missing."""
    return of_the_site() / "katex" / "dist"
