"""The explorers on the built site: by keyboard alone, served and opened as a file, without scripts.

Their numbers are held to attnlib's after every key.
"""

from __future__ import annotations

import json
import re
from operator import attrgetter

import pytest
from browser import leave, opened
from explorer_state import CLASSES, PLACES, SHOWN, assert_equal_to_attnlib
from manuscript import CHAPTERS, NOTEBOOKS

from attnlib.explorers.framework.tables import format_number

KEYS = {
    "range": ("ArrowRight", "ArrowRight", "ArrowLeft", "Home", "ArrowRight", "End", "ArrowLeft"),
    "select-one": ("Home", "ArrowDown", "End", "ArrowUp"),
    "number": ("ArrowUp", "ArrowUp", "ArrowDown"),
    "checkbox": ("Space", "Space", "Space"),
    "button": ("Enter", "Space"),
    "hand": ("ArrowRight", "Shift+ArrowUp", "ArrowLeft", "ArrowDown", "ArrowDown"),
    "cell": ("ArrowDown", "End", "ArrowUp"),
}
# what Tab stops at in an explorer: a matrix once, each thing that can be held
STOPS = ':is(input, select, button, [tabindex="0"]):visible:enabled'


# Buttons that lead back to where the explorer starts, or leave it as it is.
AT_THE_START = {"reset", "computed", "link", "back"}

# by turns: in which language, theme or way an explorer is read is nothing that its own code knows
READINGS = ("http-en-light", "file-zh-dark")
ON_PAGES = [
    pytest.param(f"en/chapters/{path.stem}.html", name, READINGS[i % 2], id=f"{path.stem}-{name}")
    for i, (name, path) in enumerate({name: path for path, name in reversed(PLACES)}.items())
]

# As one string, which crosses faster than many values; Infinity is no number of JSON.
SHOWN_AS_TEXT = f"""explorer => JSON.stringify(({SHOWN})(explorer),
  (_, x) => (x === Infinity || x === -Infinity ? {{ infinity: String(x) }} : x))"""


def shown_by(explorer) -> dict:
    """What an explorer shows, by its handle."""
    text = explorer.evaluate(SHOWN_AS_TEXT)
    return json.loads(text, object_hook=lambda x: float(x["infinity"]) if "infinity" in x else x)


FOCUSED = """() => {
  const { activeElement: control } = document;
  const explorer = control.closest("attn-explorer");
  if (!explorer) return null;
  const isMarked = (node) => {
    const { outlineStyle, boxShadow, strokeWidth, stroke } = getComputedStyle(node);
    const wide = node.matches(".attn-halo") ? 1 : 3;
    const isLine = stroke !== "none" && parseFloat(strokeWidth) >= wide;
    return outlineStyle !== "none" || boxShadow !== "none" || isLine;
  };
  const held = control.matches(".attn-handle") ? "hand" : undefined;
  const kind = control.role === "switch" ? "checkbox" : control.matches("td") ? "cell" : held;
  return {
    name: control.name ?? control.ariaLabel ?? control.textContent,
    type: kind ?? (control.type === "submit" ? "button" : control.type),
    label: control.ariaLabel ?? (control.labels?.[0] ?? control).textContent.trim(),
    marked: [control, ...control.children].some(isMarked),
  };
}"""


@pytest.fixture
def reading(request, origin, site):
    """One of both ways, editions and themes at once: an address, its edition, the theme."""
    scheme, edition, theme = request.param.split("-")
    base = origin if scheme == "http" else site.as_uri()
    return f"{base}/{edition}", edition, theme


def live(page, name):
    """The explorer of this name, which works."""
    explorer = page.locator(f'attn-explorer[name="{name}"]')
    assert explorer.get_attribute("data-status") == "live"
    return explorer


# Tab goes on from where an address leads.
GO_TO_ITS_SECTION = """(name) => {
  const explorer = document.querySelector(`attn-explorer[name="${name}"]`);
  location.hash = explorer.closest("section").id;
}"""


def tab_on(page):
    """Press Tab; where nothing may be copied, the link that is shown instead is passed."""
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.matches('attn-explorer a')"):
        page.keyboard.press("Tab")


def tab_into(page):
    """Press Tab until an explorer has the focus; the contents of the page lead near it."""
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED):
            return
    pytest.fail("no explorer is reached with the Tab key")


def assert_home_and_end_reach_the_bounds(cls, explorer):
    for trait, setting in cls.settings().items():
        slider = explorer.locator(f'input[type=range][name="{trait}"]')
        if slider.count() and slider.is_enabled():
            for key, bound in (("Home", "low"), ("End", "high")):
                slider.press(key)
                assert explorer.evaluate(SHOWN)["numbers"][trait] == setting[bound]


def assert_paper_has_the_table_or_what_the_reader_has_set(page, explorer):
    view, table = explorer.locator(".attn-view"), explorer.locator(".attn-plain")
    for changed in (True, False):
        page.emulate_media(media="screen")
        if not changed:
            explorer.locator("button[name=reset]").press("Enter")
        assert view.is_visible()
        assert not table.is_visible()
        page.emulate_media(media="print")
        assert view.is_visible() == changed
        assert table.is_visible() != changed
        # words and shapes that say what they are stay; what does something goes
        assert not explorer.locator("button:visible:not(.attn-word, :has(svg))").count()


