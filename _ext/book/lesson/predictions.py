"""Predictions: the reader commits, and only then sees the answer, on the same line.

In a notebook a prediction is a paragraph that begins with ``**Predict:**``, the only one of its
cell, and its data are the cell's metadata. Two other questions work the same way: a symptom asks
``**Which mistake:**``, and what can be read off an explorer asks ``**Find out:**``::

    "prediction": {"name": "largest-weight", "of": "first-look", "kind": "line",
                   "low": 0, "high": 1, "step": 0.01, "marks": [0, "1/16", 0.5, 1],
                   "fields": [{"label": "$d_k = 4$", "measured": "d_k = 4"}]}

``of`` is the cell that stored the measured values (``attnlib.measured``); what stands beside
``fields`` holds for each of them. Kinds: ``line`` (a number), ``choice`` (``options``: each a value
and its words), ``cells`` (``rows`` and ``columns``: a table of answers yes or no).

The answer reaches from the paragraph to the comment ``<!-- answered -->``, to the next prediction
or to the end of the section. On the site the paragraph becomes a form and the answer is wrapped;
both is decided for HTML alone, when all else about the page is settled.
"""

from __future__ import annotations

import hashlib
import json
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from book.lesson.prediction_form import Answer, Field, Fields, Prediction, Words, add_form

FORMAT = "application/vnd.attnlib.measured+json"
# How a question begins, and what it asks the reader to do.
MANNERS = {
    "**Predict:** ": "predict",
    "**Which mistake:** ": "recognise",
    "**Find out:** ": "find",
}
BEGINS = tuple(MANNERS)
ENDS = "<!-- answered -->"
STORE = "book_predictions"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What each kind of field needs, and which lists of it are words.
NEEDS = {
    "line": ("low", "high", "step", "marks"),
    "choice": ("options",),
    "cells": ("rows", "columns"),
}


def values_of(notebook: dict, cell: str) -> dict:
    """What a cell measured, by name."""
    outputs = [
        out for c in notebook["cells"] if c.get("id") == cell for out in c.get("outputs", [])
    ]
    found = [out["data"][FORMAT] for out in outputs if FORMAT in out.get("data", {})]
    return {name: value for values in found for name, value in values.items()}


def words_of(field: dict) -> list[str]:
    """All that a field says in words."""
    options = [text for _, text in field.get("options", [])]
    return [field["label"], *options, *field.get("rows", []), *field.get("columns", [])]


def fault_of(field: dict) -> str:
    """What is wrong with the data of a field, whose measured value is known."""
    lacking = [
        name for name in ("label", *NEEDS.get(field.get("kind", ""), ())) if name not in field
    ]
    if field.get("kind") not in NEEDS:
        return f"no kind {field.get('kind')!r}"
    if lacking:
        return f"no {lacking[0]!r}"
    if not all(text.strip() for text in words_of(field)):
        return "an empty label"
    value = field["value"]
    if field["kind"] == "line":
        within = isinstance(value, int | float) and field["low"] <= value <= field["high"]
        return "" if within else f"the measured {value!r} is not on the line"
    if field["kind"] == "choice":
        return (
            "" if str(value) in dict(field["options"]) else f"the measured {value!r} is no option"
        )
    sizes = [len(row) if isinstance(row, list) else -1 for row in value]
    wanted = [len(field["columns"])] * len(field["rows"])
    return "" if sizes == wanted else f"the measured table has rows of {sizes}, not {wanted}"


def read(notebook: dict, cell: dict) -> dict:
    """The data of a cell's prediction, complete and with the measured values; or ValueError."""
    data = cell["metadata"]["prediction"]
    name = data.get("name", "")
    if not NAME.fullmatch(name):
        raise ValueError(f"a prediction cannot be called {name!r}")
    shared = {key: value for key, value in data.items() if key not in ("name", "fields")}
    fields = []
    for own in data.get("fields", []):
        field = shared | own
        measured, of = field.get("measured"), field.get("of")
        values = values_of(notebook, of)
        if measured not in values:
            raise ValueError(f"{name}: the cell {of!r} has measured no {measured!r}")
        field["value"] = values[measured]
        if fault := fault_of(field):
            raise ValueError(f"{name}: {fault}")
        fields.append(field)
    if not fields:
        raise ValueError(f"{name}: it asks for nothing")
    written = json.dumps(data, sort_keys=True, ensure_ascii=False)
    edition = hashlib.sha256(written.encode()).hexdigest()[:8]
    return {"name": name, "manner": manner_of(cell), "edition": edition, "fields": fields}


