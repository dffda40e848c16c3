"""KaTeX's script, style sheet and fonts: the release pinned in ``package-lock.json``."""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.errors import ExtensionError

from book import ROOT
from book.npm import CACHE_VARIABLE, NotFetchedError, packages


def katex_dist() -> Path:
    """The folder with KaTeX's script, style sheet and fonts; fetched when it is missing."""
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    version = lock["packages"]["node_modules/katex"]["version"]
    try:
        return packages(f"katex-{version}", "--omit=dev") / "katex" / "dist"
    except NotFetchedError as reason:
        raise ExtensionError(
            f"KaTeX {version} could not be fetched from the npm registry ({reason}). The first "
            "build needs the network once; connect and build again, or point "
            f"{CACHE_VARIABLE} at a folder filled on another machine."
        ) from None
