"""Checks for the exercises of the book: what holds, and a hint for the first thing that does not.

Each chapter has a folder and each exercise a module in it; how they are judged stands in
``machinery``, and what an answer may look like in ``answers``.
"""

import sys

from attnlib.exercises.catalogue import exercise
from attnlib.exercises.machinery import judge, report

__all__ = ["check"]


def check(exercise_id, answer):
    """Print which properties of an exercise a function has, and a hint for the first it lacks.

    The function gets copies of its inputs. What it returns may be arrays, lists, tuples,
    generators or maps of Python's or NumPy's numbers, fractions, decimals or SymPy's; text and
    truth values are no numbers. Results in float32 are held to its precision. Values are judged,
    never warnings.

    The environment variable ``ATTNLIB_LANG`` chooses the language: ``en`` (the default) or ``zh``;
    a console that cannot show it gets plain marks, or English.

    Parameters
    ----------
    exercise_id : str
        The name of the exercise, as printed in the chapter.
    answer : callable
        The function that solves it.

    Raises
    ------
    KeyError
        If there is no such exercise; the message lists those there are.
    TypeError
        If `answer` is not a function, most often because it was called already.
    """
    found = exercise(exercise_id)
    if not callable(answer):
        raise TypeError(
            f"answer must be the function itself, without calling it, not {type(answer).__name__}"
        )
    told = report(exercise_id, answer, judge(found, answer))
    print(told.on(getattr(sys.stdout, "encoding", None) or "utf-8"))
