"""The form of an exercise on a page, filled in, and what it says."""

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


WRITE = """(form, answer) => {
  for (const place of form.querySelectorAll("[data-field]")) {
    const texts = answer[place.dataset.field];
    for (const input of place.querySelectorAll("input")) {
      if (input.type === "text") {
        input.value = texts.shift();
        input.dispatchEvent(new Event("input", { bubbles: true }));
      } else if (input.checked !== texts.includes(input.value)) {
        input.click();
      }
    }
  }
  form.requestSubmit();
}"""


def written(number: float, lang: str) -> str:
    """A number as the readers of an edition may write it."""
    text = repr(float(number)).removesuffix(".0").replace("-", "−")
    return text if lang == "en" else text.replace(".", "，")


def fields_of(form, answer: dict, lang: str) -> list[tuple[dict, list[str]]]:
    """The fields of a form in their order, with what is written or chosen in each."""
    found = []
    for field in form.evaluate(FIELDS):
        value = answer[field["name"]]
        members = value if isinstance(value, list) else [value]
        is_text = field["inputs"][0][0] == "text"
        found.append((field, [written(x, lang) if is_text else str(x) for x in members]))
    return found


def write(form, answer: dict, lang: str) -> None:
    """Write an answer into a form at once, and send it."""
    form.evaluate(WRITE, {field["name"]: texts for field, texts in fields_of(form, answer, lang)})


def fill(page, form, answer: dict, lang: str) -> None:
    """Write an answer into a form, from its first field on with keys alone, and send it."""
    form.locator("input").first.focus()
    for field, texts in fields_of(form, answer, lang):
        kinds, options = zip(*field["inputs"], strict=True)
        if kinds[0] == "text":
            for text in texts:
                page.keyboard.press("Control+a")
                page.keyboard.insert_text(text)
                page.keyboard.press("Tab")
        elif kinds[0] == "radio":
            choose(page, options.index(texts[0]))
            page.keyboard.press("Tab")
        else:
            for option in options:
                if page.evaluate("document.activeElement.checked") != (option in texts):
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
