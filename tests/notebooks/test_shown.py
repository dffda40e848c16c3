"""A chapter shows few cells open, and a line says no more than the cells behind it show."""

from __future__ import annotations

import ast
import copy
import json
import re
from itertools import pairwise

import pytest
from book.languages.catalogues import translations
from book.lesson.side_paths import asides
from manuscript import NOTEBOOKS, code_cells, read, source, tags
from shown import KINDS, Line, asserts, is_explorer, is_figure, lines, on_the_page, open_cells
from shown import shown as said
from translations import CATALOGUES

VERBS = {"proved": "已证明：", "checked": "已验算：", "measured": "已测量：", "set-up": "准备："}
MOST_OPEN = 10
MOST_ASIDES = 6
# sections that everybody reads
NEEDED = ("A question", "Derivation", "Explorer", "Which mistake is it?", "Exercises", "Summary")
# one of its words at least says for what the cells were run
FEWEST_WORDS = 3


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return read(request.param)


def faults(line: Line) -> list[str]:
    """What is wrong with a line."""
    first = line.cells[0]
    if not said(first):
        # the site has words of its own for the code of a figure or an explorer
        return []
    checks = {
        "joins nothing": "joins" not in said(first),
        "says too little": len(line.says.split()) >= FEWEST_WORDS,
        "says no kind of thing": line.kind in KINDS,
        "proves nothing": "proved" not in line.says.split() or bool(line.tagged("P")),
        "a proof does not say so": not line.tagged("P") or "proved" in line.says.split(),
        "asserts nothing": line.kind not in ("proved", "checked") or asserts(line.cells),
        "measures nothing": line.kind != "measured" or bool(line.printed.strip()),
        "does more than it says": line.kind != "set-up" or not (line.tagged("N")),
    }
    return [fault for fault, holds in checks.items() if not holds]


def split(notebook: dict) -> list[str]:
    """Lines that stand under a line, with nothing between them to be read."""
    every = lines(notebook)
    cells = notebook["cells"]
    return [
        line.cells[0]["id"]
        for above, line in pairwise(every)
        if cells.index(line.cells[0]) == cells.index(above.cells[-1]) + 1
        and not (above.printed and above.kind in ("measured", "set-up"))
        and not any(is_figure(cell) or is_explorer(cell) for cell in above.cells)
    ]


def test_a_line_says_what_the_cells_behind_it_show(notebook):
    found = {line.cells[0]["id"]: faults(line) for line in lines(notebook)}
    assert found
    assert not {id_: wrong for id_, wrong in found.items() if wrong}


def test_cells_with_nothing_between_them_have_one_line(notebook):
    assert split(notebook) == []


def test_few_cells_are_open_and_some_are(notebook):
    assert 3 <= len(open_cells(notebook)) <= MOST_OPEN, [c["id"] for c in open_cells(notebook)]


def test_a_cell_without_a_line_is_open():
    notebook = read(NOTEBOOKS[3])
    count = len(open_cells(notebook))
    behind = [cell for cell in code_cells(notebook) if said(cell)]
    for more, one in enumerate(behind[: MOST_OPEN + 1], start=1):
        del one["metadata"]["shown"]
        assert len(open_cells(notebook)) == count + more
    assert len(open_cells(notebook)) > MOST_OPEN


def test_only_the_first_cell_and_imports_are_not_on_the_page(notebook):
    first, *others = [cell for cell in code_cells(notebook) if not on_the_page(cell)]
    assert first is code_cells(notebook)[0]
    for cell in others:
        statements = ast.parse(source(cell)).body
        assert all(isinstance(one, ast.Import | ast.ImportFrom) for one in statements), cell["id"]
    assert not [cell["id"] for cell in notebook["cells"] if said(cell) and not on_the_page(cell)]


def test_a_side_path_is_a_section_of_its_cell_that_can_be_passed_by(notebook):
    for one in notebook["cells"]:
        for heading, question in one["metadata"].get("aside", {}).items():
            found = re.search(rf"^#+ {re.escape(heading)}$", source(one), re.MULTILINE)
            assert found, heading
            assert not heading.startswith(NEEDED), heading
            assert question.endswith("?")
    assert len(asides(notebook)) <= MOST_ASIDES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_line_is_translated(path):
    known = translations(CATALOGUES / "chapters" / f"{path.stem}.po")
    for line in lines(read(path)):
        if line.says:
            assert line.says in known
            # it claims no less and no more
            assert known[line.says].startswith(VERBS[line.kind])


PROOF = {"shown": {"says": "proved for every number"}, "tags": ["P-4.2"]}
CHECK = {"shown": {"says": "checked on the example"}, "tags": ["N-4.2"]}


def cell(metadata: dict, code: str = "assert x == x", printed: str = "") -> dict:
    outputs = [{"output_type": "stream", "name": "stdout", "text": [printed]}] if printed else []
    parts = {"cell_type": "code", "id": f"c{id(metadata)}", "source": [code], "outputs": outputs}
    return parts | {"metadata": copy.deepcopy(metadata)}


def says(words: str, **others) -> dict:
    return {"shown": {"says": words}} | others


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ([cell(PROOF)], None),
        ([cell(CHECK)], None),
        ([cell(says("proved for 3, checked for 4", tags=["P-4.2"])), cell(CHECK)], None),
        ([cell(says("measured for five seeds"), "print(x)", "0.5\n")], None),
        ([cell(says(""))], "says too little"),
        ([cell(says("proved", tags=["P-4.2"]))], "says too little"),
        ([cell(says("shown for every number"))], "says no kind of thing"),
        ([cell(says("proved for every number"))], "proves nothing"),
        ([cell(says("proved for every number", tags=["N-4.2"]))], "proves nothing"),
        ([cell(says("checked, then proved in full", tags=["N-4.2"]))], "proves nothing"),
        ([cell(says("checked for every number", tags=["P-4.2"]))], "a proof does not say so"),
        ([cell(PROOF, "print(x)")], "asserts nothing"),
        ([cell(CHECK, "print(x)", "0.5\n")], "asserts nothing"),
        ([cell(says("measured for five seeds"))], "measures nothing"),
        ([cell(says("set-up: all the rest", tags=["N-4.2"]))], "does more than it says"),
        ([cell({"shown": {"joins": "above"}})], "joins nothing"),
    ],
    ids=lambda value: None if isinstance(value, list) else str(value),
)
def test_a_line_that_is_empty_or_false_is_refused(cells, fault):
    [line] = lines({"cells": cells[:1]})
    line.cells += cells[1:]
    found = faults(line)
    assert fault in found if fault else not found


def test_a_proof_that_loses_its_tag_is_refused():
    notebook = json.loads(NOTEBOOKS[3].read_text(encoding="utf-8"))
    proofs = [line for line in lines(notebook) if line.kind == "proved"]
    assert proofs
    for line in proofs:
        for one in line.tagged("P"):
            one["metadata"]["tags"] = [tag for tag in tags(one) if not tag.startswith("P-")]
        assert faults(line) == ["proves nothing"]


def test_two_lines_where_one_would_do_are_noticed():
    prose = {"cell_type": "markdown", "id": "prose", "metadata": {}, "source": ["So:"]}
    assert split({"cells": [cell(PROOF), cell(CHECK)]})
    assert not split({"cells": [cell(PROOF), prose, cell(CHECK)]})
