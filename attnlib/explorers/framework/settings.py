"""What a reader can set: traits that say in a record what they take, for the page and for tests."""

import math
import numbers

import numpy as np
import traitlets


class Setting(traitlets.TraitType):
    """A synced trait; `record` is what there is to know of it, as JSON can hold it.

    Of every setting the record has its ``kind`` and its ``start``; of a "number", a "whole" number
    and the entries of a "matrix" the bounds ``low`` and ``high``, both included; of a "matrix" how
    many ``rows`` and ``columns``; of a "choice" the ``options``, a pair of labels for each.
    """

    def __init__(self, kind, start, **limits):
        self.record = {"kind": kind, **limits, "start": start}
        super().__init__(start)
        self.tag(sync=True)

    def validate(self, obj, value):
        accepted = self.accepted(value)
        if accepted is None:
            raise traitlets.TraitError(f"{self.name} must be {self.info_text}, not {value!r}")
        return accepted

    def accepted(self, value):
        """Return the value as it is kept, or None where it cannot be."""
        raise NotImplementedError


class Number(Setting):
    """A number between two bounds."""

    kind, says, accepts, keeps_as = "number", "a number", numbers.Real, float

    def __init__(self, low, high, start):
        self.info_text = f"{self.says} from {low} to {high}"
        super().__init__(self.kind, start, low=low, high=high)

    def accepted(self, value):
        if isinstance(value, self.accepts) and not isinstance(value, bool):
            return self.keeps_as(value) if _within(value, self.record) else None


class Whole(Number):
    """A whole number between two bounds."""

    kind, says, accepts, keeps_as = "whole", "a whole number", numbers.Integral, int


class Choice(Setting):
    """A string out of a few; `options` has its label in English and in Chinese for each."""

    def __init__(self, options, start):
        self.info_text = "one of " + ", ".join(map(repr, options))
        super().__init__("choice", start, options=options)

    def accepted(self, value):
        return value if isinstance(value, str) and value in self.record["options"] else None


class Switch(Choice):
    """A string, "on" or "off"."""

    def __init__(self, start):
        super().__init__({"on": ("on", "开"), "off": ("off", "关")}, start)


class Matrix(Setting):
    """A matrix of fixed shape, its entries between two bounds: a tuple of row tuples."""

    def __init__(self, low, high, start):
        start = tuple(tuple(map(float, row)) for row in start)
        rows, columns = len(start), len(start[0])
        self.info_text = f"{rows} rows of {columns} numbers from {low} to {high}"
        super().__init__("matrix", start, low=low, high=high, rows=rows, columns=columns)

    def accepted(self, value):
        try:
            matrix = np.array(value, dtype=float)
        except (TypeError, ValueError):
            return None
        fits = matrix.shape == (self.record["rows"], self.record["columns"])
        if fits and all(_within(entry, self.record) for entry in matrix.flat):
            return tuple(map(tuple, matrix.tolist()))


def _within(x, record):
    return math.isfinite(x) and record["low"] <= x <= record["high"]
