"""Where a phrase leads, ``set:scaling-2?d_k=64&scaling=none``, and whether it can (no extension).

The name of the explorer, the second of that name on the page as ``scaling-2``, and the values are
written as in a link that a reader copies (``attnlib/explorers/framework/link.js``). What is not
named stays as the reader has it; with ``from=start`` it goes back to the start.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from traitlets import TraitError

from attnlib import explorers

SCHEME = "set:"
FROM_START = ("from", "start")
TARGET = re.compile(r"(?P<name>[a-z]+)(?:-(?P<place>[2-9]))?\?(?P<query>[^?#]+)")


def value_of(text: str, setting: dict) -> object:
    """The value that a text stands for, of the kind of a setting; its range is not looked at.

    Raises
    ------
    ValueError
        If it stands for none.
    """
    if setting["kind"] == "choice":
        return text
    if setting["kind"] != "matrix":
        return json.loads(text)
    numbers = [json.loads(entry) for entry in text.split("_")]
    columns = setting["columns"]
    return [numbers[at : at + columns] for at in range(0, len(numbers), columns)]


def fault_of(target: str, there: Mapping[str, int]) -> str:
    """What is wrong with a target, on a page with so many explorers of each name."""
    found = TARGET.fullmatch(target)
    if found is None:
        return "it is not of the form set:explorer?trait=value"
    name, place = found["name"], int(found["place"] or 1)
    if name not in explorers.names():
        return f"no explorer is called {name!r}"
    if place > there.get(name, 0):
        return f"the page has {there.get(name, 0)} explorers {name!r}"
    try:
        pairs = parse_qsl(found["query"], keep_blank_values=True, strict_parsing=True)
    except ValueError as reason:
        return str(reason)
    return fault_of_state(explorers.by_name(name), pairs)


def fault_of_state(cls: type, pairs: list[tuple[str, str]]) -> str:
    """What is wrong with the traits of an explorer and their values."""
    settings = cls.settings()
    state = {}
    for trait, text in pairs:
        if (trait, text) == FROM_START:
            continue
        if trait in state:
            return f"{trait} stands there twice"
        if trait not in settings:
            return f"{cls.__name__} has no trait {trait}; it has {', '.join(settings)}"
        try:
            state[trait] = value_of(text, settings[trait])
        except ValueError:
            return f"{trait} cannot be {text!r}"
    try:
        cls(**state).close()
    except TraitError as reason:
        return str(reason)
    return ""
