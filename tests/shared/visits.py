"""Each page of the site, opened once by a worker: all that the tests of every page ask about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from accessibility import axe, see
from browser import Record, opened
from manuscript import ROOT, pages
from playwright.sync_api import TimeoutError as TooLate

EDITIONS = {"en": "en", "zh": "zh-CN"}
HELPERS = ["genindex", "search"]
PAGES = [f"{folder}/{page}.html" for folder in EDITIONS for page in [*pages(), *HELPERS]]
IN_PAGE = (ROOT / "tests" / "shared" / "in_page.js").read_text(encoding="utf-8")

# The style sheets of the editions are the same: axe sees every page in both, light on a desk in
# one and dark on a phone in the other.
AXE_VIEWS = {"en": [(1280, "light")], "zh": [(360, "dark")]}
# what surrounds a page is the same on all: one short page shows it in the other two views
AXE_VIEWS_OF_FRAME = {"notation": [(1280, "dark"), (360, "light")]}

# what a prediction closes is looked at as well
OPEN_ANSWERS = """document.querySelectorAll("div.answer").forEach((answer) => {
  answer.classList.add("open");
  answer.removeAttribute("hidden");
})"""

ON_EVERY_PAGE = pytest.mark.parametrize("path", PAGES)


@dataclass
class Visit:
    """What a page showed, in the order in which it was looked at."""

    record: Record  # of the whole visit
    loaded: list[str]  # the addresses that it asked for to be complete
    desk: dict  # 1280 px wide, in light colours
    search_by_key: str  # what went wrong with it
    dark: dict  # as wide, in dark colours
    phone: dict  # 360 px wide
    answered: dict  # as wide, with every question answered
    axe: list[dict]  # each view


def look(page, *names: str) -> dict:
    """What these functions of ``in_page.js`` return."""
    page.add_script_tag(content=IN_PAGE)
    # one string crosses faster than many values
    script = "names => JSON.stringify(Object.fromEntries(names.map((n) => [n, inPage[n]()])))"
    return json.loads(page.evaluate(script, [*names]))


def open_search(page) -> str:
    """Open and close the search field by keyboard."""
    field = page.locator("input[type=search]")
    try:
        page.keyboard.press("Control+k")
        field.wait_for(state="visible", timeout=5000)
        page.keyboard.press("Escape")
        field.wait_for(state="hidden", timeout=5000)
    except TooLate as error:
        return str(error)
    return ""


DESK = [
    "language", "title", "theme", "headings", "brokenImages", "missingIcons", "rawMarkup",
    "formulas", "lowContrast", "headers", "searchFields", "cells",
]  # fmt: skip
DARK = ["theme", "lowContrast"]
PHONE = ["headers", "searchFields", "missingIcons", "overflow", "menuButton"]
ANSWERED = ["overflow", "lowContrast"]


def visit(browser, origin: str, path: str) -> Visit:
    edition = path.partition("/")[0]
    with opened(browser, f"{origin}/{path}", color_scheme="light") as (page, record):
        loaded = [*record.requests]
        page.evaluate(OPEN_ANSWERS)
        desk = look(page, *DESK)
        # the page of the results has its field in the text
        search_by_key = "" if path.endswith("/search.html") else open_search(page)
        dark = {}
        # the editions share their style sheets, so one of them is looked at in dark colours
        if edition == "en":
            see(page, 1280, "dark")
            dark = look(page, *DARK)
        # a phone shows the same in all colours; what comes next decides
        see(page, 360, AXE_VIEWS[edition][0][1])
        phone = look(page, *PHONE)
        answered = {}
        # so one edition is seen as it comes, and the other as a reader leaves it
        if edition == "zh":
            counts = look(page, "answerAll")["answerAll"]
            answered = counts | look(page, *ANSWERED)
        found = axe(page, AXE_VIEWS[edition] + AXE_VIEWS_OF_FRAME.get(Path(path).stem, []))
    return Visit(record, loaded, desk, search_by_key, dark, phone, answered, found)


@pytest.fixture(scope="session")
def visits(browser, origin):
    """A page of the site as it was visited; the visit is the first that asks."""
    known = {}

    def visited(path: str) -> Visit:
        if path not in known:
            known[path] = visit(browser, origin, path)
        return known[path]

    return visited