@pytest.mark.parametrize(("path", "name", "reading"), ON_PAGES, indirect=["reading"])
def test_every_control_works_by_keyboard_and_the_numbers_are_attnlibs(browser, reading, path, name):
    address, edition, theme = reading
    url = f"{address}/{path.removeprefix('en/')}"
    with opened(browser, url, color_scheme=theme) as (page, record):
        leave(page, f"attn-explorer[name={name}]")
        page.evaluate(GO_TO_ITS_SECTION, name)
        explorer, cls = live(page, name), CLASSES[name]
        handle = explorer.element_handle()
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        label = {"en": "Reset", "zh": "恢复初值"}[edition]
        assert explorer.locator("button[name=reset]").inner_text() == label
        title = explorer.locator(".attn-view").get_attribute("aria-label")
        assert bool(re.search(r"[\u4e00-\u9fff]", title)) == (edition == "zh")
        # what is asked first is no control of the state
        if explorer.locator("button[name=show]").count():
            explorer.locator("button[name=show]").press("Enter")
        start = shown = shown_by(handle)
        assert_equal_to_attnlib(cls, start)
        stops = explorer.locator(STOPS).count()
        states = []
        tab_into(page)
        while control := page.evaluate(FOCUSED):
            stops -= 1
            assert stops > -20, "the last control does not let the focus go"
            assert control["label"], f"{control['name']} has no label"
            assert control["marked"], f"{control['name']} does not show that it has the focus"
            before, changes = (shown, explorer.text_content()), 0
            for key in KEYS[control["type"]]:
                page.keyboard.press(key)
                shown = shown_by(handle)
                states.append(repr(assert_equal_to_attnlib(cls, shown)))
                changes += (shown, explorer.text_content()) != before
            assert changes or control["name"] in AT_THE_START, f"no key moves {control['name']}"
            tab_on(page)
        assert stops <= 0, "Tab leaves the explorer before its last control"
        assert len(set(states)) > 2
        explorer.locator("button[name=reset]").press("Enter")
        assert explorer.evaluate(SHOWN) == start
        assert_home_and_end_reach_the_bounds(cls, explorer)
        control = explorer.locator(":is(input, select):visible").first
        control.press(KEYS[control.evaluate("e => e.type")][0])
        assert_paper_has_the_table_or_what_the_reader_has_set(page, explorer)
        assert not record.complaints


def assert_a_table_has_the_numbers(explorer, cls):
    explorer.locator(".attn-plain table").first.wait_for()
    assert explorer.locator("input, select, button").count() == 0
    cells = explorer.locator("td").all_inner_texts()
    numbers = cls(**json.loads(explorer.get_attribute("state"))).numbers
    shown = [value for value in numbers.values() if format_number(value) in cells]
    assert shown


def test_without_scripts_a_page_that_is_served_has_its_table(browser, origin):
    """As the pages that are opened as files (below): nothing of them depends on how they came."""
    path, name = PLACES[-1]
    url = f"{origin}/en/chapters/{path.stem}.html"
    with opened(browser, url, java_script_enabled=False) as (page, record):
        explorer = page.locator(f'attn-explorer[name="{name}"]')
        assert_a_table_has_the_numbers(explorer, CLASSES[name])
        assert not record.said


# Of every folded block: whether what is in it is seen.
OPEN = """(selector) => [...document.querySelectorAll(selector)].map((block) =>
  [...block.children].some((part) => part.localName !== "summary" && part.checkVisibility()))"""


@pytest.mark.parametrize("path", [CHAPTERS / "index.md", *NOTEBOOKS], ids=attrgetter("stem"))
def test_without_scripts_tables_are_there_solutions_open_and_nothing_scrolls_sideways(
    browser, site, path
):
    url = (site / "en" / "chapters" / f"{path.stem}.html").as_uri()
    with opened(browser, url, java_script_enabled=False, width=360) as (page, record):
        names = [name for place, name in PLACES if place == path]
        for name in names:
            explorer = page.locator(f'attn-explorer[name="{name}"]')
            assert_a_table_has_the_numbers(explorer, CLASSES[name])
        solutions = page.locator("details.solution")
        if path in NOTEBOOKS:
            assert solutions.count() >= 1
            # what the site folds is open, what the reader is to find is not
            assert all(page.evaluate(OPEN, "details:is(.shown, .side-path)"))
            assert page.locator("details:is(.shown, .side-path)").count() > 5
            assert not any(page.evaluate(OPEN, "details.solution"))
            # one by hand, the others as a click does it
            solutions.first.locator("summary").first.click()
            assert page.evaluate(OPEN, "details.solution").count(True) == 1
            closed = "details:not([open]) > summary"
            page.evaluate(f"document.querySelectorAll('{closed}').forEach((one) => one.click())")
            assert all(page.evaluate(OPEN, "details"))
            assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
        assert not record.said


def test_no_page_of_an_explorer_is_left_out():
    assert {path for path, _ in PLACES} <= {CHAPTERS / "index.md", *NOTEBOOKS}


def test_a_page_without_an_explorer_loads_none_of_their_scripts(browser, origin):
    with opened(browser, f"{origin}/en/chapters/notation.html") as (_, record):
        assert record.requests
        assert not [url for url in record.requests if "/explorers/" in url]
