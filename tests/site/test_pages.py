"""Every page of the built site in a real browser: local, quiet, whole, readable."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browser import opened
from manuscript import NOTEBOOKS, ROOT, markdown, pages, read

EDITIONS = {"en": "en", "zh": "zh-CN"}
HELPERS = ["genindex", "search"]
CHAPTERS = [f"chapters/{path.stem}" for path in NOTEBOOKS]
PAGES = [f"{folder}/{page}.html" for folder in EDITIONS for page in [*pages(), *HELPERS]]
ENTRIES = ["index.html", *(f"{folder}/index.html" for folder in EDITIONS)]

# The heaviest page as measured (1,464 kB, 513 kB compressed, 39 requests), times 1.5.
MOST_KILOBYTES = 2200
MOST_KILOBYTES_COMPRESSED = 770
MOST_REQUESTS = 58

IN_PAGE = (ROOT / "tests" / "shared" / "in_page.js").read_text(encoding="utf-8")


def html_files(site: Path) -> list[Path]:
    """The pages; the theme leaves a template among its files, which is none."""
    return [path for path in site.rglob("*.html") if "_static" not in path.parts]


def look(page, what: str):
    """Call one of the functions of ``in_page.js``."""
    page.add_script_tag(content=IN_PAGE)
    return page.evaluate(f"inPage.{what}()")


def assert_contrast(page) -> None:
    found = look(page, "lowContrast")
    assert found["checked"] > 10
    assert not found["faults"]


def labels_of_formulas(chapter: str) -> list[str]:
    prose = markdown(read(ROOT / "chapters" / f"{chapter}.ipynb"))
    labels = re.findall(r"^:label: (eq-.+)$", prose, re.MULTILINE)
    assert labels
    return labels


def is_chapter(path: str) -> bool:
    return path.removesuffix(".html").partition("/")[2] in CHAPTERS


def test_the_site_has_the_pages_of_the_table_of_contents_and_every_chapter(site):
    assert {*CHAPTERS} <= {*pages()}
    assert {html.relative_to(site).as_posix() for html in html_files(site)} == {*PAGES, *ENTRIES}
    wheels = {wheel.name for wheel in site.glob("attnlib-*-py3-none-any.whl")}
    assert len(wheels) == 1
    assert {entry.name for entry in site.iterdir()} == {"index.html", *EDITIONS, *wheels}


@pytest.fixture(scope="module", params=PAGES)
def on_a_desk(request, browser, origin):
    """A page as it opens in a wide window, in light colours: its path, itself, its record."""
    with opened(browser, f"{origin}/{request.param}", color_scheme="light") as (page, record):
        yield request.param, page, record


# the editions share their style sheets, so one of them is looked at in dark colours
@pytest.fixture(scope="module", params=[path for path in PAGES if path.startswith("en/")])
def in_the_dark(request, browser, origin):
    with opened(browser, f"{origin}/{request.param}", color_scheme="dark") as (page, _):
        yield page


@pytest.fixture(scope="module", params=PAGES)
def on_a_phone(request, browser, origin):
    with opened(browser, f"{origin}/{request.param}", width=360) as (page, record):
        yield request.param, page, record


def test_everything_it_loads_is_local_and_there(on_a_desk, origin):
    _, _, record = on_a_desk
    own = (f"{origin}/", "data:", f"blob:{origin}/")
    assert record.requests
    assert not [url for url in record.requests if not url.startswith(own)]
    assert not record.failed


def test_the_console_is_clean(on_a_desk):
    _, _, record = on_a_desk
    assert not record.said


def test_it_is_light(on_a_desk, record_property):
    path, _, record = on_a_desk
    bodies = [response.body() for response in record.responses]
    kilobytes = sum(map(len, bodies)) / 1000
    compressed = sum(len(gzip.compress(body)) for body in bodies) / 1000
    if is_chapter(path):
        record_property(
            "summary",
            f"{path}: {len(record.requests)} requests, {kilobytes:.0f} kB, "
            f"{compressed:.0f} kB compressed",
        )
    assert len(record.requests) <= MOST_REQUESTS
    assert kilobytes <= MOST_KILOBYTES
    assert compressed <= MOST_KILOBYTES_COMPRESSED


def test_it_says_its_language_and_title(on_a_desk):
    path, page, _ = on_a_desk
    assert page.evaluate("document.documentElement.lang") == EDITIONS[path.partition("/")[0]]
    assert page.title()
    assert page.locator("h1:visible").count() == 1


def test_pictures_icons_and_text_are_whole(on_a_desk):
    _, page, _ = on_a_desk
    assert not look(page, "brokenImages")
    assert not look(page, "missingIcons")
    assert not look(page, "rawMarkup")


def test_formulas_are_drawn_and_are_there_as_text(on_a_desk):
    path, page, _ = on_a_desk
    found = look(page, "formulas")
    assert not found["faults"]
    if is_chapter(path):
        assert found["count"] > len(labels_of_formulas(Path(path).stem))


def test_text_has_enough_contrast(on_a_desk):
    _, page, _ = on_a_desk
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert_contrast(page)


def assert_one_header_and_search_field(path: str, page) -> None:
    assert len(look(page, "headers")) == 1
    fields = look(page, "searchFields")
    # the page of the results has the field with the query beside the button of all pages
    assert len(fields) == (2 if path.endswith("/search.html") else 1), fields


def test_it_has_one_header_and_one_search_field(on_a_desk):
    path, page, _ = on_a_desk
    assert_one_header_and_search_field(path, page)


def test_the_search_field_opens_by_key(on_a_desk):
    path, page, _ = on_a_desk
    if path.endswith("/search.html"):
        assert page.locator("input[type=search]:visible").count() == 1
    else:
        page.keyboard.press("Control+k")
        page.locator("input[type=search]").wait_for(state="visible")
        page.keyboard.press("Escape")
        page.locator("input[type=search]").wait_for(state="hidden")


def test_text_has_enough_contrast_in_the_dark(in_the_dark):
    assert in_the_dark.evaluate("document.documentElement.dataset.theme") == "dark"
    assert_contrast(in_the_dark)


def test_nothing_scrolls_sideways_on_a_phone(on_a_phone):
    _, page, _ = on_a_phone
    wide = look(page, "overflow")
    assert wide["by"] <= 0, wide


def test_a_phone_shows_one_header_and_one_search_field(on_a_phone):
    path, page, record = on_a_phone
    assert_one_header_and_search_field(path, page)
    assert not look(page, "missingIcons")
    assert page.locator("button.primary-toggle").bounding_box()["width"] >= 24
    assert not record.complaints


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_leads_to_the_first_page(browser, origin, entry):
    folder = Path(entry).parts[0] if "/" in entry else "en"
    with opened(browser, f"{origin}/{entry}") as (page, record):
        page.wait_for_url(f"{origin}/{folder}/{pages()[0]}.html")
        assert page.locator("h1:visible").count() == 1
        assert not record.complaints


def test_search_finds_the_chapter(browser, origin):
    with opened(browser, f"{origin}/en/search.html?q=saturated") as (page, record):
        page.locator("ul.search li a[href*='04_scaling.html']").first.wait_for()
        assert all(url.startswith(origin) for url in record.requests)
        assert not record.complaints


class Anchors(HTMLParser):
    """The addresses that a page links to or loads, and the ids that it has."""

    def __init__(self):
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]
        self.ids |= {attributes[name] for name in ("id", "name") if attributes.get(name)}


def anchors(file: Path) -> Anchors:
    parser = Anchors()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser


def test_links_and_anchors_lead_somewhere(site):
    known = {file: anchors(file) for file in html_files(site)}
    broken = []
    for file, page in known.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            fragment = unquote(parts.fragment)
            if not target.is_file() or (
                fragment and target in known and fragment not in known[target].ids
            ):
                broken.append(f"{file.relative_to(site)}: {link}")
    assert not broken


def test_every_labelled_formula_can_be_linked_to(site):
    for path in NOTEBOOKS:
        ids = anchors(site / "en" / "chapters" / f"{path.stem}.html").ids
        assert {f"equation-{label}" for label in labels_of_formulas(path.stem)} <= ids


def test_nothing_in_the_sources_of_the_site_would_load_from_elsewhere(site):
    """Also what no test opens: a script, a style sheet, a font or an image of another host."""
    loads = re.compile(
        r"""<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=["']?(?:https?:)?//"""
        r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preload|icon|modulepreload|preconnect))"""
        r"""[^>]*\bhref=["']?(?:https?:)?//"""
        r"""|url\(["']?(?:https?:)?//|@import\s+["'](?:https?:)?//""",
        re.IGNORECASE,
    )
    files = [*html_files(site), *site.rglob("*.css")]
    found = [
        f"{file.relative_to(site)}: {match[0]}"
        for file in files
        for match in loads.finditer(file.read_text(encoding="utf-8"))
    ]
    assert len(files) > len(PAGES)
    assert not found
