"""The form of a prediction in HTML: native inputs, all of it on the page before any script runs.

Other writers show the question alone. A page opened where a guess was kept has its answer open
before it is drawn; the rest is the script's (``prediction.js``).
"""

from __future__ import annotations

import json
from fractions import Fraction
from html import escape
from itertools import pairwise

from docutils import nodes
from sphinx.application import Sphinx

from book.lesson.prediction_words import SAID_BY_THE_SCRIPT, of_language
from book.plain_text import said

# a mark this near to the one before it, as a share of the line, makes room for it
NEAR = 0.09
# As soon as an answer begins: what was answered in this edition of the prediction is open, before
# anything of it is drawn.
OPEN_AT_ONCE = (
    "<script>{const a=document.currentScript.parentElement,f=a.previousElementSibling;"
    "try{JSON.parse(localStorage.getItem(f.dataset.key)).edition===f.dataset.edition"
    '&&a.classList.add("open")}catch{}}</script>'
)


class Prediction(nodes.General, nodes.Element):
    """The question, and a form for the guess."""


class Fields(nodes.General, nodes.Element):
    """All fields of a prediction."""


class Field(nodes.General, nodes.Element):
    """One thing that is guessed."""


class Words(nodes.General, nodes.TextElement):
    """Words of a field: its label, an option, a row or a column."""


class Answer(nodes.General, nodes.Element):
    """What is closed until the reader commits."""


def number(mark: float | str) -> float:
    """A mark of a line as a number; it may be written as a fraction."""
    return float(Fraction(str(mark)))


def shown(value: float, step: float) -> str:
    """A number with as many decimals as the step of its line."""
    decimals = len(f"{step}".partition(".")[2]) if step % 1 else 0
    return f"{value:.{decimals}f}".replace("-", "−")


def percent(value: float, field: dict) -> str:
    return f"{100 * (value - field['low']) / (field['high'] - field['low']):.4g}%"


def scale(field: dict) -> str:
    """The marks of a line, each with its number."""
    places = [(number(mark), str(mark).replace("-", "−")) for mark in field["marks"]]
    near = (field["high"] - field["low"]) * NEAR
    crowded = {after for (before, _), (after, _) in pairwise(places) if after - before < near}
    parts = [
        f'<span style="left:{percent(at, field)}"{" class=crowded" * (at in crowded)}>{text}</span>'
        for at, text in places
    ]
    return f'<span class="marks" aria-hidden="true">{"".join(parts)}</span>'


def attributes(**given: object) -> str:
    return "".join(
        f' {name.strip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in given.items()
    )


def visit_prediction(self, node: Prediction) -> None:
    words = of_language(self.builder.config.language)
    chapter = self.builder.current_docname.rpartition("/")[2]
    said = {name: words[name] for name in SAID_BY_THE_SCRIPT}
    form = attributes(
        id=f"prediction-{node['name']}",
        data_key=f"prediction/{chapter}/{node['name']}",
        data_edition=node["edition"],
        data_manner=node["manner"],
        data_words=json.dumps(said, ensure_ascii=False),
    )
    self.body.append(f'<form class="prediction"{form} novalidate>\n')


def depart_prediction(self, node: Prediction) -> None:
    words = of_language(self.builder.config.language)
    manner = node["manner"]
    on_buttons = {
        "commit": words["commit"][manner],
        "show": words["show"],
        "again": words["again"][manner],
    }
    buttons = "".join(
        f'<button type="{"submit" if name == "commit" else "button"}" class="{name}">'
        f"{text}</button>"
        for name, text in on_buttons.items()
    )
    closed = f'<span class="closed">{words["closed"][manner]}</span>'
    self.body.append(
        f'<div class="actions">{buttons}{closed}</div>'
        '<div class="visually-hidden" role="status"></div></form>\n'
    )


def visit_fields(self, node: Fields) -> None:
    self.body.append('<div class="fields">')


def depart_fields(self, node: Fields) -> None:
    self.body.append("</div>\n")


def place(node: nodes.Element) -> str:
    """The id of a field, which those of its parts begin with."""
    field = node if isinstance(node, Field) else node.parent
    return f"prediction-{field.parent.parent['name']}-{field.parent.index(field) + 1}"


def visit_field(self, node: Field) -> None:
    data = node["data"]
    given = {"data_kind": data["kind"], "id": place(node)}
    if data["kind"] == "line":
        given |= {"data_low": data["low"], "data_high": data["high"], "data_step": data["step"]}
        given["style"] = f"--truth:{percent(data['value'], data)}"
    tag = "div" if data["kind"] == "line" else "fieldset"
    self.body.append(f'<{tag} class="guess {data["kind"]}"{attributes(**given)}>')


