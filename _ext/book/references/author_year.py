"""A style for the list of references whose labels read like the citations: name and year."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx


class AuthorYearLabels(BaseLabelStyle):
    """Labels such as "Vaswani et al., 2017"."""

    def format_labels(self, sorted_entries: Iterable[Entry]) -> Iterator[str]:
        for entry in sorted_entries:
            # in the class the two are None, in each entry they are filled
            names = [" ".join(person.last_names) for person in entry.persons["author"]]  # pyright: ignore[reportOptionalSubscript]
            who = names[0] if len(names) == 1 else " and ".join(names)
            if len(names) > 2:
                who = f"{names[0]} et al."
            yield f"{who}, {entry.fields['year']}"  # pyright: ignore[reportOptionalSubscript]


class AuthorYearStyle(PlainStyle):
    default_label_style = AuthorYearLabels


def setup(app: Sphinx) -> dict:
    register_plugin("pybtex.style.formatting", "author_year", AuthorYearStyle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
