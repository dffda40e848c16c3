"""What every check accepts, written down once, and how two results are compared.

Numbers may be Python's, NumPy's, fractions, decimals or SymPy's; rows may be lists, tuples,
generators, maps or arrays. Text is no number, and neither is a truth value. A result in float32 is
as right as one in float64: how close is close enough follows the coarser dtype of the two.
"""

import numbers as kinds
from collections import deque
from collections.abc import Iterator, Mapping, MappingView
from itertools import islice

import numpy as np

from attnlib.exercises.text import Text

FLOATS = (np.float16, np.float32, np.float64)
# relative to the largest number compared, and to 1: the inputs of all checks are of that size
TOLERANCES = {np.dtype(np.float16): 2e-2, np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-5}
MOST_ITEMS = 100_000
LONGEST_QUOTE = 40


class Unreadable(Exception):  # noqa: N818 (it tells about an answer, it is no error of the book)
    """An answer in a form that no check can read; `why` says so in both languages."""

    def __init__(self, why):
        super().__init__(why.en)
        self.why = why


def listed(result, inside=()):
    """Return a result in which every generator, map and other iterator is a list."""
    if id(result) in inside:
        raise Unreadable(HOLDS_ITSELF)
    inside = (*inside, id(result))
    if isinstance(result, Mapping):
        return {name: listed(value, inside) for name, value in result.items()}
    if isinstance(result, np.ndarray) and result.dtype == object:
        return listed(result[()], inside) if result.ndim == 0 else _list(result, inside)
    if isinstance(result, list | tuple | range | deque | Iterator | MappingView):
        return _list(result, inside)
    return result


def _list(result, inside):
    items = [listed(item, inside) for item in islice(result, MOST_ITEMS + 1)]
    if len(items) > MOST_ITEMS:
        raise Unreadable(TOO_LONG)
    return items


def numbers(value):
    """Return a number, or rows of numbers, as a float array: float16 and float32 stay."""
    if isinstance(value, list | tuple):
        parts = [numbers(part) for part in value]
        if len({part.shape for part in parts}) > 1:
            raise Unreadable(UNEVEN)
        return np.stack(parts) if parts else np.zeros(0)
    if isinstance(value, str | bytes | np.str_) or _kind(value) in ("S", "U"):
        raise Unreadable(IS_TEXT.format(value=quote(value)))
    if isinstance(value, bool) or _kind(value) == "b":
        raise Unreadable(IS_TRUTH)
    if hasattr(value, "dtype") or hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.dtype.type in FLOATS:
            return array
        if array.dtype.kind in "iuf":
            return array.astype(np.float64)
    if isinstance(value, kinds.Complex) and not isinstance(value, kinds.Real):
        raise Unreadable(NO_NUMBER.format(value=quote(value)))
    try:
        return np.asarray(float(value))
    except (TypeError, ValueError, OverflowError):
        raise Unreadable(NO_NUMBER.format(value=quote(value))) from None


def _kind(value):
    return getattr(getattr(value, "dtype", None), "kind", None)


def quote(value):
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def tolerance(*arrays):
    """Return how far results may differ: that of the coarsest dtype among them."""
    return max(
        TOLERANCES.get(np.asarray(array).dtype, TOLERANCES[np.dtype(float)]) for array in arrays
    )


def equal(value, expected):
    """Tell, entry by entry, what is the same but for rounding."""
    allowed = tolerance(value, expected)
    value, expected = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
    size = max(np.abs(expected[np.isfinite(expected)]).max(initial=0), 1)
    return np.isclose(value, expected, rtol=allowed, atol=allowed * size)


def close(value, expected):
    """Whether two results have one shape and are the same but for rounding."""
    return np.shape(value) == np.shape(expected) and bool(equal(value, expected).all())


# What an exercise asks for: each of these makes the function that reads a result.


def shaped(shape):
    """Ask for numbers of a shape that follows from the inputs: `shape(*inputs)`."""

    def reads(result, *inputs):
        value = numbers(result)
        if value.shape != shape(*inputs):
            raise Unreadable(MISSHAPEN.format(shape=value.shape))
        return value

    return reads


def all_shaped(*shapes):
    """Ask for several arrays, one after the other, each of its own shape."""

    def reads(result, *inputs):
        parts = _parts(result)
        if len(parts) != len(shapes):
            raise Unreadable(HOW_MANY.format(count=len(parts)))
        return [shaped(shape)(part, *inputs) for shape, part in zip(shapes, parts, strict=True)]

    return reads


def _parts(result):
    if isinstance(result, np.ndarray) and result.ndim:
        return list(result)
    return result if isinstance(result, list) else [result]


def matrices(count):
    """Ask for several matrices of whatever sizes."""

    def reads(result, *inputs):
        found = [numbers(part) for part in _parts(result)]
        if len(found) != count:
            raise Unreadable(HOW_MANY.format(count=len(found)))
        for matrix in found:
            if matrix.ndim != 2:
                raise Unreadable(MISSHAPEN.format(shape=matrix.shape))
        return found

    return reads


def truth(result, *inputs):
    """Ask for True or False."""
    if isinstance(result, bool | np.bool_) or (_kind(result) == "b" and np.shape(result) == ()):
        return bool(result)
    raise Unreadable(NO_TRUTH.format(value=quote(result)))


HOLDS_ITSELF = Text("a list in it holds itself.", "其中有一个列表包含了自身。")
TOO_LONG = Text("something in it does not end.", "其中有一项没有尽头。")
UNEVEN = Text("its rows differ in length.", "各行的长度不一致。")
IS_TEXT = Text("{value} is text, not a number.", "{value} 是文本，不是数。")
IS_TRUTH = Text("it holds a truth value in place of a number.", "应当是数的地方是一个真值。")
NO_NUMBER = Text("{value} is not a number.", "{value} 不是数。")
MISSHAPEN = Text("its shape is {shape}.", "它的形状是 {shape}。")
HOW_MANY = Text("the number of results is {count}.", "结果的个数是 {count}。")
NO_TRUTH = Text("{value} is neither True nor False.", "{value} 既不是 True 也不是 False。")
