"""The notebooks and pages of the book, as the tests read them."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
NOTEBOOKS = sorted(CHAPTERS.glob("*.ipynb"))

assert NOTEBOOKS, f"no notebook in {CHAPTERS}"


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell: dict) -> str:
    return "".join(cell["source"])


def code_cells(notebook: dict) -> list[dict]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def markdown(notebook: dict) -> str:
    """All prose of a notebook, cell after cell."""
    texts = [source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join(texts)


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def is_solution(cell: dict) -> bool:
    return "hide-cell" in tags(cell)


def names_bound(tree: ast.AST) -> set[str]:
    """The names that the statements of a cell give a value, those inside functions left out."""
    found = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.DictComp | ast.GeneratorExp):
            found |= names_bound(node)
    return found


def pages() -> list[str]:
    """The pages of the table of contents, in its order, without extension."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    parts = [toc, *toc.get("parts", [])]
    return [toc["root"], *(entry["file"] for part in parts for entry in part.get("chapters", []))]
