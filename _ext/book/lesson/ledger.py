"""A derivation with its assumptions: in the page one can be taken away, and steps fall with it.

In a notebook it is a cell of its own with the metadata ``"ledger": true`` (or, where a cell has
measured which steps fall without each assumption, ``{"of": cell, "measured": name}``). It holds an
ordered list of the assumptions, a table of the steps, whose last column names what a step spends
(numbers of assumptions, letters of steps, as in ``1, (b)``), and a list of what happens without
each. On the site a small script lets the reader take an assumption away (``ledger.js``); without
it, on paper and in a notebook all of it is there to be read.
"""

from __future__ import annotations

import json
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from book.lesson.prediction_form import pass_through
from book.lesson.predictions import text_of

WORDS = {
    "en": {
        "take": "take it away",
        "give": "give it back",
        "falls": "falls",
        "hangs": "hangs in the air",
        "hint": "Take an assumption away, and see which steps fall with it.",
    },
    "zh_CN": {
        "take": "拿掉",
        "give": "放回",
        "falls": "不成立",
        "hangs": "失去依据",
        "hint": "拿掉一条假设，看哪些步骤随之倒下。",
    },
}
ASSUMPTION = re.compile(r"^(\d+)\. \*\*", re.MULTILINE)
STEP = re.compile(r"^\| \(([a-z])\) \|.*\| ([^|]*) \|$", re.MULTILINE)
WITHOUT = re.compile(r"^- \*\*Without (\d+)\*\*", re.MULTILINE)


class Ledger(nodes.General, nodes.Element):
    """Assumptions, steps, and what happens without an assumption."""


def is_ledger(cell: dict) -> bool:
    return bool(cell["metadata"].get("ledger"))


def uses(text: str) -> dict[str, list[str]]:
    """What each step of a ledger spends: numbers of assumptions, letters of steps before it."""
    return {
        letter: re.findall(r"\d+|(?<=\()[a-z](?=\))", said) for letter, said in STEP.findall(text)
    }


def spent(text: str) -> dict[str, set[str]]:
    """The assumptions that each step rests on, by itself or through the steps before it."""
    found: dict[str, set[str]] = {}
    for letter, each in uses(text).items():
        found[letter] = set().union(*(found[one] if one.isalpha() else {one} for one in each))
    return found


def fault_of(text: str) -> str:
    """What is wrong with the text of a ledger."""
    assumptions = ASSUMPTION.findall(text)
    steps = uses(text)
    if not assumptions or not steps:
        return "no assumptions, or no steps"
    if assumptions != [str(i + 1) for i in range(len(assumptions))]:
        return f"the assumptions are counted {', '.join(assumptions)}"
    if WITHOUT.findall(text) != assumptions:
        return "it does not say of each assumption what happens without it"
    known = {*assumptions}
    for letter, each in steps.items():
        if unknown := [one for one in each if one not in known]:
            return f"step {letter} uses {', '.join(unknown)}, which is not there"
        known.add(letter)
    if idle := {*assumptions} - {one for each in steps.values() for one in each}:
        return f"no step uses {', '.join(sorted(idle))}"
    return ""


def rewrite_page(app: Sphinx, docname: str, source: list[str]) -> None:
    if not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    for cell in filter(is_ledger, notebook["cells"]):
        if fault := fault_of(text_of(cell)):
            raise ExtensionError(f"{docname}: the ledger {cell['id']}: {fault}")
        cell["source"] = f"````{{ledger}}\n{text_of(cell).strip()}\n````"
    source[0] = json.dumps(notebook, ensure_ascii=False)


class LedgerDirective(SphinxDirective):
    """The three parts of a ledger, each a message as before."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        node = Ledger("")
        self.set_source_info(node)
        # cells of a table have their source from it, and are messages only with one
        node.document = self.state.document
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def visit_ledger(self, node: Ledger) -> None:
    words = WORDS.get(self.builder.config.language, WORDS["en"])
    said = json.dumps(words, ensure_ascii=False)
    self.body.append(self.starttag(node, "div", CLASS="ledger", **{"data-words": said}))


def depart_ledger(self, node: Ledger) -> None:
    self.body.append("</div>\n")


def setup(app: Sphinx) -> dict:
    through = dict.fromkeys(("latex", "text", "man", "texinfo"), (pass_through, pass_through))
    app.add_node(Ledger, html=(visit_ledger, depart_ledger), **through)
    app.add_directive("ledger", LedgerDirective)
    app.connect("source-read", rewrite_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
