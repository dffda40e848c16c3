"""The explorers of the book: where they stand, what a view shows, and the same in Python."""

from __future__ import annotations

import re

from manuscript import CHAPTERS, NOTEBOOKS, code_cells, read

import attnlib.explorers

TOLERANCE = 1e-9

CLASSES = {
    cls.name: cls
    for cls in (getattr(attnlib.explorers, name) for name in attnlib.explorers.__all__)
}

# What an explorer shows: each number by its name, and what its controls are set to.
SHOWN = """explorer => ({
  numbers: Object.fromEntries([...explorer.querySelectorAll("[data-name]")].map(
    (place) => [place.dataset.name, Number(place.dataset.value)])),
  choices: Object.fromEntries([
    ...[...explorer.querySelectorAll("select")].map((select) => [select.name, select.value]),
    ...[...explorer.querySelectorAll("input[type=checkbox]")].map(
      (input) => [input.name, input.checked ? "on" : "off"]),
  ]),
  entries: Object.fromEntries([...explorer.querySelectorAll("input[type=number]")].map(
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
    state = {}
    chosen = shown["choices"] | shown["numbers"]
    for name, (first, *_, last) in cls.ranges().items():
        if f"{name}-1-1" in shown["entries"]:
            entries = [x for key, x in shown["entries"].items() if key.startswith(f"{name}-")]
            state[name] = [entries[k : k + last] for k in range(0, len(entries), last)]
        elif isinstance(first, str):
            state[name] = shown["choices"][name]
        else:
            state[name] = type(first)(chosen[name])
    return cls(**state)


def assert_equal_to_attnlib(cls, shown: dict):
    """Hold every number of a view to attnlib's; gives the Python explorer."""
    explorer = twin(cls, shown)
    numbers = {name: x for name, x in shown["numbers"].items() if name not in cls.ranges()}
    expected = explorer.numbers
    assert len(numbers) > 10
    for name, x in numbers.items():
        value = expected[name]
        close = abs(x - value) <= TOLERANCE * max(1, abs(value))
        assert close or x == value, (name, explorer)  # −∞ is not close to itself
    assert all(shown["texts"])
    return explorer
