"""Which unit tests hold a claim: their marks say so (no extension by itself)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mark:
    """``@pytest.mark.claim("7.4")`` on a test or a class, or in the `pytestmark` of a file."""

    test: str
    path: Path
    line: int
    claims: tuple[str, ...]


def claim_calls(tree: ast.AST) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.claim"
    ]


def marks(path: Path) -> Iterator[Mark]:
    """The marks of a test file.

    Raises
    ------
    ValueError
        If a mark stands where no test is, or names a claim by anything but text.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    seen = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower()[:4] == "test":
            where, name = node.decorator_list, node.name
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            where, name = [node.value], "every test of the file"
        else:
            continue
        calls = [call for part in where for call in claim_calls(part)]
        seen += len(calls)
        if calls:
            named = tuple(ast.literal_eval(arg) for call in calls for arg in call.args)
            yield Mark(name, path, node.lineno, named)
    if seen != len(claim_calls(tree)):
        raise ValueError(f"{path} has a mark of a claim that is on no test")


def all_marks(root: Path) -> list[Mark]:
    """The marks of all tests, those of the library in front."""
    paths = [path for top in ("tests", "tests_torch") for path in (root / top).rglob("*.py")]
    paths.sort(key=lambda path: (path.parent.name != "library", path))
    return [mark for path in paths for mark in marks(path)]
