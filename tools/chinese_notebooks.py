"""Write the chapters with Chinese text into a folder, for JupyterLab.

    python tools/chinese_notebooks.py FOLDER

A notebook that is there already stays: it may hold a learner's answers.
"""

from __future__ import annotations

import sys
from pathlib import Path

from book.languages.catalogues import translations
from book.languages.downloads import parser, translated_text
from translations import CATALOGUES, ROOT


def write(folder: Path) -> None:
    """Write each notebook that is missing in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    markdown = parser()
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        target = folder / path.name
        if target.exists():
            print(f"kept {target.name}; remove it to get a new one")
            continue
        known = translations(CATALOGUES / "chapters" / f"{path.stem}.po")
        text = translated_text(path.read_text(encoding="utf-8"), known, markdown)
        target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
