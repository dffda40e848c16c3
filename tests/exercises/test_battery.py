"""The battery: right answers in every style are accepted, near misses rejected by their name."""

import answer_styles
import near_misses
import near_numbers
import pytest
from answer_battery import RIGHT, styled

from attnlib.exercises.catalogue import exercise, exercise_ids
from attnlib.exercises.machinery import judge

ON_ARRAYS = [id_ for id_ in exercise_ids() if answer_styles.styles(id_) is answer_styles.COMPUTED]


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_a_right_answer_is_accepted_in_every_style(exercise_id):
    for name, answer in styled(exercise_id):
        verdict = judge(exercise(exercise_id), answer)
        assert verdict.failed is None, (name, verdict)
        assert verdict.held == exercise(exercise_id).properties


@pytest.mark.parametrize("exercise_id", exercise_ids())
def test_a_near_miss_is_rejected_by_the_property_that_names_it(exercise_id):
    cases = near_misses.of_exercise(exercise_id)
    assert cases
    for name, answer, keys in cases:
        verdict = judge(exercise(exercise_id), answer)
        assert verdict.broken is None, name
        assert verdict.error is None, name
        failed = verdict.failed and verdict.failed.key
        assert failed in (keys or [None]), f"{name}: {failed}"


@pytest.mark.parametrize("exercise_id", near_numbers.BY_HAND)
def test_text_and_truth_values_are_no_numbers(exercise_id):
    right = near_numbers.BY_HAND[exercise_id]()()
    for name, value in right.items():
        parts = value if isinstance(value, tuple) else (value,)
        for disguised in ([str(part) for part in parts], [bool(part) for part in parts]):
            answer = disguised if isinstance(value, tuple) else disguised[0]
            verdict = judge(exercise(exercise_id), near_numbers.with_value(right, name, answer))
            assert verdict.failed.key == "form", (name, answer)


@pytest.mark.parametrize("exercise_id", ON_ARRAYS)
def test_an_exercise_on_arrays_is_solved_in_every_way_of_writing(exercise_id):
    ways = answer_styles.WRITTEN
    if exercise_id not in answer_styles.WITHOUT_BATCH:
        ways = (*ways, answer_styles.BATCH)
    assert not [way for way in ways if way not in RIGHT[exercise_id]]


def test_an_exercise_on_arrays_meets_more_than_eight_styles():
    assert len(ON_ARRAYS) == 10
    assert len(answer_styles.COMPUTED) + len(answer_styles.WRITTEN) > 8
