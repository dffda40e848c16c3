"""Exercises in which the reader predicts what changes do, and the check finds it out."""

from typing import NamedTuple

from attnlib.exercises.answers import choices
from attnlib.exercises.machinery import Exercise, Property
from attnlib.exercises.on_paper import form
from attnlib.exercises.text import Text


class Prediction(NamedTuple):
    """One change: its name, what it is, and a hint that helps to foresee what it does."""

    change: str
    says_en: str
    says_zh: str
    hint_en: str
    hint_zh: str

    def as_property(self, outcome):
        return Property(
            self.change,
            Text(f"({self.change}) {self.says_en}", f"({self.change}) {self.says_zh}"),
            Text(self.hint_en, self.hint_zh),
            lambda f: f()[self.change] == outcome(self.change),
        )


def predictions(says, hint, cases, outcome, reads):
    """Return the exercise: one property for the form of the answer, and one for each change.

    Parameters
    ----------
    says, hint : Text
        Of the property that looks at the form.
    cases : tuple of Prediction
    outcome : callable
        ``outcome(change)`` is the right prediction: computed, not looked up.
    reads : dict or callable
        The words to choose from, for each change, or the function that reads an answer.
    """
    changes = (case.as_property(outcome) for case in cases)
    return Exercise((form(says, hint), *changes), reads if callable(reads) else choices(reads))
