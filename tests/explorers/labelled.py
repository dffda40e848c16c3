"""Explorers on a page as their reader knows them: things are found by their visible words.

Words are a regular expression that fits one of the things and no other: `t("mean", "均值")`.
"""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from explorer_page import VIEW, page_of
from explorer_state import CLASSES

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def the(things, words, text=lambda thing: thing):
    """The one thing whose text has these words."""
    found = [thing for thing in things if re.search(words, text(thing))]
    assert len(found) == 1, f"{len(found)} of {[text(thing) for thing in things]} have {words!r}"
    return found[0]


class Table:
    """A table by the words of its caption, its columns and its rows."""

    def __init__(self, caption, tone, shades, head, rows):
        self.caption, self.tone, self.shades, self.head = caption, tone, shades, head
        self.labels = [row["label"] for row in rows]
        self.cells = [row["cells"] for row in rows]
        self.marks = [row["marks"] for row in rows]

    @property
    def is_numeric(self):
        return not any(isinstance(cell, str) for row in self.cells for cell in row)

    @property
    def array(self):
        return np.array(self.cells, dtype=float)

    def column(self, words):
        j = self.head.index(the(self.head, words))
        return [row[j] for row in self.cells]

    def numbers(self, words):
        """The numbers of a column: words and empty cells are none."""
        return np.array([x for x in self.column(words) if not isinstance(x, str)])

    def row(self, words):
        return self.cells[self.labels.index(the(self.labels, words))]

    def at(self, row, column):
        return self.row(row)[self.head.index(the(self.head, column))]


class Seen(SimpleNamespace):
    """What is on the page at one moment."""

    def __init__(self, found):
        super().__init__(**found)
        self.tables = [Table(**table) for table in found["tables"]]

    def table(self, words):
        return the(self.tables, words, lambda table: table.caption)

    def control(self, words, legend=""):
        among = [control for control in self.controls if re.search(legend, control["legend"])]
        return SimpleNamespace(**the(among, words, lambda control: control["label"]))

    def value(self, words, legend=""):
        return self.control(words, legend).value

    def line(self, words):
        return the(self.lines, words)

    @property
    def by_symbol(self):
        """Matrices by the symbol before the equals sign of their caption: Z of "outputs Z = AV"."""
        matrices = (table for table in self.tables if table.is_numeric)
        return {formula(table.caption)[0]: table.array for table in matrices}


class View:
    """An explorer that lives on the page; every act gives what is seen after it."""

    def __init__(self, page, name):
        self.page, self.name = page, name

    def seen(self):
        return Seen(self.page.evaluate("name => labelled.view(name)", self.name))

    def act(self, control, **change):
        script = "([name, label, change]) => labelled.act(name, label, change)"
        return Seen(self.page.evaluate(script, [self.name, control.label, change]))

    def choose(self, label, option):
        """Choose the option with these words of the list with those."""
        control = self.seen().control(label)
        return self.act(control, option=the(control.options, option))

    def set(self, label, value, legend=""):
        return self.act(self.seen().control(label, legend), value=value)

    def press(self, label):
        """Press a button, or tick a box."""
        return self.act(self.seen().control(label))

    def type(self, caption, row, column, x):
        script = "([name, ...entry]) => labelled.type(name, ...entry)"
        return Seen(self.page.evaluate(script, [self.name, caption, row, column, x]))

    def plain(self, **state):
        """What the table says that stands where no script runs."""
        explorer = CLASSES[self.name](**state)
        html = explorer.plain_table()
        explorer.close()
        return Seen(self.page.evaluate("html => labelled.plain(html)", html))


def formula(caption):
    """The symbol in a caption and what it is equal to: Z and AV of "outputs Z = AV"."""
    left, _, right = caption.partition("=")
    return left if "+" in left else left.split()[-1], right.strip()


def evaluated(right, known):
    """What the right side of an equation says of matrices by their symbols: softmax(S̃ + M)."""
    if inner := re.fullmatch(r"softmax\((.*)\)", right):
        powers = np.exp(evaluated(inner[1], known))
        return powers / powers.sum(axis=1, keepdims=True)
    if right.endswith("/√dk"):
        return evaluated(right.removesuffix("/√dk"), known) / np.sqrt(known["K"].shape[1])
    if right in known:
        return known[right]
    left, second, turned = re.fullmatch(r"([A-Z]) ?(W[QKV]|[A-Z])(⊤?)", right).groups()
    return known[left] @ (known[second].T if turned else known[second])


@pytest.fixture(scope="session", params=["en", "zh-CN"])
def every_explorer(request, browser):
    """One page with all explorers, in one language."""
    explorers = [cls() for cls in CLASSES.values()]
    html = page_of(*(explorer.to_html() for explorer in explorers), lang=request.param)
    for explorer in explorers:
        explorer.close()
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_content(html)
    page.wait_for_function(f"document.querySelectorAll('{VIEW}').length === {len(explorers)}")
    page.evaluate(SCRIPT)
    yield page, request.param
    context.close()


@pytest.fixture
def t(every_explorer):
    """Words in the language of the page."""
    _, language = every_explorer
    return lambda english, chinese: english if language == "en" else chinese


@pytest.fixture
def view(every_explorer, request, t):
    """The explorer that a test is named after, `test_softmax_…`, back at its start afterwards."""
    page, _ = every_explorer
    view = View(page, request.function.__name__.split("_")[1])
    yield view
    view.press(t("Reset", "恢复初值"))


def close(shown, expected, atol=1e-9):
    """Equal, as numbers in full are, or as far as numbers are written: `atol` = 0.02."""
    shown, expected = (np.array(x, dtype=float) for x in (shown, expected))
    np.testing.assert_allclose(shown, expected, rtol=1e-9, atol=atol)
