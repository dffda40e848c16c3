"""Which function of attnlib carries out a claim: its docstring says so (no extension by itself)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from book.evidence.claims import named

DOCUMENTED = re.compile(r"^\.\. (currentmodule|autofunction|autoclass):: (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Definition:
    """A function, a class or a method: its public name, its place, the claims of its docstring."""

    name: str
    path: Path
    line: int
    first: tuple[str, ...]
    """The claims that its first paragraph names."""
    all: tuple[str, ...]


def definitions(path: Path, known: Sequence[str], prefix: str = "") -> Iterator[Definition]:
    """What a file defines, methods after their class."""

    def inside(body: list[ast.stmt], prefix: str) -> Iterator[Definition]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                first, of_all = (tuple(named(t, known)) for t in (text.split("\n\n")[0], text))
                yield Definition(prefix + node.name, path, node.lineno, first, of_all)
                if isinstance(node, ast.ClassDef):
                    yield from inside(node.body, f"{prefix}{node.name}.")

    yield from inside(ast.parse(path.read_text(encoding="utf-8")).body, prefix)


def public(root: Path, known: Sequence[str]) -> list[Definition]:
    """What the page on the library documents, in its order."""
    found: list[Definition] = []
    of_module: dict[str, list[Definition]] = {}
    module = ""
    for directive, name in DOCUMENTED.findall((root / "chapters/api.md").read_text("utf-8")):
        if directive == "currentmodule":
            module = name
            folder = root.joinpath(*module.split("."))
            paths = sorted(folder.glob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
            of_module[module] = [
                definition
                for path in paths
                for definition in definitions(path, known, f"{module}.")
            ]
        else:
            full = f"{module}.{name}"
            found += [d for d in of_module[module] if f"{d.name}.".startswith(f"{full}.")]
    return found


def functions_of(claim: str, documented: Sequence[Definition]) -> list[Definition]:
    """The functions that name a claim, the one to read first in front.

    That is one of attnlib itself rather than of a package in it, one whose first paragraph names
    the claim, and among these the one that names fewest; then the order of the page decides.
    """

    def rank(definition: Definition) -> tuple[bool, bool, int]:
        in_a_package = definition.path.parent.name != "attnlib"
        return in_a_package, claim not in definition.first, len(definition.first)

    return sorted((d for d in documented if claim in d.all), key=rank)
