"""Exercises that are data: fields, and properties of a few kinds, which ``judge.js`` judges too."""

from dataclasses import dataclass

import numpy as np

from attnlib.exercises.answers import close
from attnlib.exercises.fields import reading
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.text import both


def near(value, expected, within):
    """Whether numbers found on paper are right to the decimals that were asked for."""
    return bool(np.allclose(value, expected, rtol=0, atol=within))


def proportional(value, expected, within):
    """Whether a row is a positive multiple of another, which begins with a positive number."""
    return value[0] > 0 and near(value * expected[0] / value[0], expected, within)


def positive(value, rows):
    """Whether the dot product of a vector with every row is positive, and not just by rounding."""
    return bool((rows @ value > 1e-5 * np.abs(value).max()).all())


# each gets what a field holds, what is right, and how far it may be from that
KINDS = {
    "form": lambda value, expected, within: True,  # an answer that cannot be read ends the check
    "is": lambda value, expected, within: close(value, expected),
    "near": near,
    "sum": lambda value, expected, within: abs(value.sum() - expected) < within,
    "signs": lambda value, expected, within: (np.sign(value) == expected).all(),
    "multiset": lambda value, expected, within: close(np.sort(value), np.sort(expected)),
    "proportional": proportional,
    "positive": lambda value, expected, within: positive(value, expected),
    "word": lambda value, expected, within: value == expected,
    "set": lambda value, expected, within: value == expected,
    "one of": lambda value, expected, within: bool(value) and value <= expected,
}


@dataclass(frozen=True)
class Rule:
    """What a property asks of a field: its kind, what is right, and how far off is near enough."""

    key: str
    kind: str
    field: str | None = None
    expected: object = None
    within: float | None = None

    def holds(self, f):
        answer = f()
        return KINDS[self.kind](answer.get(self.field), self.expected, self.within)

    def told(self, says, hint):
        """Return the property, with its words as `English | 中文`."""
        return Property(self.key, both(says), both(hint), self.holds, self)


def right(key, field, expected, within=None):
    """Begin the property that a field holds the right numbers, or word, or set."""
    kind = {str: "word", set: "set"}.get(type(expected), "near" if within else "is")
    return Rule(key, kind, field, expected, within)


KEEP_THE_CELL = (
    "Keep the names and the number of places of the cell as it was, and fill in numbers, without "
    "quotes. | 请保留单元格原来的名称和空位个数，只填入数字，不加引号。"
)


def form(says, hint=KEEP_THE_CELL):
    """Return the property that an answer has the form that was asked for."""
    return Rule("form", "form").told(says, hint)


def declared(fields, *properties):
    """Return the exercise in which an answer of these fields is written down."""
    return Exercise(properties, reading(fields), tuple(fields))
