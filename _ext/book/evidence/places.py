"""From each claim to everything behind it, with files and lines (no extension by itself).

Nothing here is written down twice: formulas and claims come from ``claims.toml``, proofs, checks
and exercises from the tags of cells, functions and explorers from docstrings, and unit tests from
their marks.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from book.evidence.claims import KINDS, claims, tags
from book.evidence.library import definitions, functions_of, public
from book.evidence.unit_tests import all_marks

CHECKED = re.compile(r"""\bcheck\(\s*["']([^"']+)["']""")
SHOWN = re.compile(r'<attn-explorer name="([^"]+)"')


@dataclass(frozen=True)
class Place:
    """One thing behind a claim: its name, where it stands, whether it is marked as the main one."""

    name: str
    at: tuple[str, ...]
    marked: bool = False


@cache
def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def at(root: Path, path: Path, sought: str) -> str:
    """The first line of a file that holds a text, as ``path:line``."""
    for number, line in enumerate(lines(path), start=1):
        if sought in line:
            return f"{path.relative_to(root).as_posix()}:{number}"
    raise ValueError(f"{path} has no {sought}")


def exercise_file(root: Path, exercise: str) -> Path:
    """``causal-leaks`` is ``causal/leaks.py``."""
    chapter, _, name = exercise.partition("-")
    return root / "attnlib" / "exercises" / chapter / f"{name.replace('-', '_')}.py"


def of_exercise(root: Path, exercise: str, cell: str) -> Place:
    answers = sorted((root / "tests" / "exercises").glob("wrong_answers_*.py"))
    found = [path for path in answers if any(f'"{exercise}"' in line for line in lines(path))]
    check = at(root, exercise_file(root, exercise), "EXERCISE = ")
    return Place(exercise, (check, cell, *(at(root, path, f'"{exercise}"') for path in found)))


def of_explorers(root: Path, known: list[str]) -> dict[str, dict[str, str]]:
    """For each explorer the claims that its class names, and the line of the class."""
    found = defaultdict(dict)
    for path in sorted((root / "attnlib" / "explorers").glob("*/explorer.py")):
        for definition in definitions(path, known):
            if "." not in definition.name:
                for claim in definition.first:
                    found[path.parent.name][claim] = at(root, path, f"class {definition.name}(")
    return found


def everything(root: Path) -> dict[str, dict[str, list[Place]]]:
    """For each claim and each kind of thing the places, the one to read first in front.

    A claim that is named and is not there has its places too.
    """
    book = claims(root / "chapters")
    known = [claim["id"] for claim in book]
    found: dict[str, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    shown: dict[tuple[str, str], str] = {}

    for claim in book:
        path = root / "chapters" / f"{claim['chapter']}.ipynb"
        label = claim["label"]
        found[claim["id"]]["formula"].append(Place(label, (at(root, path, f":label: {label}\\n"),)))

    for path in sorted((root / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for kind, claim, marked in tags(cell):
                where = at(root, path, f'"id": "{cell["id"]}"')
                if kind == "E":
                    for exercise in CHECKED.findall("".join(cell["source"])):
                        found[claim]["exercise"].append(of_exercise(root, exercise, where))
                elif kind == "X":
                    outputs = json.dumps(cell["outputs"]).replace('\\"', '"')
                    shown |= {(name, claim): where for name in SHOWN.findall(outputs)}
                else:
                    found[claim][KINDS[kind]].append(Place(cell["id"], (where,), marked))

    for name, places in of_explorers(root, known).items():
        for claim, where in places.items():
            on_a_page = [shown[name, claim]] if (name, claim) in shown else []
            found[claim]["explorer"].append(Place(name, (where, *on_a_page)))

    documented = public(root, known)
    for claim in known:
        for definition in functions_of(claim, documented):
            where = f"{definition.path.relative_to(root).as_posix()}:{definition.line}"
            found[claim]["function"].append(Place(definition.name, (where,)))

    for mark in all_marks(root):
        where = f"{mark.path.relative_to(root).as_posix()}:{mark.line}"
        for claim in mark.claims:
            found[claim]["test"].append(Place(mark.test, (where,)))

    for kinds in found.values():
        for places in kinds.values():
            places.sort(key=lambda place: not place.marked)
    return found
