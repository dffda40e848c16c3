"""Which decimal numbers a chapter's prose quotes, and where its cells show or assert them."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from html import unescape
from itertools import pairwise
from pathlib import Path

from manuscript import CHAPTERS, source

from attnlib import exercises

FOLDER = Path(exercises.__file__).parent
EXCEPTIONS = Path(__file__).with_suffix(".toml")
DECIMAL = re.compile(r"(?<![\w.])\d*\.\d+(?![\w.]*\d)")
# what looks like a number of the text and is none
NO_PROSE = re.compile(
    r"""\]\([^)]*\)             # where a link leads
    | \{(?:eq|ref|cite|numref|doc|download)\}`[^`]*`
    | \bsections?\s[\d.]+
    | \bPython\s[\d.]+
    """,
    re.VERBOSE,
)


def quoted(cell: dict) -> list[tuple[str, bool]]:
    """Each decimal number of a Markdown cell as it stands there, and whether it is a percentage."""
    text = NO_PROSE.sub(" ", source(cell))
    return [
        (match[0], bool(re.match(r"(?:\$|\s|\\)*%", text[match.end() :])))
        for match in DECIMAL.finditer(text)
    ]


def printed(cell: dict) -> list[Decimal]:
    """All numbers in the outputs of a cell: text, formulas, tables, the state of an explorer."""
    texts = []
    for output in cell["outputs"]:
        texts.append("".join(output.get("text", [])))
        for kind, data in output.get("data", {}).items():
            if not kind.startswith("image/"):
                data = data if isinstance(data, str | list) else json.dumps(data)
                texts.append(unescape("".join(data)))
    numbers = re.findall(r"\d*\.?\d+(?:e[+-]?\d+)?", " ".join(texts))
    return [Decimal(number) for number in numbers]


def asserted(cell: dict) -> list[Decimal]:
    """All numbers in a cell's assertions, and in an answer that the cell hands to its check."""
    tree = ast.parse(source(cell))
    checks = any(isinstance(node, ast.Call) and _name(node) == "check" for node in ast.walk(tree))
    roots = [tree] if checks else [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    return _constants(roots)


def _name(call: ast.Call) -> str:
    return getattr(call.func, "id", "")


def _constants(roots: Sequence[ast.AST]) -> list[Decimal]:
    """All numbers that stand in some code, without their signs."""
    nodes = [node for root in roots for node in ast.walk(root) if isinstance(node, ast.Constant)]
    return [abs(Decimal(repr(n.value))) for n in nodes if type(n.value) in (int, float)]


def backs(value: Decimal, number: str, percent: bool, fewest_digits: int = 3) -> bool:
    """Whether a value is the number of the text, or is it when rounded to some digits or more."""
    wanted = Decimal(number)
    step = Decimal(1).scaleb(int(wanted.as_tuple().exponent))
    candidates = [value, value * 100] if percent else [value]
    rounds = significant(number) >= fewest_digits
    return any(
        candidate == wanted or (rounds and candidate < 10**9 and candidate.quantize(step) == wanted)
        for candidate in candidates
    )


def significant(number: str) -> int:
    return len(number.replace(".", "").lstrip("0"))


HEADING = re.compile(r"^#{2,3} ", re.MULTILINE)
LABEL = re.compile(r"(?:\([\w-]+\)=\s*)*")


def pieces(cells: list[dict]) -> list[tuple[int, dict]]:
    """Each cell with the number of its section; a cell with a heading inside is cut there."""
    found, section = [], 0
    for cell in cells:
        if cell["cell_type"] == "code":
            found.append((section, cell))
            continue
        text = source(cell)
        cuts = [match.start() for match in HEADING.finditer(text)]
        for start, end in pairwise([0, *(cut for cut in cuts if cut), len(text)]):
            if start in cuts or (LABEL.fullmatch(text[: cuts[0]]) if cuts and not start else False):
                section += 1
            found.append((section, {**cell, "source": text[start:end]}))
    return found


def given(chapter: str) -> list[Decimal]:
    """All numbers that the checks of a chapter's exercises are made of."""
    text = (CHAPTERS / f"{chapter}.ipynb").read_text(encoding="utf-8")
    # an exercise's folder has the name that its label begins with
    rooms = sorted(set(re.findall(r":label: ex-([a-z]+)-", text)))
    paths = [path for room in rooms for path in (FOLDER / room).glob("*.py")]
    return _constants([ast.parse(path.read_text(encoding="utf-8")) for path in paths])


def values_in(cells: list[dict]) -> set[Decimal]:
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return {value for cell in code for value in printed(cell) + asserted(cell)}


Quote = tuple[str, bool, set[Decimal], set[Decimal]]


def quotes(notebook: dict, chapter: str) -> list[Quote]:
    """Each number of the prose, whether it is a percentage, the values near it, and all others.

    An exercise may quote what its check is made of.
    """
    everywhere, data = values_in(notebook["cells"]), set(given(chapter))
    numbered = pieces(notebook["cells"])
    sections = {section for section, _ in numbered}
    here = {
        section: values_in([cell for number, cell in numbered if number == section])
        for section in sections
    }
    found = []
    for section, cell in numbered:
        if cell["cell_type"] == "code":
            continue
        exercise = re.search(r"^`{3,}\{(?:exercise|solution)\}", source(cell), re.MULTILINE)
        near = here[section] | data if exercise else here[section]
        found += [(number, percent, near, everywhere) for number, percent in quoted(cell)]
    return found


def backed(number: str, percent: bool, near: set[Decimal], everywhere: set[Decimal]) -> bool:
    """Whether some value backs a number: one of few digits as it is, and in its own section."""
    return any(backs(value, number, percent) for value in near) or (
        significant(number) >= 3 and any(backs(value, number, percent) for value in everywhere)
    )


def unbacked(notebook: dict, chapter: str) -> list[str]:
    """The numbers of the prose that nothing shows or asserts."""
    return [quote[0] for quote in quotes(notebook, chapter) if not backed(*quote)]


def exceptions(chapter: str) -> list[dict]:
    """Numbers of a chapter that need no cell, each with the reason and, if any, a formula."""
    return tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8")).get(chapter, [])
