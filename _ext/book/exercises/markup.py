"""The HTML of a form: fields with their labels, buttons, the words of the check, its data."""

from __future__ import annotations

import hashlib
import json
from html import escape

from book.exercises.words import WORDS, spoken, typeset

KEYBOARDS = {"shares": ' inputmode="decimal"', "sizes": ' inputmode="numeric"'}
"""The keyboards of some phones have no minus among their numbers: who may need one gets letters."""


class Form:
    """The parts of the form of one exercise, in one language."""

    def __init__(self, exercise: dict, lang: str):
        self.id = exercise["id"]
        self.fields = exercise["fields"]
        # the fields see to the form of an answer
        self.properties = [p for p in exercise["properties"] if p["rule"]["kind"] != "form"]
        self.lang = lang
        self.words = WORDS[lang]

    def data(self) -> str:
        """What the page judges with."""
        fields = [
            {name: value for name, value in field.items() if name != "label"}
            for field in self.fields
        ]
        rules = [{"rule": prop["rule"]} for prop in self.properties]
        data = {"fields": fields, "properties": rules}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")

    def edition(self) -> str:
        """What an answer that is kept on a device was an answer to."""
        return hashlib.sha256(self.data().encode()).hexdigest()[:8]

    def opening(self, solution: str) -> str:
        attributes = {
            "class": "answer",
            "data-exercise": self.id,
            "data-edition": self.edition(),
            "data-solution": solution,
            "autocomplete": "off",
            # a form that no script minds must not lead to another page
            "method": "dialog",
        }
        written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        return f"<form{written} novalidate>\n"

    def closing(self) -> str:
        words = self.words
        said = "".join(
            f"<p>{typeset(prop['says'][self.lang])}</p><p>{typeset(prop['hint'][self.lang])}</p>"
            for prop in self.properties
        )
        return (
            f'<div class="answer-buttons"><button type="submit">{words["check"]}</button>'
            f'<button type="button" data-does="clear">{words["clear"]}</button>'
            f'<button type="button" data-does="solve" hidden>{words["solution"]}</button></div>\n'
            f'<div class="answer-reply" role="status"></div>\n'
            f"<template>{said}</template>\n"
            f'<script type="application/json">{self.data()}</script>\n</form>\n'
        )

    def field(self, field: dict, question: str = "") -> str:
        """A field; its label is the element with the id `question`, or stands before it."""
        own = f"{self.id}-{self.fields.index(field) + 1}"
        label = f'<span class="answer-label" id="{own}">{typeset(field["label"][self.lang])}</span>'
        role = "radiogroup" if field["kind"] == "choice" else "group"
        parts = self.numbers(field, own) if field["kind"] == "numbers" else self.options(field)
        return (
            f'<div class="answer-field" role="{role}" aria-labelledby="{question or own}" '
            f'data-field="{escape(field["name"])}">'
            f'{"" if question else label}<span class="answer-parts">{parts}</span>'
            f'<span class="answer-fault" id="{own}-fault"></span></div>\n'
        )

    def numbers(self, field: dict, own: str) -> str:
        size, label = field["size"], field["label"][self.lang]
        places = range(1, size + 1)
        names = [self.words["nth"].format(label=label, place=n, size=size) for n in places]
        return "".join(
            f'<input type="text"{KEYBOARDS.get(field["are"], "")} maxlength="24" '
            f'aria-label="{spoken(name if size > 1 else label)}" aria-describedby="{own}-fault">'
            for name in names
        )

    def options(self, field: dict) -> str:
        choice = field["kind"] == "choice"
        found = [(o["en"], o[self.lang]) if choice else (o, o) for o in field["options"]]
        if not choice and self.may_be_empty(field):
            found.append(("none", self.words["none"]))
        kind = "radio" if choice else "checkbox"
        return "".join(
            f'<label><input type="{kind}" name="{escape(field["name"])}" value="{value}">'
            f"{typeset(str(shown))}</label>"
            for value, shown in found
        )

    def may_be_empty(self, field: dict) -> bool:
        """Whether a set without members is an answer that somebody may mean."""
        kinds = {p["rule"]["kind"] for p in self.properties if p["rule"]["field"] == field["name"]}
        return field["least"] == 0 and kinds == {"set"}


def checked(exercise: dict, lang: str, notebook: str) -> str:
    """What the check of a function asks, and where it runs."""
    words = WORDS[lang]
    asked = "".join(f"<li>{typeset(p['says'][lang])}</li>" for p in exercise["properties"])
    return (
        f'<div class="answer-asked"><p>{words["asked"]}</p>\n<ul>{asked}</ul>\n'
        f'<p>{words["where"]}<a href="{escape(notebook)}" download>{words["notebook"]}</a>'
        f"{words['stop']}</p></div>\n"
    )
