"""What a written answer consists of: named fields, what each may hold, and how it is read."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from attnlib.exercises.answers import Unreadable, numbers, quote
from attnlib.exercises.text import Text, both


@dataclass(frozen=True)
class Field:
    """One named part of an answer; its English label is its name in the notebook."""

    label: Text
    kind: ClassVar[str]

    @property
    def name(self):
        return self.label.en


@dataclass(frozen=True)
class Numbers(Field):
    """One number, or a row of several. They are any numbers, shares of a whole, or sizes."""

    size: int = 1
    are: str = "numbers"
    kind = "numbers"

    def read(self, value):
        array = np.asarray(numbers(value), dtype=float)
        if self.size == array.size == 1:  # it may also stand alone in a row
            return array.reshape(())
        if self.size == 1 or array.shape != (self.size,):
            raise Unreadable(MISSHAPEN.format(name=self.name, shape=array.shape))
        return array


@dataclass(frozen=True)
class Choice(Field):
    """One of some words; capitals and spaces around a word are free."""

    options: tuple[Text, ...]
    kind = "choice"

    def read(self, value):
        word = " ".join(value.split()).lower() if isinstance(value, str) else value
        if not isinstance(word, str) or word not in [option.en for option in self.options]:
            raise Unreadable(NO_SUCH_WORD.format(name=self.name, value=quote(value)))
        return word


@dataclass(frozen=True)
class Positions(Field):
    """A set of positions from 1 to the last, in any collection; it may be empty."""

    options: tuple[int, ...]
    least: int = 0
    kind = "set"

    def read(self, value):
        found = numbers(list(value) if isinstance(value, set | frozenset) else value)
        if not (np.isin(found, self.options)).all():
            raise Unreadable(NO_POSITION.format(value=quote(value)))
        return {int(position) for position in found.ravel()}


@dataclass(frozen=True)
class Letters(Field):
    """One or more letters, in one string or in any collection."""

    options: tuple[str, ...]
    least: int = 1
    kind = "set"

    def read(self, value):
        parts = value if isinstance(value, list | set | frozenset) else [value]
        if not all(isinstance(part, str) for part in parts):
            raise Unreadable(NO_LETTERS.format(value=quote(value)))
        found = set("".join(parts).upper()) - set(" ,;，、")
        if not found or not found <= set(self.options):
            raise Unreadable(NO_LETTERS.format(value=quote(value)))
        return found


# How an exercise writes its fields; a label is `English | 中文`, or a symbol, the same in both.


def row(label, size):
    return Numbers(both(label), size)


def number(label):
    return Numbers(both(label))


def shares(label, size=1):
    return Numbers(both(label), size, "shares")


def sizes(label, size):
    return Numbers(both(label), size, "sizes")


def choice(label, *options):
    return Choice(both(label), tuple(map(both, options)))


def positions(label, last):
    return Positions(both(label), tuple(range(1, last + 1)))


def letters(label, alphabet):
    return Letters(both(label), tuple(alphabet))


def reading(fields):
    """Make the function that reads a whole answer: a dictionary with the name of every field."""

    def read(result):
        if not isinstance(result, dict):
            raise Unreadable(NO_NAMES)
        names = [field.name for field in fields]
        for name in names:
            if name not in result:
                raise Unreadable(NAME_MISSING.format(name=name))
        for name in result:
            if name not in names:
                raise Unreadable(NAME_UNKNOWN.format(name=quote(name)))
        return {field.name: field.read(result[field.name]) for field in fields}

    return read


MISSHAPEN = Text("the shape of '{name}' is {shape}.", "“{name}”的形状是 {shape}。")
NO_SUCH_WORD = Text(
    "{value} is none of the answers to '{name}'.", "{value} 不是“{name}”的可选答案。"
)
NO_NAMES = Text(
    "it is no dictionary with the names of the cell.", "它不是带有单元格中那些名称的字典。"
)
NAME_MISSING = Text("'{name}' is missing.", "缺少“{name}”。")
NAME_UNKNOWN = Text("there is no {name} in the exercise.", "练习中没有 {name}。")
NO_POSITION = Text(
    "{value} is not a collection of positions of the exercise.", "{value} 不是题中位置的集合。"
)
NO_LETTERS = Text(
    "{value} does not consist of letters of the exercise.", "{value} 不是由题中的字母组成的。"
)
