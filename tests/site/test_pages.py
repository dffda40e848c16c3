"""Every page of the built site in a real browser: local, quiet, whole, readable."""

from __future__ import annotations

import gzip
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from browser import opened
from manuscript import NOTEBOOKS, ROOT, markdown, pages, read
from visits import EDITIONS, ON_EVERY_PAGE, PAGES, PHONE, look

CHAPTERS = [f"chapters/{path.stem}" for path in NOTEBOOKS]
ENTRIES = ["index.html", "404.html", *(f"{folder}/index.html" for folder in EDITIONS)]

# The heaviest page as measured (1,464 kB, 513 kB compressed, 39 requests), times 1.5.
MOST_KILOBYTES = 2200
MOST_KILOBYTES_COMPRESSED = 770
MOST_REQUESTS = 58


def html_files(site: Path) -> list[Path]:
    """The pages; the theme leaves a template among its files, which is none."""
    return [path for path in site.rglob("*.html") if "_static" not in path.parts]


def assert_contrast(found: dict) -> None:
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
    assert {entry.name for entry in site.iterdir()} == {
        "index.html",
        "404.html",
        *EDITIONS,
        *wheels,
    }


@cache
def sizes(file: Path) -> tuple[int, int]:
    """The bytes of a file, as it is and compressed."""
    content = file.read_bytes()
    return len(content), len(gzip.compress(content))


@ON_EVERY_PAGE
def test_everything_it_loads_is_local_and_there(path, visits, origin):
    record = visits(path).record
    own = (f"{origin}/", "data:", f"blob:{origin}/")
    assert record.requests
    assert not [url for url in record.requests if not url.startswith(own)]
    assert not record.failed


@ON_EVERY_PAGE
def test_the_console_is_clean(path, visits):
    assert not visits(path).record.said


@ON_EVERY_PAGE
def test_it_is_light(path, visits, origin, site, record_property):
    loaded = visits(path).loaded
    files = [url.removeprefix(f"{origin}/") for url in loaded if url.startswith(origin)]
    plain, packed = zip(*(sizes(site / unquote(urlsplit(f).path)) for f in files), strict=True)
    kilobytes, compressed = sum(plain) / 1000, sum(packed) / 1000
    if is_chapter(path):
        record_property(
            "summary",
            f"{path}: {len(loaded)} requests, {kilobytes:.0f} kB, {compressed:.0f} kB compressed",
        )
    assert len(loaded) <= MOST_REQUESTS
    assert kilobytes <= MOST_KILOBYTES
    assert compressed <= MOST_KILOBYTES_COMPRESSED


@ON_EVERY_PAGE
def test_it_says_its_language_and_title(path, visits):
    desk = visits(path).desk
    assert desk["language"] == EDITIONS[path.partition("/")[0]]
    assert desk["title"]
    assert len(desk["headings"]) == 1


@ON_EVERY_PAGE
def test_pictures_icons_and_text_are_whole(path, visits):
    desk = visits(path).desk
    assert not desk["brokenImages"]
    assert not desk["missingIcons"]
    assert not desk["rawMarkup"]


@ON_EVERY_PAGE
def test_formulas_are_drawn_and_are_there_as_text(path, visits):
    found = visits(path).desk["formulas"]
    assert not found["faults"]
    if is_chapter(path):
        assert found["count"] > len(labels_of_formulas(Path(path).stem))


@ON_EVERY_PAGE
def test_text_has_enough_contrast(path, visits):
    seen = visits(path)
    assert seen.desk["theme"] == "light"
    assert_contrast(seen.desk["lowContrast"])
    if path.startswith("en/"):
        assert seen.dark["theme"] == "dark"
        assert_contrast(seen.dark["lowContrast"])


def assert_one_header_and_search_field(path: str, view: dict) -> None:
    assert len(view["headers"]) == 1
    # the page of the results has the field with the query beside the button of all pages
    fields = view["searchFields"]
    assert len(fields) == (2 if path.endswith("/search.html") else 1), fields


@ON_EVERY_PAGE
def test_it_has_one_header_and_one_search_field_that_opens_by_key(path, visits):
    seen = visits(path)
    assert_one_header_and_search_field(path, seen.desk)
    assert not seen.search_by_key


def assert_fits_a_phone(path: str, view: dict) -> None:
    assert view["overflow"]["by"] <= 0, view["overflow"]
    assert_one_header_and_search_field(path, view)
    assert not view["missingIcons"]
    assert view["menuButton"] >= 24


@ON_EVERY_PAGE
def test_it_fits_a_phone(path, visits):
    assert_fits_a_phone(path, visits(path).phone)


@pytest.mark.parametrize("page", ["index", "04_scaling", "references", "api"])
def test_a_page_that_is_opened_on_a_phone_fits_it_too(browser, origin, page):
    """The others are seen in a window that was made narrow."""
    path = f"zh/chapters/{page}.html"
    with opened(browser, f"{origin}/{path}", width=360) as (page, record):
        assert_fits_a_phone(path, look(page, *PHONE))
        assert not record.complaints


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry != "404.html"])
def test_an_entry_leads_to_the_first_page(browser, origin, entry):
    folder = Path(entry).parts[0] if "/" in entry else "en"
    with opened(browser, f"{origin}/{entry}") as (page, record):
        page.wait_for_url(f"{origin}/{folder}/{pages()[0]}.html")
        assert page.locator("h1:visible").count() == 1
        assert not record.complaints


def test_search_finds_the_chapter(browser, origin):
    with opened(browser, f"{origin}/en/search.html?q=saturated") as (page, record):
        page.locator("ol.search li a[href*='04_scaling.html']").first.wait_for()
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
