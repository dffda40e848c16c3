"""What is stored in the notebooks: complete, normalised, and nothing that does not belong there.

That the stored outputs come out again is nbval's part, together with the ``conftest.py`` beside
the chapters' folder; the last test here shows that the two catch what is missing.
"""

from __future__ import annotations

import ast
import re
import statistics
from importlib.util import module_from_spec, spec_from_file_location

import nbformat
import pytest
from book.evidence.claims import TAG
from manuscript import NOTEBOOKS, ROOT, code_cells, markdown, read, source, tags
from nbval_run import verdicts

MOST_LINES = 15
MOST_LINES_IN_MEDIAN = 6
FEWEST_WORDS_FOR_A_LINE = 8
MOST_DIGITS = 4
# A picture that nbval does not compare: where steps are too large, the last digits decide where
# one of the runs in it ends, and they differ between processors.
NOT_COMPARED = {("training", "nbval-ignore-output")}
FOLDING = {"hide-cell", "remove-cell"}

# A number with a point or an exponent; whole numbers are counts, and exact.
INEXACT = re.compile(r"(?<![\w.])(\d+\.\d*|\.\d+|\d+(?=[eE][+-]?\d))(?:[eE][+-]?\d+)?(?![\w.]*\w)")
FORMULA = re.compile(r"\$[^$]+\$")
DIRECTIVE_OF_NO_PROSE = re.compile(r"^```\{(math|bibliography)\}.*?^```$", re.MULTILINE | re.DOTALL)
MARKUP = re.compile(r"^(```.*|:\w+:.*|\(.*\)=|\|[-|: ]+\|)$", re.MULTILINE)
WORD = re.compile(r"\w+(?:['’.-]\w+)*")


def outputs(notebook: dict) -> list[dict]:
    return [output for cell in code_cells(notebook) for output in cell["outputs"]]


def text(output: dict, *formats: str) -> str:
    """The text of an output in the given formats; that of a stream is always included."""
    parts = [output.get("text", ""), *(output.get("data", {}).get(name, "") for name in formats)]
    return "\n".join("".join(part) for part in parts)


def lines(cell: dict) -> int:
    return len(source(cell).splitlines())


def words(prose: str) -> int:
    """Words that are read: a formula in a line counts as one, a displayed one not at all."""
    prose = DIRECTIVE_OF_NO_PROSE.sub("", prose)
    prose = MARKUP.sub("", prose)
    return len(WORD.findall(FORMULA.sub(" formula ", prose)))


def figures(notebook: dict) -> list[dict]:
    return [
        cell
        for cell in code_cells(notebook)
        if any("image/png" in output.get("data", {}) for output in cell["outputs"])
    ]


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return read(path)


def test_the_file_is_in_the_form_in_which_the_notebooks_task_leaves_it(path):
    spec = spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    stored = path.read_bytes().decode("utf-8")
    assert stored == tool.stored_text(nbformat.reads(stored, as_version=4))


def test_every_cell_was_run_once_from_top_to_bottom(notebook):
    counts = [cell["execution_count"] for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    for cell in code_cells(notebook):
        for output in cell["outputs"]:
            assert output.get("execution_count", cell["execution_count"]) == cell["execution_count"]


def test_nothing_went_to_stderr_and_nothing_raised(notebook):
    for output in outputs(notebook):
        assert output["output_type"] != "error"
        assert output.get("name") != "stderr"


def test_no_widget_is_stored(notebook):
    assert "widgets" not in notebook["metadata"]
    formats = {name for output in outputs(notebook) for name in output.get("data", {})}
    assert not [name for name in formats if "widget" in name]


def test_metadata_holds_only_what_the_build_uses(notebook):
    assert notebook["metadata"].keys() == {"kernelspec", "language_info"}
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    allowed = {
        "code": {"tags", "mystnb", "jupyter", "shown"},
        "markdown": {"tags", "aside", "ledger", "prediction"},
    }
    for cell in notebook["cells"]:
        assert cell["metadata"].keys() <= allowed[cell["cell_type"]], cell["id"]
        for tag in tags(cell):
            known = tag in FOLDING or TAG.fullmatch(tag) or (cell["id"], tag) in NOT_COMPARED
            assert known, (cell["id"], tag)
        folded = cell["metadata"].get("jupyter")
        assert folded in (None, {"source_hidden": True}), cell["id"]
        assert cell["metadata"].get("mystnb", {}).keys() <= {"figure", "image"}, cell["id"]


def test_cells_have_names_that_stay(notebook):
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for id_ in ids:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id_), id_
        assert not re.fullmatch(r"[0-9a-f]{8}", id_), f"{id_} looks random"


