"""Every decimal number in a chapter's prose stands in an output or an assertion of the chapter."""

import math
from decimal import Decimal

import pytest
from manuscript import NOTEBOOKS, read
from numbers_in_prose import (
    asserted,
    backed,
    backs,
    exceptions,
    printed,
    quotes,
    significant,
    unbacked,
)

PATHS = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
FUNCTIONS = {name: getattr(math, name) for name in ("exp", "sqrt")} | {"round": round}


@PATHS
def test_a_number_in_prose_is_computed_in_its_chapter(path):
    """What is not, is listed with a reason; what is listed and stands nowhere is refused too."""
    listed = [entry["number"] for entry in exceptions(path.stem)]
    assert sorted(set(unbacked(read(path), path.stem))) == sorted(listed)


@PATHS
def test_an_exception_has_a_reason_and_stays_true(path):
    cells = {cell["id"]: cell for cell in read(path)["cells"]}
    for entry in exceptions(path.stem):
        assert entry["because"], entry
        values = []
        if "is" in entry:
            values = [Decimal(eval(entry["is"], {"__builtins__": {}}, FUNCTIONS))]
        elif "cell" in entry:
            values = printed(cells[entry["cell"]]) + asserted(cells[entry["cell"]])
        if {"is", "cell"} & set(entry):
            wanted = {"percent": False, "fewest_digits": 1}
            assert any(backs(value, entry["number"], **wanted) for value in values), entry


def test_a_changed_digit_is_noticed_as_a_rule():
    """Of the numbers with two digits or more: at least four of five changes of the last digit."""
    changed = [
        backed(number[:-1] + digit, percent, *values)
        for path in NOTEBOOKS
        for number, percent, *values in quotes(read(path), path.stem)
        for digit in "0123456789"
        if significant(number) >= 2 and digit != number[-1]
    ]
    assert changed
    assert changed.count(True) <= 0.2 * len(changed)
