"""Exercises in which the reader predicts what changes do, and the check finds it out."""

from string import ascii_lowercase

from attnlib.exercises.declared import declared, form, right
from attnlib.exercises.fields import choice

TWO_TO_FOUR = {2: ("two", "两"), 3: ("three", "三"), 4: ("four", "四")}


def predictions(outcome, changes, field, asked=None):
    """Return the exercise: one property for the form of the answer, and one for each change.

    Parameters
    ----------
    outcome : callable
        ``outcome("a")`` is the right prediction of the first change: computed, not looked up.
    changes : dict
        What each change is, and a hint that helps to foresee what it does, as ``English | 中文``.
    field : callable or tuple of str
        ``field("a")`` is where the first prediction stands; or the words to choose from.
    asked : Property, optional
        Looks at the form; where the words are the same for all changes, it follows from them.
    """
    letters = ascii_lowercase[: len(changes)]
    if asked is None:
        asked, words = one_of_the_words(field, letters[-1]), field
        field = lambda letter: choice(letter, *words)  # noqa: E731
    properties = [
        right(letter, letter, outcome(letter)).told(_lettered(letter, says), hint)
        for letter, (says, hint) in zip(letters, changes.items(), strict=True)
    ]
    return declared(tuple(map(field, letters)), asked, *properties)


def one_of_the_words(words, last):
    """The property that one of a few words stands for each change."""
    quoted = [f"'{word.partition(' | ')[0]}'" for word in words]
    english, chinese = TWO_TO_FOUR[len(words)]
    return form(
        f"one of the {english} words for each of a to {last} | a 到 {last} 各填{chinese}个词之一",
        f"Write {', '.join(quoted[:-1])} or {quoted[-1]}, in quotes. | "
        f"请填写 {'、'.join(quoted[:-1])} 或 {quoted[-1]}，并加引号。",
    )


def _lettered(letter, says):
    return " | ".join(f"({letter}) {sentence}" for sentence in says.split(" | "))
