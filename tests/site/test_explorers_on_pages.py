"""The explorers on the built site: by keyboard alone, served and opened as a file, without scripts.

Their numbers are held to attnlib's after every key.
"""

from __future__ import annotations

import json
import re

import pytest
from browser import opened
from explorer_state import CLASSES, PLACES, SHOWN, assert_equal_to_attnlib
from manuscript import NOTEBOOKS

from attnlib.explorers.framework.tables import format_number

KEYS = {
    "range": ("ArrowRight", "ArrowRight", "ArrowLeft", "Home", "ArrowRight", "End", "ArrowLeft"),
    "select-one": ("Home", "ArrowDown", "End", "ArrowUp"),
    "number": ("ArrowUp", "ArrowUp", "ArrowDown"),
    "checkbox": ("Space", "Space", "Space"),
    "button": ("Enter", "Space"),
}


# Buttons that lead back to where the explorer starts, or leave it as it is.
AT_THE_START = {"reset", "computed", "link"}

ON_PAGES = [
    pytest.param(f"en/chapters/{path.stem}.html", name, id=f"{path.stem}-{name}")
    for path, name in PLACES
]

FOCUSED = """() => {
  const { activeElement: control } = document;
  const explorer = control.closest("attn-explorer");
  if (!explorer) return null;
  const { outlineStyle, boxShadow } = getComputedStyle(control);
  return {
    name: control.name,
    type: control.type === "submit" ? "button" : control.type,
    label: control.ariaLabel ?? (control.labels?.[0] ?? control).textContent.trim(),
    marked: outlineStyle !== "none" || boxShadow !== "none",
  };
}"""


@pytest.fixture(params=["http", "file"])
def address(request, origin, site):
    """The two ways in which the site is read."""
    return origin if request.param == "http" else site.as_uri()


@pytest.fixture(params=["http-en-light", "file-zh-dark"])
def reading(request, origin, site):
    """Both ways, editions and themes at once: an address, its edition, the theme."""
    scheme, edition, theme = request.param.split("-")
    base = origin if scheme == "http" else site.as_uri()
    return f"{base}/{edition}", edition, theme


def live(page, name):
    """The explorer of this name, once it works."""
    page.locator(f'attn-explorer[name="{name}"][data-status="live"]').wait_for(timeout=10_000)
    return page.locator(f'attn-explorer[name="{name}"]')


def tab_into(page):
    """Press Tab until an explorer has the focus; the contents of the page lead near it."""
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED):
            return
    pytest.fail("no explorer is reached with the Tab key")


@pytest.mark.parametrize(("path", "name"), ON_PAGES)
def test_every_control_works_by_keyboard_and_the_numbers_are_attnlibs(browser, reading, path, name):
    address, edition, theme = reading
    url = f"{address}/{path.removeprefix('en/')}#explorer"
    with opened(browser, url, color_scheme=theme) as (page, record):
        explorer, cls = live(page, name), CLASSES[name]
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        label = {"en": "Reset", "zh": "恢复初值"}[edition]
        assert explorer.locator("button[name=reset]").inner_text() == label
        title = explorer.locator(".attn-view").get_attribute("aria-label")
        assert bool(re.search(r"[\u4e00-\u9fff]", title)) == (edition == "zh")
        start = explorer.evaluate(SHOWN)
        assert_equal_to_attnlib(cls, start)
        controls = explorer.locator(":is(input, select, button):visible").count()
        states = []
        tab_into(page)
        for _ in range(controls):
            control = page.evaluate(FOCUSED)
            assert control, "Tab leaves the explorer before its last control"
            assert control["label"], f"{control['name']} has no label"
            assert control["marked"], f"{control['name']} does not show that it has the focus"
            before = explorer.evaluate(SHOWN)
            changes = 0
            for key in KEYS[control["type"]]:
                page.keyboard.press(key)
                shown = explorer.evaluate(SHOWN)
                states.append(repr(assert_equal_to_attnlib(cls, shown)))
                changes += shown != before
            assert changes or control["name"] in AT_THE_START, f"no key moves {control['name']}"
            page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) is None, "the last control does not let the focus go"
        assert len(set(states)) > 2
        explorer.locator("button[name=reset]").press("Enter")
        assert explorer.evaluate(SHOWN) == start
        assert not record.complaints


@pytest.mark.parametrize(("path", "name"), ON_PAGES)
def test_home_and_end_reach_the_bounds(browser, origin, path, name):
    with opened(browser, f"{origin}/{path}") as (page, _):
        explorer = live(page, name)
        for trait, setting in CLASSES[name].settings().items():
            slider = explorer.locator(f'input[type=range][name="{trait}"]')
            if slider.count():
                for key, bound in (("Home", "low"), ("End", "high")):
                    slider.press(key)
                    assert explorer.evaluate(SHOWN)["numbers"][trait] == setting[bound]


@pytest.mark.parametrize(("path", "name"), ON_PAGES)
def test_a_live_explorer_takes_the_place_of_its_table_except_in_print(browser, origin, path, name):
    with opened(browser, f"{origin}/{path}") as (page, _):
        explorer = live(page, name)
        view, table = explorer.locator(".attn-view"), explorer.locator(".attn-plain")
        assert view.is_visible()
        assert not table.is_visible()
        page.emulate_media(media="print")
        assert not view.is_visible()
        assert table.is_visible()


@pytest.mark.parametrize(("path", "name"), ON_PAGES)
def test_without_scripts_the_table_is_there_with_its_numbers(browser, address, path, name):
    with opened(browser, f"{address}/{path}", java_script_enabled=False) as (page, record):
        explorer = page.locator(f'attn-explorer[name="{name}"]')
        explorer.locator(".attn-plain table").first.wait_for()
        assert explorer.locator("input, select, button").count() == 0
        cells = explorer.locator("td").all_inner_texts()
        numbers = CLASSES[name](**json.loads(explorer.get_attribute("state"))).numbers
        shown = [value for value in numbers.values() if format_number(value) in cells]
        assert len(shown) > 10
        assert not record.said


# Of every folded block: whether what is in it is seen.
OPEN = """() => [...document.querySelectorAll("details")].map((block) =>
  [...block.children].some((part) => part.localName !== "summary" && part.checkVisibility()))"""


@pytest.mark.parametrize("path", [f"en/chapters/{path.stem}.html" for path in NOTEBOOKS])
def test_without_scripts_solutions_open_and_nothing_scrolls_sideways(browser, site, path):
    options = {"java_script_enabled": False, "width": 360}
    with opened(browser, f"{site.as_uri()}/{path}", **options) as (page, _):
        solutions = page.locator("details.solution")
        assert solutions.count() >= 3
        folded = page.evaluate(OPEN)
        assert len(folded) >= 2 * solutions.count()
        assert not any(folded)
        # one by hand, the others as a click does it
        solutions.first.locator("summary").first.click()
        assert page.evaluate(OPEN).count(True) == 1
        closed = "details:not([open]) > summary"
        page.evaluate(f"document.querySelectorAll('{closed}').forEach((one) => one.click())")
        assert all(page.evaluate(OPEN))
        overflow = "document.scrollingElement.scrollWidth - innerWidth"
        assert page.evaluate(overflow) <= 0


def test_a_page_without_an_explorer_loads_none_of_their_scripts(browser, origin):
    with opened(browser, f"{origin}/en/chapters/notation.html") as (_, record):
        assert record.requests
        assert not [url for url in record.requests if "/explorers/" in url]
