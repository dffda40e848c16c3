"""Every decimal number in a chapter's prose stands in an output or an assertion of the chapter."""

import math
from decimal import Decimal

import pytest
from book import NOTEBOOKS, read
from numbers_in_prose import backed, backs, exceptions, quotes, significant, unbacked

PATHS = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
FUNCTIONS = {name: getattr(math, name) for name in ("exp", "sqrt", "log")}


@PATHS
def test_a_number_in_prose_is_computed_in_its_chapter(path):
    """What is not, is listed with a reason; what is listed and stands nowhere is refused too."""
    listed = [entry["number"] for entry in exceptions(path.stem)]
    assert sorted(set(unbacked(read(path), path.stem))) == sorted(listed)


@PATHS
def test_an_exception_has_a_reason_and_a_true_formula(path):
    for entry in exceptions(path.stem):
        assert entry["because"], entry
        if "is" in entry:
            value = Decimal(eval(entry["is"], {"__builtins__": {}}, FUNCTIONS))
            assert backs(value, entry["number"], False), entry


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
