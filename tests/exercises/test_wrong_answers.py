"""A check passes what is right, and rejects what learners get wrong by the name of the mistake."""

import json
import re

import pytest
import spoilers
from answer_battery import RIGHT, SPOILERS, WRONG
from manuscript import CHAPTERS

from attnlib.exercises import catalogue
from attnlib.exercises.catalogue import exercise, exercise_ids
from attnlib.exercises.machinery import Exercise, Verdict, judge, report
from attnlib.exercises.scaling import predict


def cases(catalogue):
    return [
        pytest.param(id_, answer, id=f"{id_}: {name}")
        for id_, answers in catalogue.items()
        for name, answer in answers.items()
    ]


@pytest.mark.parametrize(("exercise_id", "answer"), cases(RIGHT))
def test_a_right_answer_has_all_properties(exercise_id, answer):
    verdict = judge(exercise(exercise_id), answer)
    assert verdict.failed is None, verdict
    assert verdict.held == exercise(exercise_id).properties


@pytest.mark.parametrize(("exercise_id", "case"), cases(WRONG))
def test_a_wrong_answer_is_rejected_by_the_property_that_names_its_mistake(exercise_id, case):
    answer, key = case
    verdict = judge(exercise(exercise_id), answer)
    assert verdict.failed is not None, "passed"
    assert verdict.failed.key == key
    assert not verdict.unfinished


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_every_property_rejects_something(exercise_id):
    named = {key for _, key in WRONG[exercise_id].values()}
    assert named == {prop.key for prop in exercise(exercise_id).properties}


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
    assert used == set(exercise_ids()) == set(RIGHT) == set(WRONG)
    assert {id_ for id_ in used if not id_.endswith("-predict")} == set(SPOILERS)
    for exercise_id in used:
        assert len(WRONG[exercise_id]) >= 3, exercise_id
        assert RIGHT[exercise_id], exercise_id


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_failure_text_gives_no_solution_away(exercise_id, lang):
    properties = exercise(exercise_id).properties
    predicts = exercise_id.endswith("-predict")
    for k, prop in enumerate(properties):
        # what the form of a prediction may be is said in full; the others name the change
        if not (predicts and prop.key == "form"):
            said = report(exercise_id, print, Verdict(properties[:k], prop))
            text = getattr(prop.hint if predicts else said, lang)
            assert spoilers.patterns(exercise_id, prop)
            assert not spoilers.found(exercise_id, prop, text), prop.key


def test_the_place_of_an_exercise_is_its_id():
    places = [path.relative_to(catalogue.FOLDER) for path in catalogue.FOLDER.glob("*/*.py")]
    exercises = [place.with_suffix("").parts for place in places if place.stem != "__init__"]
    assert sorted("-".join(parts).replace("_", "-") for parts in exercises) == [*exercise_ids()]
    assert all(isinstance(exercise(id_), Exercise) for id_ in exercise_ids())


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_texts_exist_in_both_languages(exercise_id):
    for prop in exercise(exercise_id).properties:
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
