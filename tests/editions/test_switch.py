"""From one language to the other and back: the switch, the root page, downloads."""

from __future__ import annotations

import json
import re

import pytest
from browser import opened
from html_pages import head
from manuscript import NOTEBOOKS, pages

EDITIONS = {"en": "en", "zh": "zh-CN"}
OTHER = {"en": "zh", "zh": "en"}


def size(site, name) -> int:
    return (site / "en" / f"{name}.html").stat().st_size


def last_section(path) -> str:
    """The anchor of the last heading of a page."""
    return re.findall(r'<section [^>]*\bid="([^"]+)"', path.read_text(encoding="utf-8"))[-1]


@pytest.mark.parametrize("folder", EDITIONS)
@pytest.mark.parametrize("page", [*pages(), "search"])
def test_every_page_names_itself_in_both_languages(site, folder, page):
    html = site / folder / f"{page}.html"
    soup = head(html)
    assert soup.html["lang"] == EDITIONS[folder]
    named = {
        link["hreflang"]: (html.parent / link["href"]).resolve()
        for link in soup.select('link[rel="alternate"][hreflang]')
    }
    assert named == {
        tag: (site / other / f"{page}.html").resolve() for other, tag in EDITIONS.items()
    }
    assert all(target.is_file() for target in named.values())


@pytest.mark.parametrize("folder", EDITIONS)
def test_every_page_has_the_switch_and_the_other_edition_its_places(site, folder):
    for name in pages():
        here, there = (site / one / f"{name}.html" for one in (folder, OTHER[folder]))
        html = here.read_text(encoding="utf-8")
        [link] = re.findall(r'<a [^>]*\blanguage-switch\b[^>]*\bhref="([^"]+)"', html)
        assert (here.parent / link).resolve() == there.resolve()
        assert re.search(r'<script [^>]*\bsrc="[^"]*/page\.js', html)
        assert f'id="{last_section(here)}"' in there.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", EDITIONS)
def test_the_switch_leads_to_the_same_place(browser, origin, site, folder):
    """Followed in a browser, with the anchor of a heading and a query in the address."""
    first, *others = pages()
    chapter = min((name for name in others if "_" in name), key=lambda name: size(site, name))
    with opened(browser, f"{origin}/{folder}/{first}.html") as (page, record):
        for name in (first, chapter, others[-1]):
            anchor = last_section(site / folder / f"{name}.html")
            here, there = (
                f"{origin}/{one}/{name}.html?kept=1#{anchor}" for one in (folder, OTHER[folder])
            )
            page.goto(here, wait_until="domcontentloaded")
            page.locator("a.language-switch").click()
            page.wait_for_url(there, wait_until="domcontentloaded")
            assert page.evaluate("document.documentElement.lang") == EDITIONS[OTHER[folder]]
            assert page.locator(f"article [id='{anchor}']").count() == 1
        assert not record.complaints


def test_the_switch_is_reached_and_followed_by_keyboard(browser, origin):
    with opened(browser, f"{origin}/en/{pages()[1]}.html") as (page, _):
        page.locator("a.language-switch").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"{origin}/zh/{pages()[1]}.html")


@pytest.mark.parametrize(
    ("locale", "folder"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-GB", "en"), ("fr-FR", "en")]
)
def test_the_root_page_picks_by_the_languages_of_the_browser(browser, origin, locale, folder):
    with opened(browser, f"{origin}/", locale=locale) as (page, record):
        page.wait_for_url(f"{origin}/{folder}/{pages()[0]}.html")
        assert not record.complaints


def test_the_root_page_remembers_a_choice(browser, origin):
    with opened(browser, f"{origin}/", locale="en-US") as (page, _):
        page.wait_for_url(f"{origin}/en/{pages()[0]}.html")
        page.locator("a.language-switch").click()
        page.wait_for_url(f"{origin}/zh/{pages()[0]}.html")
        page.goto(f"{origin}/")
        page.wait_for_url(f"{origin}/zh/{pages()[0]}.html")


def test_without_scripts_the_root_page_lists_both(browser, origin):
    with opened(browser, f"{origin}/", java_script_enabled=False) as (page, _):
        links = page.locator("li a")
        assert links.count() == 2
        links.last.click()
        page.wait_for_url(f"{origin}/zh/**")


@pytest.mark.parametrize("folder", EDITIONS)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_download_is_the_notebook_in_the_language_of_the_page(site, folder, path):
    html = site / folder / "chapters" / f"{path.stem}.html"
    text = html.read_text(encoding="utf-8")
    [link] = set(re.findall(r'href="([^"]+)"[^>]*class="[^"]*btn-download-source-button', text))
    file = (html.parent / link).resolve()
    assert file.name == path.name
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    source = json.loads(path.read_text(encoding="utf-8"))["cells"]
    heading = "".join(cells[0]["source"])
    title = re.search(r"<title>(.*?) — ", text)[1][:4]
    assert title in heading
    for mine, english in zip(cells, source, strict=True):
        if english["cell_type"] == "code":
            assert "".join(mine["source"]) == "".join(english["source"])
            # but for the words in figures (test_translations)
            assert without_drawings(mine["outputs"]) == without_drawings(english["outputs"])


def without_drawings(outputs: list[dict]) -> list[dict]:
    return [
        output | {"data": {k: v for k, v in output["data"].items() if k != "image/svg+xml"}}
        if "data" in output
        else output
        for output in outputs
    ]


def test_the_switch_keeps_the_place_that_is_being_read(browser, origin):
    """Far from the anchor in the address: the section that is read, and how far in it."""
    line = "0.2 * innerHeight"
    read = f"""() => {{
      const passed = [...document.querySelectorAll("section[id]")]
        .filter((one) => one.getBoundingClientRect().top <= {line}).at(-1);
      const {{ top, height }} = passed.getBoundingClientRect();
      return [passed.id, ({line} - top) / height];
    }}"""
    with opened(browser, f"{origin}/en/chapters/notation.html#notation") as (page, record):
        page.mouse.move(600, 400)
        page.mouse.wheel(0, 1100)
        page.wait_for_function("scrollY > 1000")
        section, part = page.evaluate(read)
        assert part > 0.1
        # by its place: a click by name may scroll the page first
        box = page.locator("a.language-switch").bounding_box()
        page.mouse.click(box["x"] + 5, box["y"] + 5)
        page.wait_for_url(f"{origin}/zh/chapters/notation.html#{section}")
        page.wait_for_load_state("load")
        page.wait_for_function(f"Math.abs(({read})()[1] - {part}) < 0.05")
        assert page.evaluate(read)[0] == section
        # what was kept is used up
        assert page.evaluate("sessionStorage.getItem('place')") is None
        assert not record.complaints
