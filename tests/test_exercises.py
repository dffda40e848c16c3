"""A check passes what is right, and rejects what learners get wrong by the name of the mistake."""

import json
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from attnlib.exercises import EXERCISES, check
from attnlib.exercises.ch04 import predict
from attnlib.exercises.machinery import Exercise, Property, Text, judge, report

CHAPTERS = Path(__file__).parent.parent / "chapters"
CATALOGUES = [
    import_module(path.stem) for path in sorted(Path(__file__).parent.glob("wrong_answers_ch*.py"))
]
RIGHT = {id_: answers for catalogue in CATALOGUES for id_, answers in catalogue.RIGHT.items()}
WRONG = {id_: answers for catalogue in CATALOGUES for id_, answers in catalogue.WRONG.items()}
SPOILERS = {id_: words for catalogue in CATALOGUES for id_, words in catalogue.SPOILERS.items()}


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


# The machinery, on a small exercise of its own: double every number.

DOUBLE = Exercise(
    "double",
    (
        Property(
            "numbers",
            Text("doubles one number", "把一个数加倍"),
            Text("try 3", "试试 3"),
            lambda f: f(3) == 6,
        ),
        Property(
            "arrays",
            Text("doubles arrays", "把数组加倍"),
            Text("try an array", "试试数组"),
            lambda f: f(np.ones(2)).tolist() == [2, 2],
        ),
    ),
)


def told(answer):
    return report(DOUBLE, answer, judge(DOUBLE, answer))


def double(x):
    return 2 * x


def test_what_holds_is_listed_and_counted():
    assert (
        told(double) == "double\n  ✓ doubles one number\n  ✓ doubles arrays\nAll 2 properties hold."
    )


def test_the_first_property_that_does_not_hold_comes_with_its_hint():
    assert told(lambda x: 6) == (
        "double\n  ✓ doubles one number\n  ✗ doubles arrays\n    Hint: try an array"
    )


def test_chinese_is_chosen_by_the_environment(monkeypatch):
    monkeypatch.setenv("ATTNLIB_LANG", "zh_CN")
    assert told(double).endswith("2 条性质全部成立。")
    assert told(lambda x: 0).endswith("  ✗ 把一个数加倍\n    提示：试试 3")
    monkeypatch.setenv("ATTNLIB_LANG", "fr")
    assert told(double).endswith("All 2 properties hold.")


def stub_ellipsis(x):
    return ...


def stub_nothing(x):
    pass


def stub_not_implemented(x):
    raise NotImplementedError


def stub_in_a_dict(x):
    return {"a": (1, ...)}


@pytest.mark.parametrize(
    "stub", [stub_ellipsis, stub_nothing, stub_not_implemented, stub_in_a_dict]
)
def test_an_unfinished_stub_gets_one_friendly_line(stub):
    assert told(stub) == (
        f"Not finished yet: {stub.__name__} returns nothing, or still has a ... in it."
    )


def test_an_error_is_named_in_one_line():
    def answer(x):
        raise ValueError("too big\nand a second line")

    assert told(answer) == (
        "double\n  ✗ doubles one number\n    answer raised ValueError: too big\n    Hint: try 3"
    )

    def silent(x):
        raise ZeroDivisionError

    assert "silent raised ZeroDivisionError\n" in told(silent)


def test_an_answer_of_an_odd_form_is_rejected_without_a_traceback():
    assert "✗ doubles arrays" in told(lambda x: 6 if isinstance(x, int) else "two")


def test_the_answer_gets_copies():
    seen = np.ones(3)

    def spoil(x):
        x[:] = 0
        return x

    sum_is_zero = lambda f: f(seen).sum() == 0  # noqa: E731
    spoiling = Exercise("spoil", (Property("p", Text("", ""), Text("", ""), sum_is_zero),))
    assert judge(spoiling, spoil).failed is None
    assert (seen == 1).all()


def test_a_bug_in_a_property_is_not_taken_for_a_wrong_answer():
    broken = Exercise("b", (Property("p", Text("", ""), Text("", ""), lambda f: 1 / 0),))
    with pytest.raises(ZeroDivisionError):
        judge(broken, double)


def test_an_unknown_id_lists_those_there_are():
    with pytest.raises(
        KeyError, match=r"no exercise 'scaling-none'; there are: .*scaling-variance"
    ):
        check("scaling-none", double)


def test_a_result_in_place_of_a_function_is_refused():
    with pytest.raises(TypeError, match="the function itself, without calling it, not float"):
        check("scaling-variance", 3.0)


def test_check_prints_the_same_twice_and_returns_nothing(capsys):
    assert check("scaling-scores", RIGHT["scaling-scores"]["matrix form"]) is None
    first = capsys.readouterr().out
    check("scaling-scores", RIGHT["scaling-scores"]["matrix form"])
    assert capsys.readouterr().out == first
    assert first.endswith("All 6 properties hold.\n")


def test_predictions_are_measured_far_from_the_border():
    start = predict._typical_entropy(**predict.START)
    for name, change in predict.CHANGES.items():
        moved = abs(predict._typical_entropy(**(predict.START | change)) - start)
        assert moved < 0.05 or moved > 0.25, name
