"""From every claim the way leads to what is behind it, and nothing names what is not there."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest
from book.evidence.claims import claims, evidence, named
from book.evidence.library import definitions
from book.evidence.places import SHOWN, everything, exercise_file
from book.evidence.unit_tests import all_marks, marks
from manuscript import CHAPTERS, NOTEBOOKS, ROOT, read

from attnlib.exercises.catalogue import exercise_ids
from attnlib.explorers import by_name

IDS = [claim["id"] for claim in claims(CHAPTERS)]


@pytest.fixture(scope="module")
def behind():
    return everything(ROOT)


def defined():
    """Everything of attnlib that has a docstring of its own."""
    return [d for path in sorted(ROOT.glob("attnlib/**/*.py")) for d in definitions(path, IDS)]


def test_every_claim_that_the_library_carries_out_has_a_unit_test(behind):
    without = [claim for claim in IDS if behind[claim]["function"] and not behind[claim]["test"]]
    assert not without, "mark a test of each with @pytest.mark.claim"


def test_no_docstring_names_a_claim_that_is_not_there():
    found = {definition.name: set(definition.all) - set(IDS) for definition in defined()}
    assert not {name: unknown for name, unknown in found.items() if unknown}


def test_no_docstring_names_a_claim_in_a_form_that_is_not_read():
    for path in sorted(ROOT.glob("attnlib/**/*.py")):
        text = " ".join(path.read_text(encoding="utf-8").split())
        for match in re.finditer(r"\b[Cc]laims?\b.{0,40}", text):
            numbers = re.findall(r"\d+\.\d+", match[0].partition(")")[0])
            assert set(numbers) <= set(named(match[0], IDS)), (path, match[0])


def test_no_mark_names_a_claim_that_is_not_there():
    for mark in all_marks(ROOT):
        assert mark.claims, mark
        assert set(mark.claims) <= set(IDS), mark


def test_every_exercise_is_behind_a_claim_and_in_the_file_of_its_name(behind):
    for id_ in exercise_ids():
        assert exercise_file(ROOT, id_).is_file(), id_
    reached = [place for kinds in behind.values() for place in kinds.get("exercise", [])]
    assert {place.name for place in reached} == set(exercise_ids())
    for place in reached:
        # its definition, its cell, its right and wrong answers
        assert [line.partition("/")[0] for line in place.at] == ["attnlib", "chapters", "tests"]


def test_what_an_explorer_says_it_varies_its_cell_says_too():
    shown = defaultdict(set)
    for path in NOTEBOOKS:
        for cell in read(path)["cells"]:
            claims_of_cell = {claim for kind, claim in evidence(cell) if kind == "X"}
            html = json.dumps(cell.get("outputs", [])).replace('\\"', '"')
            for name in SHOWN.findall(html) if claims_of_cell else []:
                assert (ROOT / "attnlib" / "explorers" / name).is_dir(), name
                shown[name] |= claims_of_cell
    assert shown
    for name, varied in shown.items():
        summary = by_name(name).__doc__.partition("\n\n")[0]
        assert set(named(summary, IDS)) == varied, name


def test_every_place_is_there_and_holds_its_name(behind):
    names = {"explorer": "class", "function": None, "test": None}
    for kinds in behind.values():
        for kind, places in kinds.items():
            for place in places:
                path, _, number = place.at[0].rpartition(":")
                line = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(number) - 1]
                assert names.get(kind, place.name) or place.name.rpartition(".")[2] in line, place
                assert kind not in names or re.match(r"\s*(def|class|pytestmark)\b", line), place


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Return S (Claim 3.1).", ["3.1"]),
        ("Claims 2.1, 2.3 and 7.4", ["2.1", "2.3", "7.4"]),
        ("(Claims 1.5 to 2.2 and\n    8.5) and claim 3.3", ["1.5", "2.1", "2.2", "8.5", "3.3"]),
        ("Claims 9.8 to 9.9", ["9.8", "9.9"]),
        ("no claim, and a number 3.1", []),
    ],
)
def test_a_docstring_names_claims_in_lists_and_ranges(text, expected):
    assert named(text, IDS) == expected


def test_a_test_a_class_and_a_file_are_marked(tmp_path):
    path = tmp_path / "test_marked.py"
    path.write_text(
        "import pytest\n"
        "pytestmark = [pytest.mark.claim('2.1')]\n"
        "@pytest.mark.claim('7.4', '7.5')\n"
        "def test_one(): ...\n"
        "@pytest.mark.claim('8.1')\n"
        "class TestMany:\n"
        "    @pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.claim('8.2'))])\n"
        "    def test_two(self, x): ...\n",
        encoding="utf-8",
    )
    assert {(mark.test, mark.line, mark.claims) for mark in marks(path)} == {
        ("every test of the file", 2, ("2.1",)),
        ("test_one", 4, ("7.4", "7.5")),
        ("TestMany", 6, ("8.1",)),
        ("test_two", 8, ("8.2",)),
    }


def test_a_mark_on_nothing_is_refused(tmp_path):
    path = tmp_path / "test_marked.py"
    path.write_text("HERE = pytest.mark.claim('7.4')\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"test_marked\.py has a mark .* on no test"):
        list(marks(path))
