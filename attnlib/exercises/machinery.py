"""Judge a function by named properties, and say what holds."""

import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attnlib.exercises.answers import Unreadable, listed
from attnlib.exercises.text import Text


@dataclass(frozen=True)
class Property:
    """One thing that a right answer does.

    `holds` gets the reader's function, as an `Answer`, and returns whether it does so; `hint` helps
    where it does not, without giving the solution away. A property may rely on those before it.
    Where it is of a declared kind, `rule` is the `declared.Rule` that a page judges by as well.
    """

    key: str
    says: Text
    hint: Text
    holds: Callable
    rule: object = None


@dataclass(frozen=True)
class Exercise:
    """An exercise: its properties in the order of the check, and what an answer returns.

    `reads(result, *inputs)` turns what a function returned for these inputs into the one form that
    the properties see, or raises `Unreadable`. An answer that is written down consists of `fields`.
    """

    properties: tuple[Property, ...]
    reads: Callable
    fields: tuple = ()


@dataclass(frozen=True)
class Verdict:
    """What was found: the properties that hold, and what stopped the check.

    `error` was raised by the reader's function, `unreadable` says what is wrong with the form of
    its result, and `broken` was raised by the property itself, which is a fault of the book.
    """

    held: tuple[Property, ...]
    failed: Property | None = None
    error: Exception | None = None
    unreadable: Text | None = None
    broken: Exception | None = None
    unfinished: bool = False


class _Unfinished(Exception):  # noqa: N818 (it ends a check, it is no error)
    pass


class Raised(Exception):  # noqa: N818
    """The reader's function raised an error."""

    def __init__(self, error):
        super().__init__()
        self.error = error


class Answer:
    """The reader's function: it gets copies, and its results come in the form of the exercise."""

    def __init__(self, exercise, function):
        self._exercise, self._function = exercise, function

    def __call__(self, *inputs):
        return self._exercise.reads(self.raw(*inputs), *inputs)

    def raw(self, *inputs):
        """Return what the function returned, with generators made lists and nothing else done."""
        try:
            result = listed(self._function(*copy.deepcopy(inputs)))
        except NotImplementedError:
            raise _Unfinished from None
        except Unreadable:
            raise
        except Exception as error:
            raise Raised(error) from error
        if _has_gap(result):
            raise _Unfinished
        return result


def judge(exercise, function):
    """Check the properties in order, up to the first that does not hold."""
    answer, held = Answer(exercise, function), []
    for prop in exercise.properties:
        try:
            # Values are judged, never warnings: not every NumPy warns.
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                holds = prop.holds(answer)
        except _Unfinished:
            return Verdict(tuple(held), prop, unfinished=True)
        except Raised as raised:
            return Verdict(tuple(held), prop, error=raised.error)
        except Unreadable as unreadable:
            return Verdict(tuple(held), prop, unreadable=unreadable.why)
        except Exception as error:
            return Verdict(tuple(held), prop, broken=error)
        if not holds:
            return Verdict(tuple(held), prop)
        held.append(prop)
    return Verdict(tuple(held))


def report(exercise_id, function, verdict):
    """Return what a reader is told about a verdict, in both languages."""
    name = getattr(function, "__name__", type(function).__name__)
    if verdict.unfinished:
        return UNFINISHED.format(name=name)
    lines = [_same(exercise_id), *(HOLDS.format(says=prop.says) for prop in verdict.held)]
    if verdict.failed is None:
        lines.append(ALL_HOLD.format(count=len(verdict.held)))
        return _joined(lines)
    if verdict.broken is not None:
        lines.append(UNKNOWN.format(says=verdict.failed.says))
        lines.append(BROKEN.format(error=_first_line(verdict.broken)))
        return _joined(lines)
    lines.append(FAILS.format(says=verdict.failed.says))
    if verdict.error is not None:
        lines.append(RAISED.format(name=name, error=_first_line(verdict.error)))
    if verdict.unreadable is not None:
        lines.append(UNREADABLE.format(name=name, why=verdict.unreadable))
    lines.append(HINT.format(hint=verdict.failed.hint))
    return _joined(lines)


UNFINISHED = Text(
    "Not finished yet: {name} returns nothing, or still has a ... in it.",
    "尚未完成：{name} 没有返回结果，或者其中还有 ... 没有替换。",
)
HOLDS = Text("  ✓ {says}", "  ✓ {says}")
FAILS = Text("  ✗ {says}", "  ✗ {says}")
UNKNOWN = Text("  ? {says}", "  ? {says}")
ALL_HOLD = Text("All {count} properties hold.", "{count} 条性质全部成立。")
RAISED = Text("    {name} raised {error}", "    {name} 抛出了异常 {error}")
UNREADABLE = Text(
    "    The result of {name} does not fit: {why}", "    {name} 的返回结果不合要求：{why}"
)
BROKEN = Text(
    "    This part of the check broke by itself ({error}). That is a fault of the book and says "
    "nothing about your function.",
    "    这一项检查自身出错了（{error}）。这是本书的问题，与你的函数无关。",
)
HINT = Text("    Hint: {hint}", "    提示：{hint}")


def _same(text):
    return Text(text, text)


def _joined(lines):
    return Text("\n".join(line.en for line in lines), "\n".join(line.zh for line in lines))


def _first_line(error):
    first_line = str(error).partition("\n")[0]
    return type(error).__name__ + (f": {first_line}" if first_line else "")


def _has_gap(result):
    """Whether a result is, or contains, a place that was left open."""
    if isinstance(result, dict):
        return any(map(_has_gap, result.values()))
    if isinstance(result, list | set | frozenset):
        return any(map(_has_gap, result))
    return result is None or result is ...
