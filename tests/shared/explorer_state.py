"""The explorers of the book: where they stand, what a view shows, and the same in Python."""

from __future__ import annotations

import re

from manuscript import CHAPTERS, NOTEBOOKS, code_cells, read

from attnlib import explorers
from attnlib.explorers.framework.sentence import entry_name

TOLERANCE = 1e-9

CLASSES = {name: explorers.by_name(name) for name in explorers.names()}

# What an explorer shows: each number by its name, and what its controls are set to.
SHOWN = """explorer => ({
  numbers: Object.fromEntries([...explorer.querySelectorAll("[data-name]")].map(
    (place) => [place.dataset.name, Number(place.dataset.value)])),
  choices: Object.fromEntries([
    ...[...explorer.querySelectorAll("select")].map((select) => [select.name, select.value]),
    ...[...explorer.querySelectorAll("input[type=checkbox]")].map(
      (input) => [input.name, input.checked ? "on" : "off"]),
  ]),
  entries: Object.fromEntries([...explorer.querySelectorAll("input[data-value]")].map(
    (input) => [input.name, Number(input.dataset.value)])),
  texts: [...explorer.querySelectorAll("[data-name]")].map((place) => place.textContent),
})"""


def explorers_of(path) -> list[str]:
    """The names of the explorers in a notebook's outputs, or by the directives of a page."""
    if path.suffix == ".md":
        page = path.read_text(encoding="utf-8")
        return re.findall(r"^```\{explorer\} (\w+)$", page, re.MULTILINE)
    html = [
        "".join(output.get("data", {}).get("text/html", ""))
        for cell in code_cells(read(path))
        for output in cell["outputs"]
    ]
    return re.findall(r'<attn-explorer name="([^"]+)"', "".join(html))


# Each explorer of the book: the page that it is on, and its name.
PLACES = [
    (path, name) for path in [CHAPTERS / "index.md", *NOTEBOOKS] for name in explorers_of(path)
]


def twin(cls, shown: dict):
    """The Python explorer in the state that a view shows."""
    chosen = shown["choices"] | shown["numbers"]

    def value(name, setting):
        if setting["kind"] == "matrix":
            rows, columns = (range(1, setting[side] + 1) for side in ("rows", "columns"))
            return [[shown["entries"][entry_name(name, i, j)] for j in columns] for i in rows]
        return {"whole": int, "number": float, "choice": str}[setting["kind"]](chosen[name])

    return cls(**{name: value(name, setting) for name, setting in cls.settings().items()})


def assert_equal_to_attnlib(cls, shown: dict):
    """Hold every number of a view to attnlib's; gives the Python explorer."""
    explorer = twin(cls, shown)
    settings = cls.settings()
    numbers = {name: x for name, x in shown["numbers"].items() if name not in settings}
    expected = explorer.numbers
    assert numbers
    for name, x in numbers.items():
        value = expected[name]
        close = abs(x - value) <= TOLERANCE * max(1, abs(value))
        assert close or x == value, (name, explorer)  # −∞ is not close to itself
    assert all(shown["texts"])
    return explorer
