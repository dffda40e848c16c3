"""The page judges every written answer as the notebook does, to the property and its words."""

import re

import both_judges as both
import pytest

from attnlib.exercises.catalogue import exercise
from attnlib.exercises.exported import exported
from attnlib.exercises.machinery import judge, report

ANSWERS = {
    id_: {"catalogued": [*both.catalogued(id_)], "possible": both.possible(id_)}
    for id_ in both.WRITTEN
}


def shown(data, held, lang):
    """What a page shows of a verdict: the words of what holds, and of the first that does not."""
    marks = ["✓"] * held + ["✗"]
    words = zip(marks, data["properties"], strict=False)
    lines = [f"  {mark} {prop['says'][lang]}" for mark, prop in words]
    if held < len(data["properties"]):
        hint = data["properties"][held]["hint"][lang]
        lines.append(f"    {'Hint: ' if lang == 'en' else '提示：'}{hint}")
    return lines


@pytest.fixture(scope="module")
def in_javascript():
    """The verdict on every answer, from one process."""
    asked = [
        (id_, answer)
        for id_, kinds in ANSWERS.items()
        for answer in (*kinds["catalogued"], *kinds["possible"])
    ]
    verdicts = both.in_javascript([(id_, both.as_json(id_, answer)) for id_, answer in asked])
    found = {id_: [] for id_ in ANSWERS}
    for (id_, answer), verdict in zip(asked, verdicts, strict=True):
        found[id_].append((answer, *verdict))
    return found


def test_every_exercise_on_paper_and_prediction_is_data():
    names = {id_.partition("-")[2] for id_ in both.WRITTEN}
    assert len(both.WRITTEN) == 17
    assert names == {"by-hand", "predict", "never-first"}


@pytest.mark.parametrize("exercise_id", both.WRITTEN)
def test_both_judges_stop_at_the_same_property(exercise_id, in_javascript, record_property):
    keys = [prop["key"] for prop in exported(exercise_id)["properties"]]
    stopped = set()
    for answer, held, right in in_javascript[exercise_id]:
        verdict = judge(exercise(exercise_id), answer)
        assert verdict.broken is None
        failed = verdict.failed and verdict.failed.key
        stopped.add(failed)
        assert ([*keys, None][held], right) == (failed, failed is None), answer()
    assert stopped == {*keys, None}
    record_property("cases compared with the judge of the page", len(in_javascript[exercise_id]))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("exercise_id", both.WRITTEN)
def test_both_judges_say_the_same(exercise_id, lang, in_javascript):
    data = exported(exercise_id)
    count = len(ANSWERS[exercise_id]["catalogued"])
    for answer, held, _ in in_javascript[exercise_id][:count]:
        told = report(exercise_id, answer, judge(exercise(exercise_id), answer))
        lines = getattr(told, lang).splitlines()
        # the page says in a sentence of its own, beside the field, what cannot be read
        said = [line for line in lines if re.match(r"  [✓✗] |    (?:Hint: |提示：)", line)]
        assert said == shown(data, held, lang)
