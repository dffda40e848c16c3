"""Right answers in other styles: the same function, written or returned in another way.

A check must accept all of them. ``python tests/exercises/answer_battery.py`` prints the table.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import sympy as sp


def each(convert, result):
    """Convert every array of a result: of several results, or of the values of a dictionary."""
    if isinstance(result, dict):
        return {name: each(convert, value) for name, value in result.items()}
    if isinstance(result, set | str):
        return result
    if isinstance(result, tuple | list) and any(np.ndim(part) for part in result):
        return type(result)(convert(part) for part in result)
    return convert(result)


def results(f, inputs):
    """What a function returns, with a generator run to its end."""
    result = f(*inputs)
    return tuple(result) if isinstance(result, Iterator) else result


def returned(convert):
    """The style in which a result is converted before it is returned."""
    return lambda f: lambda *inputs: each(convert, results(f, inputs))


def leaves(convert):
    """Convert every number, rows becoming lists."""

    def converted(value):
        value = np.asarray(value)
        return convert(value.item()) if value.ndim == 0 else [converted(row) for row in value]

    return converted


def as_lists(value):
    return np.asarray(value).tolist()


def as_tuples(value):
    value = np.asarray(value)
    return value.item() if value.ndim == 0 else tuple(as_tuples(row) for row in value)


def as_generator(value):
    value = np.asarray(value)
    return value.item() if value.ndim == 0 else (as_generator(row) for row in value)


def as_map(value):
    value = np.asarray(value)
    return value.item() if value.ndim == 0 else map(as_map, value)


def as_float32(value):
    return np.asarray(value, dtype=np.float32)


def as_objects(value):
    return np.asarray(value).astype(object)


def as_strided(value):
    """The same numbers in a read-only view that runs backwards."""
    value = np.array(value)
    if value.ndim:
        value = value[::-1].copy()[::-1]
    value.flags.writeable = False
    return value


def computed_in_float32(f):
    def answer(*inputs):
        return f(
            *(
                x.astype(np.float32) if isinstance(x, np.ndarray) and x.dtype == float else x
                for x in inputs
            )
        )

    return answer


def computed_in_float32_lists_out(f):
    return returned(as_lists)(computed_in_float32(f))


def filled_zeros(f):
    """Results stand in arrays of zeros that were made with the dtype of the first input."""

    def answer(*inputs):
        dtype = np.asarray(inputs[0]).dtype

        def fill(value):
            out = np.zeros(np.shape(value), dtype=dtype)
            out[...] = value
            return out

        return each(fill, results(f, inputs))

    return answer


def in_place(f):
    """The inputs are used up."""

    def answer(*inputs):
        result = results(f, inputs)
        for x in inputs:
            if isinstance(x, np.ndarray):
                x[...] = 0
        return result

    return answer


def with_a_warning(f):
    def answer(*inputs):
        warnings.warn("deprecated", DeprecationWarning, stacklevel=2)
        np.array(1.0) / np.array(0.0)
        return f(*inputs)

    return answer


def for_each_name(make):
    return lambda f: lambda: {name: make(value) for name, value in f().items()}


RETURNED = {
    "lists": returned(as_lists),
    "tuples": returned(as_tuples),
    "generators": returned(as_generator),
    "maps": returned(as_map),
    "objects": returned(as_objects),
    "fractions": returned(leaves(Fraction)),
    "decimals": returned(leaves(Decimal)),
    "SymPy": returned(leaves(lambda x: sp.Rational(Fraction(x)))),
    "float32": returned(as_float32),
    "backwards": returned(as_strided),
}
# of a function of arrays
COMPUTED = RETURNED | {
    "in float32": computed_in_float32,
    "in float32, lists": computed_in_float32_lists_out,
    "zeros filled": filled_zeros,
    "in place": in_place,
    "warns": with_a_warning,
}
# of named numbers
NAMED = RETURNED | {
    "another mapping": lambda f: lambda: OrderedDict(reversed(f().items())),
    "warns": with_a_warning,
}
# of words
WORDS = {
    "capitals": for_each_name(str.upper),
    "spaces": for_each_name(" {} ".format),
    "NumPy's text": for_each_name(np.str_),
    "another mapping": NAMED["another mapping"],
}


# of a collection for each name
COLLECTIONS = {
    "lists": for_each_name(list),
    "tuples": for_each_name(tuple),
    "frozen sets": for_each_name(frozenset),
    "generators": for_each_name(lambda v: (x for x in v)),
    "arrays": for_each_name(lambda v: np.array(sorted(v))),
    "NumPy's integers": for_each_name(lambda v: {np.int64(x) for x in v}),
    "floats": for_each_name(lambda v: [float(x) for x in v]),
}
LETTERS = {
    "lists": for_each_name(str.split),
    "sets": for_each_name(lambda v: set(v.split())),
    "commas": for_each_name(lambda v: ", ".join(v.split())),
    "joined": for_each_name(lambda v: "".join(v.split())),
    "lower case": for_each_name(str.lower),
    "generators": for_each_name(lambda v: (x for x in v.split())),
}
TRUTHS = {
    "NumPy's bool": lambda f: lambda *inputs: np.bool_(f(*inputs)),
    "array": lambda f: lambda *inputs: np.array(f(*inputs)),
    "warns": with_a_warning,
    "in place": in_place,
}

# How the right answers of an exercise on arrays are written out by hand, where a batch is promised
# in the last way too.
WRITTEN = ("matrix form", "einsum", "loops")
BATCH = "loop over the batch"
WITHOUT_BATCH = ("what-context", "scaling-variance", "aggregation-terms")


def styles(exercise_id):
    """The styles in which every right answer of an exercise is tried as well."""
    if exercise_id == "causal-predict":
        return COLLECTIONS
    if exercise_id == "qkv-predict":
        return LETTERS
    if exercise_id == "causal-leaks":
        return TRUTHS
    if exercise_id.endswith("-predict"):
        return WORDS
    if exercise_id.endswith(("-by-hand", "-never-first")):
        return NAMED
    return RETURNED if exercise_id in ("qkv-lookup", "scores-unlike") else COMPUTED
