"""Write the page at the root of the site, which leads to an edition of the book.

python tools/root_page.py SITE EDITION [EDITION ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

from landing import write

if __name__ == "__main__":
    site, first, *_ = sys.argv[1:]
    write(
        Path(site),
        title="Understanding Self-Attention",
        target=f"{first}/index.html",
        icon=f"{first}/_static/favicon.svg",
    )
