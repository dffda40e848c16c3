"""Figures of the notebooks are shapes and text of the page, in its theme and its language."""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path

import nbformat
import pytest
from book.colours.sheet import sheet
from book.colours.variables import variables
from book.figures.markup import StrangeColourError, on_a_page, words
from book.languages.catalogues import translations
from browser import opened
from builds import make_bare_book, run, write_settings
from manuscript import NOTEBOOKS, ROOT, code_cells, read

STORED = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" font-size="11">
<rect x="0" y="0" width="9" height="9" style="fill:#ffffff"/>
<defs>
<path id="m1" d="M0 0L1 1"/>
</defs>
<g clip-path="url(#p2)">
<use href="#m1" style="stroke:#0072b2"/>
</g>
<text x="1" y="1">a &lt; key j</text>
<text x="1" y="2">S / √d_k, d_k = 8</text>
</svg>"""
FIGURE = re.compile(r'<div class="attn-figure">(<svg.*?</svg>)</div>', re.DOTALL)
FIGURE_IN = re.compile(r'<figure [^>]*id="([^"]*)">\s*<div class="attn-figure">')
LABEL = re.compile(r'^<svg viewBox="[^"]*" role="group" aria-label="([^"]*)">')
# names that are the same in both languages
LATIN = re.compile(r"Token|softmax|d_k|W_[QKV]")


def picture(cell: dict) -> str:
    return "".join(cell["outputs"][0]["data"]["image/svg+xml"])


def figures_of(notebook: dict) -> list[dict]:
    return [cell for cell in code_cells(notebook) if "mystnb" in cell["metadata"]]


def texts(shapes: str) -> list[str]:
    """What is written in a picture, subscripts as in the notebook."""
    found = re.findall(r"<text\b[^>]*>(.*?)</text>", shapes)
    lowered = (re.sub(r'<tspan class="attn-sub"[^>]*>', "_", text) for text in found)
    return [unescape(re.sub(r"<[^>]*>", "", text)) for text in lowered]


def shown(colour: str) -> str:
    return on_a_page(STORED.replace("#0072b2", colour), "fig-a", "b", str)


def test_a_figure_has_the_names_the_colours_and_the_words_of_the_page():
    page = on_a_page(STORED, "fig-a-b", 'One "row".', lambda text: text.replace("key", "键"))
    assert page.startswith(
        '<div class="attn-figure"><svg viewBox="0 0 9 9" role="group"'
        ' aria-label="One &quot;row&quot;.">\n<defs>'
    )
    assert 'id="fig-a-b-m1"' in page
    assert '<use href="#fig-a-b-m1" style="stroke:var(--attn-query)"/>' in page
    assert 'clip-path="url(#fig-a-b-p2)"' in page
    assert ">a &lt; 键 j</text>" in page
    assert page.endswith("</svg></div>")
    assert "#ffffff" not in page, "the page has a ground of its own"


def test_what_follows_an_underscore_stands_lower_and_what_follows_that_does_not():
    line = shown("#0072b2").split("\n")[-2]
    assert line.count('<tspan class="attn-sub" dy="2.5">k</tspan>') == 2
    assert '<tspan dy="-2.5">, d</tspan>' in line
    assert texts(line) == ["S / √d_k, d_k = 8"]


def test_a_colour_that_no_theme_knows_is_refused():
    with pytest.raises(StrangeColourError, match="#0072b3 is a colour of no role"):
        shown("#0072b3")


def test_only_texts_with_words_are_translated():
    held = [text.replace("<", "&lt;") for text in ("key j", "0.25", "d_k", "A < B", "v₁ 0.3")]
    held += ["key j", "A = softmax(S)", "W_Q"]
    assert words("".join(f"<text>{text}</text>" for text in held)) == ["key j"]


def test_colours_are_told_apart_and_each_theme_has_its_own():
    for theme in ("light", "dark"):
        shades = [shade[theme] for shade in variables().values()]
        assert all(f": {shade};" in sheet() for shade in shades)
    light = [shade["light"].upper() for shade in variables().values()]
    assert len(set(light)) == len(light)


@pytest.mark.parametrize("edition", ["en", "zh"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_figure_stands_in_its_page_with_its_name_and_its_words(site, path, edition):
    page = (site / edition / "chapters" / f"{path.stem}.html").read_text(encoding="utf-8")
    cells = figures_of(read(path))
    catalogue = ROOT / f"locale/zh_CN/LC_MESSAGES/chapters/{path.stem}.po"
    known = translations(catalogue) if edition == "zh" else {}
    assert FIGURE_IN.findall(page) == [c["metadata"]["mystnb"]["figure"]["name"] for c in cells]
    for cell, shapes in zip(cells, FIGURE.findall(page), strict=True):
        label = LABEL.match(shapes)
        assert label, shapes[:200]
        alt = " ".join(cell["metadata"]["mystnb"]["image"]["alt"].split())
        assert unescape(label[1]) == known.get(alt, alt)
        stored = texts(picture(cell))
        assert texts(shapes) == [known.get(text, text) for text in stored]
        if edition == "zh":
            left = [text for text in texts(shapes) if re.search("[a-z]{2}", LATIN.sub("", text))]
            assert not left
        assert not re.search(r"#[0-9a-fA-F]{6}", shapes)


def test_no_picture_of_a_notebook_is_a_file_of_its_own(site):
    assert [*site.glob("*/_images/*")] == []


def test_no_two_things_of_a_page_have_one_id(site):
    for page in site.glob("*/chapters/0*.html"):
        ids = re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8"))
        assert len(ids) == len(set(ids)), page


@pytest.mark.parametrize("builder", ["latex", "text"])
def test_what_is_no_page_shows_the_png(tmp_path, builder):
    [*_, cell] = figures_of(read(NOTEBOOKS[2]))
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("# A page"), nbformat.from_dict(cell)],
        metadata={"language_info": {"name": "python"}},
    )
    book = tmp_path / "book"
    make_bare_book(book, {"page.ipynb": nbformat.writes(notebook)})
    write_settings(book)
    command = [sys.executable, "-m", "sphinx", "-q", "-b", builder, ".", tmp_path / builder]
    built = run(command, book, PYTHONPATH="_ext")
    assert built.code == 0, built.said
    made = [*Path(tmp_path / builder).iterdir()]
    said = "".join(p.read_text(encoding="utf-8") for p in made if p.suffix in (".tex", ".txt"))
    assert cell["metadata"]["mystnb"]["figure"]["caption"][:20] in said
    assert "svg" not in said
    assert [path for path in made if path.suffix == ".svg"] == []
    if builder == "latex":
        assert re.search(r"\\sphinxincludegraphics.*png", said)


def test_on_paper_the_colours_are_those_of_a_light_page(site, browser):
    address = (site / "en/chapters/01_what_is_self_attention.html").as_uri()
    with opened(browser, address, color_scheme="dark") as (page, _):
        colour = """() => getComputedStyle(document.documentElement)
            .getPropertyValue("--attn-value").trim().toUpperCase()"""
        shades = variables()["--attn-value"]
        assert page.evaluate(colour) == shades["dark"]
        page.emulate_media(media="print")
        assert page.evaluate(colour) == shades["light"]
