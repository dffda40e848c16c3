"""A check passes what is right, and rejects what learners get wrong by the name of the mistake."""

import json
import re

import pytest
from answer_battery import RIGHT, SPOILERS, WRONG
from manuscript import CHAPTERS

from attnlib.exercises import EXERCISES, check
from attnlib.exercises.machinery import judge
from attnlib.exercises.scaling import predict


def cases(catalogue):
    return [
        pytest.param(id_, answer, id=f"{id_}: {name}")
        for id_, answers in catalogue.items()
        for name, answer in answers.items()
    ]


@pytest.mark.parametrize(("exercise_id", "answer"), cases(RIGHT))
def test_a_right_answer_has_all_properties(exercise_id, answer):
    verdict = judge(EXERCISES[exercise_id], answer)
    assert verdict.failed is None, verdict
    assert verdict.held == EXERCISES[exercise_id].properties


@pytest.mark.parametrize(("exercise_id", "case"), cases(WRONG))
def test_a_wrong_answer_is_rejected_by_the_property_that_names_its_mistake(exercise_id, case):
    answer, key = case
    verdict = judge(EXERCISES[exercise_id], answer)
    assert verdict.failed is not None, "passed"
    assert verdict.failed.key == key
    assert not verdict.unfinished


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_every_property_rejects_something(exercise_id):
    named = {key for _, key in WRONG[exercise_id].values()}
    assert named == {prop.key for prop in EXERCISES[exercise_id].properties}


def used_in_chapters():
    """Every id that a notebook checks, in code or in an exercise's label."""
    found = set()
    for path in sorted(CHAPTERS.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            pattern = (
                r'\bcheck\(\s*"([^"]+)"' if cell["cell_type"] == "code" else r":label: ex-(.+)"
            )
            found.update(re.findall(pattern, text))
    return found


def test_every_exercise_in_the_chapters_has_a_catalogue():
    used = used_in_chapters()
    assert used, "no notebook has an exercise"
    assert used == set(EXERCISES) == set(RIGHT) == set(WRONG) == set(SPOILERS)
    for exercise_id in used:
        assert len(WRONG[exercise_id]) >= 3, exercise_id
        assert RIGHT[exercise_id], exercise_id


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
@pytest.mark.parametrize(("exercise_id", "case"), cases(WRONG))
def test_failure_text_gives_no_solution_away(exercise_id, case, lang, monkeypatch, capsys):
    monkeypatch.setenv("ATTNLIB_LANG", lang)
    check(exercise_id, case[0])
    printed = capsys.readouterr().out
    assert not [spoiler for spoiler in SPOILERS[exercise_id] if spoiler in printed]


@pytest.mark.parametrize("exercise_id", EXERCISES)
def test_texts_exist_in_both_languages(exercise_id):
    for prop in EXERCISES[exercise_id].properties:
        for text in (prop.says, prop.hint):
            assert text.en.isascii() or "·" in text.en
            assert re.search("[\u4e00-\u9fff]", text.zh)
            assert not re.search("[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", text.zh)
            assert not re.search(r"[\u4e00-\u9fff][,.:;?!]", text.zh)


def test_predictions_are_measured_far_from_the_border():
    start = predict._typical_entropy(**predict.START)
    for name, change in predict.CHANGES.items():
        moved = abs(predict._typical_entropy(**(predict.START | change)) - start)
        assert moved < 0.05 or moved > 0.25, name
