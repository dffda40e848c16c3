"""What all explorers share: an anywidget whose output is also a piece of a static page."""

import json
import math
import numbers
from html import escape
from typing import ClassVar

import anywidget
import numpy as np
import traitlets

from attnlib.explorers.framework import bundle, cells


class Range(traitlets.TraitType):
    """A synced number between two bounds, both included; whole where the bounds are ints."""

    def __init__(self, low, high, default):
        self.low, self.high = low, high
        self.whole = isinstance(low, int) and isinstance(high, int)
        self.range = (low, high, "whole") if self.whole else (low, high)
        self.info_text = f"a {'whole ' if self.whole else ''}number from {low} to {high}"
        super().__init__(default)
        self.tag(sync=True)

    def validate(self, obj, value):
        kind = numbers.Integral if self.whole else numbers.Real
        if isinstance(value, kind) and not isinstance(value, bool):
            value = int(value) if self.whole else float(value)
            if math.isfinite(value) and self.low <= value <= self.high:
                return value
        raise traitlets.TraitError(f"{self.name} must be {self.info_text}, not {value!r}")


class Choice(traitlets.TraitType):
    """A synced string out of a few."""

    def __init__(self, *options, default):
        self.range = options
        self.info_text = "one of " + ", ".join(map(repr, options))
        super().__init__(default)
        self.tag(sync=True)

    def validate(self, obj, value):
        if isinstance(value, str) and value in self.range:
            return value
        raise traitlets.TraitError(f"{self.name} must be {self.info_text}, not {value!r}")


class Matrix(traitlets.TraitType):
    """A synced matrix of fixed shape, its entries between two bounds: a tuple of row tuples."""

    def __init__(self, low, high, default):
        self.low, self.high = low, high
        self.shape = len(default), len(default[0])
        self.range = (low, high, *self.shape)
        self.info_text = f"{self.shape[0]} rows of {self.shape[1]} numbers from {low} to {high}"
        super().__init__(tuple(tuple(map(float, row)) for row in default))
        self.tag(sync=True)

    def validate(self, obj, value):
        try:
            matrix = np.array(value, dtype=float)
        except (TypeError, ValueError):
            matrix = np.empty(0)
        # nan is not between the bounds either
        if matrix.shape == self.shape and np.all((matrix >= self.low) & (matrix <= self.high)):
            return tuple(map(tuple, matrix.tolist()))
        raise traitlets.TraitError(f"{self.name} must be {self.info_text}, not {value!r}")


class Explorer(anywidget.AnyWidget):
    """An explorer: its traits are the only truth, its front end computes in JavaScript.

    In Jupyter it is an ordinary widget (``observe``, ``ipywidgets.link``, ``HBox``). Elsewhere its
    output is the element ``<attn-explorer>`` with a plain table inside, which a page of the book
    turns into the same explorer. It closes when the cell that made it runs again, which ends its
    views; ``close()`` does so at any time.

    A subclass sets `name`, that of its JavaScript file, defines traits of type `Range`,
    `Choice` and `Matrix`, and implements `numbers` and `plain_table`.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range; the message says what is allowed.
    """

    name: ClassVar[str]

    _start = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **kwargs):
        if "name" in vars(cls):  # not in the classes that traitlets derives for each instance
            cls._esm = bundle.for_jupyter(cls.name)
            cls._css = bundle.css()
            cls._ranges = {
                name: trait.range
                for base in reversed(cls.__mro__)
                for name, trait in vars(base).items()
                if isinstance(trait, Range | Choice | Matrix)
            }
        super().__init_subclass__(**kwargs)

    def __init__(self, **state):
        unknown = sorted(set(state) - set(self.trait_names()))
        if unknown:
            raise traitlets.TraitError(
                f"{type(self).__name__} has no trait {', '.join(unknown)}; "
                f"it has {', '.join(self.ranges())}"
            )
        super().__init__(**state)
        self._own_layout = None if "layout" in state else self.layout
        self._start = self.state
        cells.adopt(self)

    def close(self):
        """End all views, here and in Python; nothing of it is left in ipywidgets' registry."""
        super().close()
        # ipywidgets closes a widget and keeps its layout, a widget too
        if layout := getattr(self, "_own_layout", None):
            layout.close()

    @classmethod
    def ranges(cls):
        """The bounds or options of what the reader can set, in order.

        (low, high) of a number, (low, high, "whole") of a whole one, (low, high, rows, columns)
        of a matrix.
        """
        return dict(cls._ranges)

    @property
    def state(self):
        """What the reader can set, as a dict."""
        return {name: getattr(self, name) for name in self.ranges()}

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        raise NotImplementedError

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        raise NotImplementedError

    def to_html(self):
        """The custom element, its state, and the plain table inside."""
        state = escape(json.dumps(self.state, ensure_ascii=False), quote=False)
        state = state.replace("'", "&#x27;")
        return (
            f"<attn-explorer name=\"{self.name}\" state='{state}'>\n"
            f'<div class="attn-plain">\n{self.plain_table()}\n</div>\n'
            "</attn-explorer>"
        )

    def __repr__(self):
        state = ", ".join(f"{name}={value!r}" for name, value in self.state.items())
        return f"{type(self).__name__}({state})"

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self), "text/html": self.to_html()}, metadata