def test_every_figure_has_caption_name_and_alternative_text(notebook):
    for cell in figures(notebook):
        metadata = cell["metadata"].get("mystnb", {})
        figure, image = metadata.get("figure", {}), metadata.get("image", {})
        assert len(WORD.findall(figure.get("caption", ""))) >= 5, cell["id"]
        assert re.fullmatch(r"fig-[a-z0-9]+(-[a-z0-9]+)+", figure.get("name", "")), cell["id"]
        assert len(WORD.findall(image.get("alt", ""))) >= 10, cell["id"]
        assert image["alt"] != figure["caption"], cell["id"]
    names = [cell["metadata"]["mystnb"]["figure"]["name"] for cell in figures(notebook)]
    assert len(set(names)) == len(names)


def test_every_cell_announced_as_a_figure_shows_one(notebook):
    announced = [cell["id"] for cell in code_cells(notebook) if "mystnb" in cell["metadata"]]
    assert announced == [cell["id"] for cell in figures(notebook)]


def test_code_cells_are_short_and_prose_is_not(notebook):
    counts = {cell["id"]: lines(cell) for cell in code_cells(notebook)}
    assert not {id_: count for id_, count in counts.items() if count > MOST_LINES}
    assert statistics.median(counts.values()) <= MOST_LINES_IN_MEDIAN
    assert words(markdown(notebook)) >= FEWEST_WORDS_FOR_A_LINE * sum(counts.values())


def test_the_first_cell_is_the_same_everywhere(notebook):
    first = source(code_cells(notebook)[0])
    assert first == source(code_cells(read(NOTEBOOKS[0]))[0])


def test_code_is_python_without_magics_installs_or_unseeded_draws(notebook):
    for cell in code_cells(notebook):
        code = source(cell)
        ast.parse(code)
        assert "NBVAL" not in code, cell["id"]
        assert not re.search(r"np\.random\.(?!default_rng\(\w|Generator)", code), cell["id"]
    for cell in code_cells(notebook)[1:]:
        assert not re.search(r"\bpip\b|\bimport (time|random|requests|urllib)\b", source(cell))


def test_outputs_show_values_and_no_objects(notebook):
    for output in outputs(notebook):
        shown = text(output, "text/plain", "text/html", "text/latex")
        assert not re.search(r"\b0x[0-9a-fA-F]{6,}", shown), shown
        if output["output_type"] == "execute_result":
            assert output["data"].keys() != {"text/plain"}, f"a bare repr: {shown}"


def test_numbers_are_printed_with_four_significant_digits_at_most(notebook):
    for output in outputs(notebook):
        for number in INEXACT.findall(text(output, "text/latex")):
            digits = number.replace(".", "").lstrip("0")
            assert len(digits) <= MOST_DIGITS, f"{number} in {text(output, 'text/latex')!r}"


def as_cell(code, stored, count=1):
    return nbformat.v4.new_code_cell(code, execution_count=count, outputs=stored)


def test_a_run_catches_stored_outputs_that_are_not_complete(tmp_path):
    show = "display({'text/plain': 'a picture', 'image/png': 'iVBORw0KGgo='}, raw=True)"
    new_output = nbformat.v4.new_output
    printed = new_output("stream", name="stdout", text="1\n")
    picture = {"text/plain": "a picture", "image/png": "iVBORw0KGgo="}
    drawn = picture | {"image/svg+xml": "<svg/>"}
    draw = f"display({drawn}, raw=True)"
    cells = [
        as_cell("print(1)", [printed]),
        as_cell(show, [new_output("display_data", picture)]),
        as_cell("print(1)", []),
        as_cell("print(1)", [], count=None),
        as_cell("print(1)", [new_output("stream", name="stdout", text="2\n")]),
        as_cell(show, [new_output("display_data", {"text/plain": "a picture"})]),
        as_cell(show, []),
        as_cell("1 + 1", [printed]),
        as_cell(draw, [new_output("display_data", drawn)]),
        as_cell(draw, [new_output("display_data", drawn | {"image/svg+xml": "<svg><g/></svg>"})]),
    ]
    found = verdicts(cells, tmp_path)
    passed = [number for verdict, number in found if verdict == "PASSED"]
    assert passed == ["0", "1", "8"]
