"""What the site makes of the code cells of a notebook: open ones, lines with cells behind them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from book.lesson.proof_lines import IN_SIGHT, TOOLS
from manuscript import code_cells, is_solution, source, tags

from attnlib.measured import FORMAT

KINDS = {*TOOLS, *IN_SIGHT}


def is_figure(cell: dict) -> bool:
    return "figure" in cell["metadata"].get("mystnb", {})


def is_explorer(cell: dict) -> bool:
    return any(tag.startswith("X-") for tag in tags(cell))


def is_exercise(cell: dict) -> bool:
    return is_solution(cell) or bool(re.search(r"^check\(", source(cell), re.MULTILINE))


def shown(cell: dict) -> dict:
    return cell["metadata"].get("shown", {})


def on_the_page(cell: dict) -> bool:
    return "remove-cell" not in tags(cell)


def open_cells(notebook: dict) -> list[dict]:
    """The cells whose code the site shows, those of the exercises aside."""
    return [
        cell
        for cell in code_cells(notebook)
        if on_the_page(cell)
        and not (shown(cell) or is_figure(cell) or is_explorer(cell) or is_exercise(cell))
    ]


@dataclass
class Line:
    """A line of the site, and the cells behind it."""

    says: str
    cells: list[dict]

    @property
    def kind(self) -> str:
        return self.says.partition(" ")[0].strip(":,")

    @property
    def code(self) -> list[str]:
        return [line for cell in self.cells for line in source(cell).splitlines()]

    @property
    def printed(self) -> str:
        return "".join(printed(out) for cell in self.cells for out in cell["outputs"])

    def tagged(self, kind: str) -> list[dict]:
        """The cells that give a kind of evidence."""
        return [cell for cell in self.cells if any(t.startswith(f"{kind}-") for t in tags(cell))]


def printed(output: dict) -> str:
    """What a cell says in words: printed, or shown as what was measured."""
    data = output.get("data", {})
    return "".join(data.get("text/plain", "") if FORMAT in data else output.get("text", ""))


def lines(notebook: dict) -> list[Line]:
    """The lines of a chapter; the words of one that the cells do not say are empty."""
    found: list[Line] = []
    before = None
    for cell in notebook["cells"]:
        pictured = cell["cell_type"] == "code" and (is_figure(cell) or is_explorer(cell))
        behind = bool(found) and before is found[-1].cells[-1]
        if behind and ("joins" in shown(cell) or (pictured and not shown(cell))):
            found[-1].cells.append(cell)
        elif pictured or shown(cell):
            found.append(Line(shown(cell).get("says", ""), [cell]))
        before = cell
    return found


def asserts(cells: list[dict]) -> bool:
    nodes = (node for cell in cells for node in ast.walk(ast.parse(source(cell))))
    return any(isinstance(node, ast.Assert) for node in nodes)
