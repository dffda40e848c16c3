"""Stop the build when a notebook stores an error or writes to stderr.

MyST-NB publishes such outputs without a word.
"""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def faults(notebook: dict) -> list[str]:
    """One line for each stored output that a published notebook must not have."""
    found = []
    for number, cell in enumerate(notebook["cells"], start=1):
        for output in cell.get("outputs", []):
            where = f"cell {number} ({cell.get('id', 'no id')})"
            if output["output_type"] == "error":
                found.append(f"{where} stores an error: {output['ename']}: {output['evalue']}")
            elif output.get("name") == "stderr":
                text = "".join(output["text"]).strip().splitlines()
                found.append(f"{where} stores stderr: {text[0] if text else ''}")
    return found


def check_page(app: Sphinx, docname: str, source: list[str]) -> None:
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".ipynb":
        return
    found = faults(json.loads(path.read_text(encoding="utf-8")))
    if found:
        raise ExtensionError(f"{docname}: " + "; ".join(found))


def setup(app: Sphinx) -> dict:
    app.connect("source-read", check_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
