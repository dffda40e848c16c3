"""What all explorers share: an anywidget whose output is also a piece of a static page."""

import json
from html import escape
from typing import ClassVar

import anywidget
import traitlets

from attnlib.explorers.framework import bundle, cells
from attnlib.explorers.framework.settings import Setting


class Explorer(anywidget.AnyWidget):
    """An explorer: its traits are the only truth, its front end computes in JavaScript.

    In Jupyter it is an ordinary widget (``observe``, ``ipywidgets.link``, ``HBox``). Elsewhere its
    output is the element ``<attn-explorer>`` with a plain table inside, which a page of the book
    turns into the same explorer. It closes when the cell that made it runs again, which ends its
    views; ``close()`` does so at any time.

    A subclass sets `name`, that of its folder, defines traits of type `Number`, `Whole`, `Choice`
    and `Matrix`, and implements `numbers` and `plain_table`.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range; the message says what is allowed.
    """

    name: ClassVar[str]

    _start = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **kwargs):
        if "name" in vars(cls):  # not in the classes that traitlets derives for each instance
            cls._esm = bundle.for_jupyter(cls.name, cls.settings())
            cls._css = bundle.css()
        super().__init_subclass__(**kwargs)

    def __init__(self, **state):
        unknown = sorted(set(state) - set(self.trait_names()))
        if unknown:
            raise traitlets.TraitError(
                f"{type(self).__name__} has no trait {', '.join(unknown)}; "
                f"it has {', '.join(self.settings())}"
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
    def settings(cls):
        """What the reader can set, in order: the record of each trait (see `Setting`) by name."""
        return {
            name: trait.record
            for base in cls.__mro__
            for name, trait in vars(base).items()
            if isinstance(trait, Setting)
        }

    @property
    def state(self):
        """What the reader can set, as a dict."""
        return {name: getattr(self, name) for name in self.settings()}

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
