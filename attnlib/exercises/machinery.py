"""Judge a function by named properties, and say what holds in the reader's language."""

import copy
import os
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A sentence in both languages of the book."""

    en: str
    zh: str

    def __str__(self):
        return self.zh if os.environ.get("ATTNLIB_LANG", "en").startswith("zh") else self.en


@dataclass(frozen=True)
class Property:
    """One thing that a right answer does.

    `holds` gets the reader's function and returns whether it does so; `hint` helps where it does
    not, without giving the solution away. A property may rely on those before it.
    """

    key: str
    says: Text
    hint: Text
    holds: Callable


@dataclass(frozen=True)
class Exercise:
    """An exercise: its id and its properties, in the order in which they are checked."""

    id: str
    properties: tuple[Property, ...]


@dataclass(frozen=True)
class Verdict:
    """What was found: the properties that hold, and what stopped the check."""

    held: tuple[Property, ...]
    failed: Property | None = None
    error: Exception | None = None
    unfinished: bool = False


class _Unfinished(Exception):  # noqa: N818 (it ends a check, it is no error)
    pass


class _Raised(Exception):  # noqa: N818
    def __init__(self, error):
        super().__init__()
        self.error = error


def judge(exercise, answer):
    """Check the properties in order, up to the first that does not hold."""
    answer, held = _guarded(answer), []
    for prop in exercise.properties:
        try:
            holds = prop.holds(answer)
        except _Unfinished:
            return Verdict(tuple(held), prop, unfinished=True)
        except _Raised as raised:
            return Verdict(tuple(held), prop, error=raised.error)
        except (TypeError, ValueError, LookupError, AttributeError):
            # The answer has a form that the property cannot even look at.
            holds = False
        if not holds:
            return Verdict(tuple(held), prop)
        held.append(prop)
    return Verdict(tuple(held))


def report(exercise, answer, verdict):
    """Return the lines that tell a reader about a verdict."""
    name = getattr(answer, "__name__", type(answer).__name__)
    if verdict.unfinished:
        return str(UNFINISHED).format(name=name)
    lines = [exercise.id, *(f"  ✓ {prop.says}" for prop in verdict.held)]
    if verdict.failed is None:
        lines.append(str(ALL_HOLD).format(count=len(verdict.held)))
        return "\n".join(lines)
    lines.append(f"  ✗ {verdict.failed.says}")
    if verdict.error is not None:
        first_line = str(verdict.error).partition("\n")[0]
        error = type(verdict.error).__name__ + (f": {first_line}" if first_line else "")
        lines.append("    " + str(RAISED).format(name=name, error=error))
    lines.append("    " + str(HINT).format(hint=verdict.failed.hint))
    return "\n".join(lines)


UNFINISHED = Text(
    "Not finished yet: {name} returns nothing, or still has a ... in it.",
    "尚未完成：{name} 没有返回结果，或者其中还有 ... 没有替换。",
)
ALL_HOLD = Text("All {count} properties hold.", "{count} 条性质全部成立。")
RAISED = Text("{name} raised {error}", "{name} 抛出了异常 {error}")
HINT = Text("Hint: {hint}", "提示：{hint}")


def _guarded(answer):
    """Hand out copies, and tell a gap or an error of the reader's from one of a property."""

    def call(*inputs):
        try:
            result = answer(*copy.deepcopy(inputs))
        except NotImplementedError:
            raise _Unfinished from None
        except Exception as error:
            raise _Raised(error) from error
        if _has_gap(result):
            raise _Unfinished
        return result

    return call


def _has_gap(result):
    """Whether a result is, or contains, a place that was left open."""
    if isinstance(result, dict):
        return any(map(_has_gap, result.values()))
    if isinstance(result, list | tuple):
        return any(map(_has_gap, result))
    return result is None or result is ...