def depart_field(self, node: Field) -> None:
    words = of_language(self.builder.config.language)
    data, at = node["data"], place(node)
    fault = f'<div class="fault" id="{at}-fault" aria-live="polite"></div>'
    if data["kind"] == "line":
        name = said(next(iter(node.findall(Words))))
        self.body.append(line(data, at, name, words) + fault + "</div>\n")
    elif data["kind"] == "choice":
        self.body.append(f"{fault}</fieldset>\n")
    else:
        self.body.append(
            f'</tbody></table><div class="legend">{words["legend"]}</div></fieldset>\n'
        )


def line(data: dict, at: str, name: str, words: dict[str, str]) -> str:
    """What comes after the label: the line itself, the field, and what is said of both."""
    middle = (data["low"] + data["high"]) / 2
    # not by its label: where that is a formula, it has no name for all ears
    label = {"aria_label": name, "aria_describedby": f"{at}-fault"}
    slider = attributes(
        type="range", min=data["low"], max=data["high"], step=data["step"], value=middle, **label
    )
    text = attributes(
        type="text", inputmode="decimal", autocomplete="off", placeholder="?", **label
    )
    sides = [f"{words[side]}{words['between']}<b>{{}}</b>" for side in ("you", "measured")]
    measured = sides[1].format(shown(data["value"], data["step"]))
    return (
        f'<div class="track">{scale(data)}<i class="gap"></i><i class="truth"></i>'
        f'<input class="unset"{slider}></div><input class="number"{text}>'
        f'<div class="said"><span class="you">{sides[0].format("")}</span>'
        f'<span class="measured">{measured}</span></div>'
    )


def visit_words(self, node: Words) -> None:
    data, at = node.parent["data"], place(node)
    alike = [words for words in node.parent.findall(Words) if words["part"] == node["part"]]
    index = alike.index(node)
    part = node["part"]
    if part == "label":
        tag = "span" if data["kind"] == "line" else "legend"
        self.body.append(f'<{tag} class="label" id="{at}-label">')
        node["end"] = f"</{tag}>"
    elif part == "option":
        words = of_language(self.builder.config.language)
        right = " right" if str(data["value"]) == node["value"] else ""
        radio = attributes(type="radio", name=at, value=node["value"])
        self.body.append(f'<label class="option{right}"><input{radio}><span class="words">')
        tags = "".join(f'<span class="{side}">{words[side]}</span>' for side in ("you", "measured"))
        node["end"] = f'</span><span class="tags">{tags}</span></label>'
    elif part == "column":
        start = "<table><thead><tr><td></td>" if not index else ""
        self.body.append(f'{start}<th scope="col" id="{at}-column-{index + 1}">')
        last = index + 1 == len(data["columns"])
        node["end"] = "</th></tr></thead><tbody>" if last else "</th>"
    else:
        self.body.append(f'<tr><th scope="row" id="{at}-row-{index + 1}">')
        node["end"] = (
            f"</th>{boxes(data, at, index, of_language(self.builder.config.language))}</tr>"
        )


def boxes(data: dict, at: str, row: int, words: dict[str, str]) -> str:
    """The cells of a row, each a box to tick."""
    parts = []
    for column, value in enumerate(data["value"][row]):
        named = f"{at}-row-{row + 1} {at}-column-{column + 1}"
        box = attributes(type="checkbox", aria_labelledby=named)
        truth = f'<i class="truth"><span class="visually-hidden">{words["measured"]}</span></i>'
        parts.append(f"<td><label><input{box}>{truth if value else ''}</label></td>")
    return "".join(parts)


def depart_words(self, node: Words) -> None:
    self.body.append(node["end"])


def visit_answer(self, node: Answer) -> None:
    self.body.append(f'<div class="answer">{OPEN_AT_ONCE}\n')


def depart_answer(self, node: Answer) -> None:
    self.body.append("</div>\n")


def skip(self, node: nodes.Node) -> None:
    raise nodes.SkipNode


def pass_through(self, node: nodes.Node) -> None:
    """Other writers show what is inside."""


def add_form(app: Sphinx) -> None:
    """Teach the writers the parts of a prediction."""
    others = ("latex", "text", "man", "texinfo")
    through = dict.fromkeys(others, (pass_through, pass_through))
    skipped = dict.fromkeys(others, (skip, None))
    app.add_node(Prediction, html=(visit_prediction, depart_prediction), **through)
    app.add_node(Answer, html=(visit_answer, depart_answer), **through)
    app.add_node(Fields, html=(visit_fields, depart_fields), **skipped)
    app.add_node(Field, html=(visit_field, depart_field), **skipped)
    app.add_node(Words, html=(visit_words, depart_words), **skipped)