def manner_of(cell: dict) -> str:
    """What the question of a cell asks the reader to do."""
    text = text_of(cell)
    return next((manner for begins, manner in MANNERS.items() if begins in text), "")


def text_of(cell: dict) -> str:
    return cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])


def as_directive(text: str, name: str) -> str:
    """The text of a cell whose paragraph of a prediction is a directive."""
    blocks = text.split("\n\n")
    at = [i for i, block in enumerate(blocks) if block.lstrip().startswith(BEGINS)]
    if len(at) != 1:
        beginnings = " or ".join(map(str.strip, BEGINS))
        raise ValueError(f"{name}: {len(at)} paragraphs of its cell begin with {beginnings}")
    blocks[at[0]] = f"````{{prediction}} {name}\n{blocks[at[0]].strip()}\n````"
    return "\n\n".join(blocks)


def rewrite(notebook: dict) -> dict[str, dict]:
    """Put directives in the place of a notebook's predictions; give their data by name."""
    found: dict[str, dict] = {}
    for cell in notebook["cells"]:
        if "prediction" in cell["metadata"]:
            data = read(notebook, cell)
            if data["name"] in found:
                raise ValueError(f"two predictions are called {data['name']}")
            found[data["name"]] = data
            cell["source"] = as_directive(text_of(cell), data["name"])
    return found


def without_values(notebook: dict) -> None:
    """Leave of each measured output the lines for the reader, which MyST-NB shows."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(FORMAT, None)


def rewrite_page(app: Sphinx, docname: str, source: list[str]) -> None:
    if not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    try:
        app.env.temp_data[STORE] = rewrite(notebook)
    except ValueError as fault:
        raise ExtensionError(f"{docname}: {fault}") from None
    without_values(notebook)
    source[0] = json.dumps(notebook, ensure_ascii=False)


class PredictionDirective(SphinxDirective):
    """The paragraph of a prediction and its fields, whose labels become messages."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        data = self.env.temp_data[STORE][self.arguments[0]]
        node = Prediction("", **{key: data[key] for key in ("name", "manner", "edition")})
        self.set_source_info(node)
        self.state.nested_parse(self.content, self.content_offset, node)
        node += Fields("", *map(self.field, data["fields"]))
        return [node]

    def field(self, data: dict) -> Field:
        node = Field("", data=data)
        node += self.words("label", "", data["label"])
        for value, text in data.get("options", []):
            node += self.words("option", value, text)
        for part in ("column", "row"):
            for text in data.get(f"{part}s", []):
                node += self.words(part, "", text)
        return node

    def words(self, part: str, value: str, text: str) -> Words:
        parsed, _ = self.state.inline_text(text, self.lineno)
        words = Words(text, "", *parsed, part=part, value=value)
        self.set_source_info(words)
        return words


class WrapAnswers(SphinxPostTransform):
    """Wrap what answers each prediction, in HTML."""

    formats = ("html",)
    # before lesson.proof_lines, which folds cells that stand side by side
    default_priority = 250

    def run(self, **kwargs) -> None:
        for prediction in [*self.document.findall(Prediction)]:
            make_heading(prediction)
            parent = prediction.parent
            start = end = parent.index(prediction) + 1
            while end < len(parent) and not ends_answer(parent[end]):
                end += 1
            inside = parent[start:end]
            if not inside:
                place = f"{self.env.docname}: {prediction['name']}"
                raise ExtensionError(f"{place}: no answer follows before the section ends")
            for node in inside:
                parent.remove(node)
            parent.insert(start, Answer("", *inside, of=prediction["name"]))
        for mark in [*self.document.findall(is_mark)]:
            mark.parent.remove(mark)


def make_heading(prediction: Prediction) -> None:
    """The first word stands above the question, without its colon; a sentence begins after it."""
    word = next(prediction.findall(nodes.strong))
    rest = word.next_node(nodes.Text, descend=False, siblings=True)
    word[:] = [nodes.Text(word.astext().rstrip(":："))]
    if rest is not None:
        text = rest.astext().lstrip(":： ")
        rest.parent.replace(rest, nodes.Text(text[:1].upper() + text[1:]))


def is_mark(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == ENDS


def ends_answer(node: nodes.Node) -> bool:
    return isinstance(node, nodes.section | Prediction) or is_mark(node)


def setup(app: Sphinx) -> dict:
    add_form(app)
    app.add_directive("prediction", PredictionDirective)
    app.connect("source-read", rewrite_page)
    app.add_post_transform(WrapAnswers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
