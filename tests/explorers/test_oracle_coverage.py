"""Every number that an explorer shows has an oracle, and every explorer a test of its words."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from both_sides import SIDES, kind, started
from explorer_state import CLASSES
from labelled import View

HERE = Path(__file__).parent


def oracles_of(name):
    """The kinds of numbers that have an oracle."""
    file = HERE / f"test_oracle_{name}.py"
    assert file.is_file(), f"{name} has no oracles; they belong into {file.name}"
    return {*import_module(file.stem).ORACLES}


@pytest.mark.parametrize("name", CLASSES)
def test_every_number_of_both_sides_has_an_oracle(name):
    oracles = oracles_of(name)
    for side, numbers_of in SIDES.items():
        (numbers,) = numbers_of(name, started(name, [{}]))
        assert {kind(number) for number in numbers} <= oracles, side


@pytest.mark.parametrize("name", CLASSES)
def test_every_number_in_the_page_has_an_oracle_or_is_set_by_the_reader(name, every_explorer):
    (start,) = started(name, [{}])
    shown = {kind(number) for number in View(every_explorer[0], name).seen().names}
    assert shown
    assert shown <= oracles_of(name) | {*start}


def test_the_words_of_every_explorer_are_tested():
    sources = [file.read_text(encoding="utf-8") for file in HERE.glob("test_oracle_labels*.py")]
    tested = {name for text in sources for name in re.findall(r"^def test_([a-z]+)_", text, re.M)}
    assert {*CLASSES} <= tested, "test_<name>_... in test_oracle_labels*.py"
