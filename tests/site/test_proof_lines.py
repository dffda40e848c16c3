"""On the site the cells that prove, check, measure or set up stand behind lines that say so."""

from __future__ import annotations

import re

import pytest
from book.languages.catalogues import translations
from book.lesson.proof_lines import IN_SIGHT, TOOLS, WORDS
from book.lesson.side_paths import asides
from browser import opened
from manuscript import NOTEBOOKS, code_cells, read, source
from shown import Line, is_explorer, is_figure, lines, open_cells
from translations import CATALOGUES

LANGUAGES = {"en": "en", "zh": "zh_CN"}
# named as their pages are, whose visit they share with what else looks at them
ON_EVERY_CHAPTER = pytest.mark.parametrize(
    ("edition", "path"),
    [
        pytest.param(edition, path, id=f"{edition}/chapters/{path.stem}.html")
        for edition in LANGUAGES
        for path in NOTEBOOKS
    ],
)
MOST_CODE = 0.12
PAGE = "chapters/04_scaling.html"
# proofs of chapter 4, as the formula index links to them: one of the main path, one beside it
ANCHORS = ("p-4-3-1", "p-4-5-2")
SEEN = "element => element.querySelector('pre').checkVisibility({contentVisibilityAuto: true})"


@pytest.fixture
def on_page(visits, path, edition):
    """What the page of a chapter has of its cells."""
    return visits(f"{edition}/chapters/{path.stem}.html").desk["cells"]


def expected_words(line: Line, edition: str, chapter: str) -> str:
    """What a line says in an edition."""
    words = WORDS[LANGUAGES[edition]]
    said = line.says or words["figure" if is_figure(line.cells[0]) else "explorer"]
    if edition == "zh" and line.says:
        said = translations(CATALOGUES / "chapters" / f"{chapter}.po")[line.says]
    tools = [tool for verb, tool in TOOLS.items() if verb in line.says.split()]
    count = words["line" if len(line.code) == 1 else "lines"].format(len(line.code))
    return " · ".join([said, *dict.fromkeys(tools), count])


def bare(text: str) -> str:
    """A text without formulas, marks of code and stress, white space; quotation marks are alike."""
    return re.sub(r"\$[^$]*\$|[`*\s]", "", text).replace("’", "'")


@ON_EVERY_CHAPTER
def test_every_line_is_on_the_page_with_its_words_and_its_cells(on_page, path, edition):
    expected = lines(read(path))
    assert len(on_page["lines"]) == len(expected) > 5
    for shown, line in zip(on_page["lines"], expected, strict=True):
        assert bare(shown["said"]) == bare(expected_words(line, edition, path.stem))
        assert shown["code"] == [source(cell).strip() for cell in line.cells]
        assert not shown["open"]
        assert not shown["hushed"]


@ON_EVERY_CHAPTER
def test_what_is_measured_or_drawn_is_in_sight(on_page, path, edition):
    for line in lines(read(path)):
        outputs = [out for cell in line.cells for out in cell["outputs"] if "text" in out]
        for out in outputs if line.kind in IN_SIGHT else []:
            # the page joins what one cell prints
            said = "".join(out["text"]).strip()
            assert any(said in printed for printed in on_page["printed"]), line.says
    # the formulas that SymPy displays are in sight too
    assert not [shown["said"] for shown in on_page["lines"] if shown["drawn"]]
    drawn = [cell for cell in code_cells(read(path)) if is_figure(cell) or is_explorer(cell)]
    assert on_page["drawn"] == len(drawn) > 0


@ON_EVERY_CHAPTER
def test_the_other_cells_are_open_and_the_set_up_is_not_there(on_page, path, edition):
    assert on_page["open"] == [source(cell).strip() for cell in open_cells(read(path))]
    assert on_page["setUp"] is False


@ON_EVERY_CHAPTER
def test_code_takes_a_small_part_of_a_page(on_page, path, edition, record_property):
    """Of its height on a desk, the cells of exercises aside."""
    height = on_page["height"]
    share, others = (height[part] / height["page"] for part in ("code", "lines"))
    said = f"{share:.1%} of its height is code, {others:.1%} lines with code behind them"
    record_property("summary", f"{edition}/{path.stem}: {said}")
    assert 0 < share <= MOST_CODE


@ON_EVERY_CHAPTER
def test_a_side_path_is_closed_behind_its_question_under_its_heading(on_page, path, edition):
    known = translations(CATALOGUES / "chapters" / f"{path.stem}.po") if edition == "zh" else {}
    expected = [(known.get(h, h), known.get(q, q)) for h, q in asides(read(path)).items()]
    found = on_page["sidePaths"]
    assert [bare(one["asks"]) for one in found] == [bare(q.replace("*", "")) for _, q in expected]
    for one, (heading, _) in zip(found, expected, strict=True):
        assert bare(one["heading"]).startswith(bare(heading))
        assert not one["open"]


@pytest.mark.parametrize("anchor", ANCHORS)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_link_into_a_fold_opens_it(browser, origin, scripts, anchor):
    url = f"{origin}/en/{PAGE}#{anchor}"
    with opened(browser, url, java_script_enabled=scripts) as (page, record):
        around = page.locator(f"details:has([id='{anchor}'])")
        around.last.and_(page.locator("[open]")).wait_for(timeout=5000)
        assert page.locator("details[open]").count() == around.count()
        cell = page.locator(f"[id='{anchor}'] pre").first
        assert 0 < cell.bounding_box()["y"] < 800
        # a browser says which scripts it was told not to run
        assert not [said for said in record.complaints if scripts or "csp" not in said]


def test_the_script_opens_what_a_browser_leaves_closed(browser, origin):
    """Where a browser does not open a fold, the event that comes with the address does."""
    with opened(browser, f"{origin}/en/{PAGE}#{ANCHORS[1]}") as (page, record):
        around = page.locator(f"details:has([id='{ANCHORS[1]}'])")
        assert around.count() == 2
        for event in ("DOMContentLoaded", "hashchange"):
            close = "all => { for (const one of all) one.open = false; scrollTo(0, 0); }"
            around.evaluate_all(close)
            page.evaluate("name => dispatchEvent(new Event(name))", event)
            assert around.evaluate_all("all => all.every((one) => one.open)"), event
            assert page.evaluate("scrollY > 800"), event
        assert not record.complaints


def test_a_line_opens_by_key_by_mouse_and_on_paper(browser, origin):
    with opened(browser, f"{origin}/zh/{PAGE}") as (page, record):
        fold = page.locator("details.shown.shown-proved:not(.answer *, .side-path *)").first
        line = fold.locator("summary")
        assert not fold.evaluate(SEEN)
        line.focus()
        page.keyboard.press("Enter")
        assert fold.evaluate(SEEN)
        page.keyboard.press("Space")
        assert not fold.evaluate(SEEN)
        line.click()
        assert fold.evaluate(SEEN)
        line.click()
        page.emulate_media(media="print")
        assert fold.evaluate(SEEN)
        for kind in ("shown", "side-path"):
            hidden = page.locator(f"details.{kind}").evaluate_all(
                f"all => all.filter((one) => !({SEEN})(one)).length"
            )
            assert not hidden, kind
        assert not record.complaints
