"""Every derivation with assumptions says what each step spends, and what happens without it."""

from __future__ import annotations

import pytest
from book.lesson import ledger
from book.lesson.predictions import values_of
from manuscript import NOTEBOOKS, read, source

WITH_LEDGERS = {
    path.stem: [source(cell) for cell in read(path)["cells"] if ledger.is_ledger(cell)]
    for path in NOTEBOOKS
}
EACH = pytest.mark.parametrize(
    "text", [pytest.param(t, id=name) for name, texts in WITH_LEDGERS.items() for t in texts]
)
RIGHT = """
1. **Even**: $a$ is even.
2. **Large**: $a > 2$.

| | step | why | uses |
|---|---|---|---|
| (a) | $a = 2b$ | that is what even means | 1 |
| (b) | $b > 1$ | half of more than 2 | 2, (a) |

- **Without 1** it may be odd.
- **Without 2** it may be 2.
"""
SPOILT = {
    "no letter": (RIGHT.replace("2, (a)", "2, (c)"), "step b uses c"),
    "no number": (RIGHT.replace("| 1 |", "| 3 |"), "step a uses 3"),
    "a later step": (RIGHT.replace("| 1 |", "| 1, (b) |"), "step a uses b"),
    "an idle assumption": (RIGHT.replace("2, (a)", "(a)"), "no step uses 2"),
    "no word about one": (RIGHT.replace("- **Without 2** it may be 2.", ""), "what happens"),
    "no steps": (RIGHT.partition("| |")[0], "no steps"),
    "counted wrong": (RIGHT.replace("\n2. **", "\n3. **"), "counted 1, 3"),
}


def test_some_chapters_have_one():
    assert sum(map(bool, WITH_LEDGERS.values())) >= 3


@EACH
def test_it_is_whole_and_every_assumption_carries_the_result(text):
    assert not ledger.fault_of(text)
    *_, result = ledger.spent(text).values()
    numbers = {*ledger.ASSUMPTION.findall(text)}
    assert result
    # taking any of them away drops a step
    assert set().union(*ledger.spent(text).values()) == numbers


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_where_a_cell_has_tried_it_the_same_steps_fall(path):
    """Each assumption taken away in turn, and every step proved anew."""
    notebook = read(path)
    for cell in filter(ledger.is_ledger, notebook["cells"]):
        tried = cell["metadata"]["ledger"]
        if isinstance(tried, dict):
            spent = ledger.spent(source(cell))
            numbers = ledger.ASSUMPTION.findall(source(cell))
            expected = [[number in each for each in spent.values()] for number in numbers]
            assert values_of(notebook, tried["of"])[tried["measured"]] == expected


def test_one_ledger_at_least_is_tried():
    cells = [cell for path in NOTEBOOKS for cell in read(path)["cells"]]
    assert any(isinstance(cell["metadata"].get("ledger"), dict) for cell in cells)


def test_what_is_spent_is_passed_on():
    assert ledger.uses(RIGHT) == {"a": ["1"], "b": ["2", "a"]}
    assert ledger.spent(RIGHT) == {"a": {"1"}, "b": {"1", "2"}}
    assert not ledger.fault_of(RIGHT)


@pytest.mark.parametrize(("text", "fault"), SPOILT.values(), ids=[*SPOILT])
def test_a_spoilt_one_stops_the_build(text, fault):
    assert fault in ledger.fault_of(text)
