"""The form of an exercise on a page, filled in by keyboard, and what it says."""

from __future__ import annotations

import re

FIELDS = """form => [...form.querySelectorAll("[data-field]")].map((place) => ({
  name: place.dataset.field,
  inputs: [...place.querySelectorAll("input")].map((input) => [input.type, input.value]),
}))"""
STATE = """form => {
  const text = (selector) => [...form.querySelectorAll(selector)].map((e) => e.textContent.trim());
  const focus = document.activeElement;
  return {
    says: text(".answer-reply li, .answer-reply > p"),
    faults: text(".answer-fault:not(:empty)"),
    marked: text("[data-field]:has([aria-invalid])").length,
    focused: focus.closest?.("[data-field]")?.dataset.field ?? focus.textContent,
    written: [...form.elements].flatMap((e) =>
      e.type === "text" ? e.value : "checked" in e ? e.checked : []),
    solution: !form.querySelector("[data-does=solve]").hidden,
    over: document.documentElement.scrollWidth - innerWidth,
  };
}"""


def written(number: float, lang: str) -> str:
    """A number as the readers of an edition may write it."""
    text = repr(float(number)).removesuffix(".0").replace("-", "−")
    return text if lang == "en" else text.replace(".", "，")


def fill(page, form, answer: dict, lang: str) -> None:
    """Write an answer into a form, from its first field on with keys alone, and send it."""
    fields = form.evaluate(FIELDS)
    form.locator("input").first.focus()
    for field in fields:
        value = answer[field["name"]]
        kind = field["inputs"][0][0]
        if kind == "text":
            numbers = value if isinstance(value, list) else [value]
            for number in numbers:
                page.keyboard.press("Control+a")
                page.keyboard.type(written(number, lang))
                page.keyboard.press("Tab")
        elif kind == "radio":
            choose(page, [option for _, option in field["inputs"]].index(value))
            page.keyboard.press("Tab")
        else:
            members = [str(member) for member in (value if isinstance(value, list) else [value])]
            for _, option in field["inputs"]:
                if page.evaluate("document.activeElement.checked") != (option in members):
                    page.keyboard.press("Space")
                page.keyboard.press("Tab")
    # past the last field stands the button
    page.keyboard.press("Enter")


def choose(page, place: int) -> None:
    """Choose one of a group of radio buttons, in which the focus is."""
    page.keyboard.press("Space")
    script = """() => {
      const { form, name } = document.activeElement;
      return [...form.elements[name]].indexOf(document.activeElement);
    }"""
    for _ in range(place - page.evaluate(script)):
        page.keyboard.press("ArrowDown")
    for _ in range(page.evaluate(script) - place):
        page.keyboard.press("ArrowUp")


def plain(text: str) -> str:
    """Words as the page shows them: the index of a symbol stands lower, without its mark."""
    return re.sub(r"(?<![\w])([A-Za-z])_(\w+)", r"\1\2", text, flags=re.ASCII)
