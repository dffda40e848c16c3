"""Predictions as data: complete, in words, and about what a cell measured."""

from __future__ import annotations

import copy
import json
import re
from types import SimpleNamespace

import nbformat
import pytest
from book.lesson import predictions
from manuscript import NOTEBOOKS, ROOT, markdown, read, source
from nbval_run import verdicts
from sphinx.errors import ExtensionError

FEWEST_ON_A_LINE = 5
MARK = predictions.ENDS


def asked(notebook: dict, manner: str = "") -> list[dict]:
    """The cells with a question, of one manner or of all."""
    found = [cell for cell in notebook["cells"] if "prediction" in cell["metadata"]]
    return [cell for cell in found if manner in ("", predictions.manner_of(cell))]


def data_of(path) -> list[dict]:
    return list(predictions.rewrite(read(path)).values())


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


def test_a_chapter_has_two_to_four_and_the_first_early(path):
    cells = read(path)["cells"]
    places = [i for i, cell in enumerate(cells) if cell in asked(read(path), "predict")]
    assert 2 <= len(places) <= 4
    assert places[0] < len(cells) / 3
    assert "## A question" in markdown({"cells": cells[: places[0] + 1]})


def test_the_reader_diagnoses_mistakes_by_their_symptoms(path):
    """Each under the heading that says so; the reader chooses among three mistakes at least."""
    notebook = read(path)
    section = markdown(notebook).partition("\n## Which mistake is it?\n")[2]
    section = section.partition("\n## ")[0]
    cells = asked(notebook, "recognise")
    assert 2 <= len(cells) <= 4
    for cell in cells:
        assert source(cell) in f"## Which mistake is it?\n{section}"
        for field in predictions.read(notebook, cell)["fields"]:
            assert field["kind"] == "choice"
            assert len(field["options"]) >= 3


def test_what_is_to_be_tried_at_an_explorer_ends_in_something_to_find_out(path):
    notebook = read(path)
    cells = notebook["cells"]
    for i, cell in enumerate(cells):
        if "attn-explorer" in str(cell.get("outputs")):
            after = [one for one in cells[i + 1 : i + 4] if one["cell_type"] == "markdown"]
            assert "find" in map(predictions.manner_of, after), cell["id"]


def test_what_is_called_a_prediction_is_one(path):
    """No bold "Predict" without a form, and no mark of an answer's end without its beginning."""
    notebook = read(path)
    words = [begins.partition(":")[0] for begins in predictions.BEGINS]
    assert sum(map(markdown(notebook).count, words)) == len(asked(notebook))
    waiting = False
    for cell in notebook["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        for piece in re.split(rf"(^## |{re.escape(MARK)})", source(cell), flags=re.MULTILINE):
            if piece == MARK:
                assert waiting, cell["id"]
                waiting = False
            waiting = waiting or any(begins in piece for begins in predictions.BEGINS)


def test_its_values_were_measured_and_its_words_can_be_read(path):
    for data in data_of(path):
        for field in data["fields"]:
            assert not predictions.fault_of(field)
            if field["kind"] == "choice":
                values, words = zip(*field["options"], strict=True)
                assert len(set(values)) == len(set(words)) == len(values) >= 2, data["name"]
            if field["kind"] == "line":
                middle = (field["low"] + field["high"]) / 2
                # where the handle stands at first gives nothing away
                assert abs(field["value"] - middle) >= field["step"], data["name"]


def test_enough_of_them_are_places_on_a_line():
    kinds = [[f["kind"] for f in data["fields"]] for path in NOTEBOOKS for data in data_of(path)]
    assert sum("line" in found for found in kinds) >= FEWEST_ON_A_LINE
    assert {kind for found in kinds for kind in found} == predictions.NEEDS.keys()


# Chapter 4 measures three numbers for its first prediction; each change spoils that.
SPOILT = {
    "a value that is not measured": lambda cell, data: data["fields"][1].update(measured="other"),
    "a cell that is not there": lambda cell, data: data.update(of="nowhere"),
    "a value that is measured no more": lambda cell, data: cell["outputs"].clear(),
    "an empty label": lambda cell, data: data["fields"][0].update(label="  "),
    "no label": lambda cell, data: data["fields"][0].pop("label"),
    "a line that ends too early": lambda cell, data: data.update(high=0.9),
    "no such kind": lambda cell, data: data.update(kind="guess"),
    "options without the right one": lambda cell, data: data.update(
        kind="choice", options=[["a", "one"], ["b", "other"]]
    ),
    "no field": lambda cell, data: data.update(fields=[]),
    "no name": lambda cell, data: data.pop("name"),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=[*SPOILT])
def test_spoilt_data_stop_the_build_with_page_and_name(spoil):
    notebook = read(ROOT / "chapters" / "04_scaling.ipynb")
    env = SimpleNamespace(doc2path=lambda page: f"{page}.ipynb", temp_data={})
    app = SimpleNamespace(env=env)
    predictions.rewrite_page(app, "chapters/04_scaling", [json.dumps(notebook)])
    spoilt = copy.deepcopy(notebook)
    data = asked(spoilt)[0]["metadata"]["prediction"]
    name = data["name"]
    measured = next(cell for cell in spoilt["cells"] if cell["id"] == data["of"])
    spoil(measured, data)
    with pytest.raises(ExtensionError) as fault:
        predictions.rewrite_page(app, "chapters/04_scaling", [json.dumps(spoilt)])
    assert "chapters/04_scaling" in str(fault.value)
    assert name in str(fault.value) or "name" not in data


def test_two_of_one_name_or_a_paragraph_that_is_none_stop_it_too():
    notebook = read(ROOT / "chapters" / "04_scaling.ipynb")
    first, second, *_ = asked(notebook)
    second["metadata"]["prediction"]["name"] = first["metadata"]["prediction"]["name"]
    with pytest.raises(ValueError, match="two predictions are called"):
        predictions.rewrite(notebook)
    notebook = read(ROOT / "chapters" / "04_scaling.ipynb")
    asked(notebook)[0]["source"] = ["**Predict** something."]
    with pytest.raises(ValueError, match="0 paragraphs"):
        predictions.rewrite(notebook)


def test_another_edition_of_a_prediction_has_another_mark():
    notebook = read(ROOT / "chapters" / "04_scaling.ipynb")
    cell = asked(notebook)[0]
    old = predictions.read(notebook, cell)["edition"]
    cell["metadata"]["prediction"]["high"] = 2
    assert predictions.read(notebook, cell)["edition"] != old


def test_a_run_notices_a_measured_value_that_has_changed(tmp_path):
    """Strictly compared are the line for the reader and the value for the page, each by itself."""
    code = "from attnlib.measured import Measured\n\ndisplay(Measured({'share': 0.4}))"
    right = {"text/plain": "share  0.40", predictions.FORMAT: {"share": 0.4}}
    stored = [
        right,
        right | {predictions.FORMAT: {"share": 0.5}},
        right | {"text/plain": "share  0.50"},
        {"text/plain": "share  0.40"},
    ]
    new = nbformat.v4
    cells = [
        new.new_code_cell(code, execution_count=i, outputs=[new.new_output("display_data", data)])
        for i, data in enumerate(stored, start=1)
    ]
    found = verdicts(cells, tmp_path)
    assert sorted(number for _, number in found) == ["0", "1", "2", "3"]
    assert [number for verdict, number in found if verdict == "PASSED"] == ["0"]
