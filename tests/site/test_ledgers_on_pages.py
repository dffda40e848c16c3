"""A ledger in a browser: what is taken away drops what it carried, and can be given back."""

from __future__ import annotations

import pytest
from book.lesson import ledger
from browser import leave, opened
from manuscript import NOTEBOOKS, read, source

PAGES = [
    (path.stem, source(cell))
    for path in NOTEBOOKS
    for cell in read(path)["cells"]
    if ledger.is_ledger(cell)
]
STATE = """(ledger) => {
  const letters = (name) => [...ledger.querySelectorAll(`tr.${name}`)].map(
    (row) => /[a-z]/.exec(row.cells[0].textContent)[0]);
  const seen = [...ledger.querySelectorAll("ul > li")].filter((item) => item.checkVisibility());
  return { falls: letters("falls"), hangs: letters("hangs"), without: seen.length };
}"""


@pytest.mark.parametrize(("chapter", "text"), PAGES, ids=[name for name, _ in PAGES])
@pytest.mark.parametrize("edition", ["en", "zh"])
def test_each_assumption_drops_the_steps_that_rest_on_it(browser, origin, chapter, text, edition):
    url = f"{origin}/{edition}/chapters/{chapter}.html"
    uses, spent = ledger.uses(text), ledger.spent(text)
    with opened(browser, url, width=360) as (page, record):
        leave(page, "div.ledger")
        place = page.locator("div.ledger")
        buttons = place.locator("button")
        assert buttons.count() == len(ledger.ASSUMPTION.findall(text))
        assert place.evaluate(STATE) == {"falls": [], "hangs": [], "without": 0}
        for i, button in enumerate(buttons.all(), start=1):
            button.press("Enter")
            state = place.evaluate(STATE)
            falls = [letter for letter, each in uses.items() if str(i) in each]
            rest = [letter for letter, each in spent.items() if str(i) in each]
            assert state["falls"] == falls
            assert state["hangs"] == [letter for letter in rest if letter not in falls]
            assert state["without"] == 1
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            button.press("Enter")
        assert place.evaluate(STATE) == {"falls": [], "hangs": [], "without": 0}
        assert not record.complaints


def test_without_scripts_and_on_paper_all_of_it_is_there(browser, origin):
    chapter, text = PAGES[-1]
    url = f"{origin}/en/chapters/{chapter}.html"
    for options in ({"java_script_enabled": False}, {}):
        with opened(browser, url, **options) as (page, _):
            page.emulate_media(media="print")
            place = page.locator("div.ledger")
            assert place.evaluate(STATE)["without"] == len(ledger.WITHOUT.findall(text))
            assert not place.locator("button:visible").count()
