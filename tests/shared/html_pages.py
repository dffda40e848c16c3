"""The pages of the site as trees."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import lxml.html
from bs4 import BeautifulSoup


# what looks at both editions of a page, one test after the other, parses neither twice
@lru_cache(maxsize=4)
def tree(path: Path):
    """A whole page."""
    return lxml.html.document_fromstring(path.read_text(encoding="utf-8").encode())


def head(path: Path) -> BeautifulSoup:
    """The head of a page."""
    html, end, _ = path.read_text(encoding="utf-8").partition("</head>")
    return BeautifulSoup(html + end, "html.parser")
