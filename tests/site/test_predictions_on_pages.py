"""A prediction in a browser: closed, guessed, opened, kept; and open wherever nobody can guess."""

from __future__ import annotations

import gzip
import json

import pytest
from book.lesson import prediction_words, predictions
from browser import opened
from manuscript import NOTEBOOKS, read
from test_settings import storage

# a short chapter, of which a browser is done soon
CHAPTER = "chapters/05_attention_weights"
NAME = "temperature"
PLACE = 3  # of its answer, among those of the chapter
FORM = f"#prediction-{NAME}"
KEY = f"prediction/05_attention_weights/{NAME}"
MOST_BYTES_OF_SCRIPT = 5000
EDITIONS = {"en": "en", "zh": "zh_CN"}

# How much a page moved by itself since it began to load.
NOTE_SHIFTS = """globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const of = sources.map(({ node }) => `${node?.nodeName}.${node?.className}`).join(" ");
    if (!hadRecentInput) shifts.push([value, of]);
  }
}).observe({ type: "layout-shift", buffered: true });"""
# Of each answer, whether what is in it can be seen.
OPEN = """[...document.querySelectorAll("div.answer")].map((answer) =>
  answer.querySelector(":scope > :not(script)").checkVisibility())"""
# A side path that the reader has opened.
OPEN_FOLDS = "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"
VISIBLE_CONTROLS = """[...document.querySelectorAll("form.prediction :is(input, button)")]
  .filter((control) => control.checkVisibility() && !control.disabled).length"""
SEEN = """(selector) => [...document.querySelectorAll(selector)]
  .filter((e) => e.checkVisibility()).map((e) => e.innerText.trim())"""


def count(chapter: str) -> int:
    path = next(path for path in NOTEBOOKS if chapter.endswith(path.stem))
    return len(predictions.rewrite(read(path)))


@pytest.fixture(scope="module")
def chapter(browser, origin):
    with opened(browser, f"{origin}/en/{CHAPTER}.html", before=NOTE_SHIFTS) as (page, record):
        yield page
        assert not record.complaints


@pytest.fixture
def closed(chapter):
    """The chapter with nothing guessed."""
    chapter.evaluate("localStorage.clear()")
    chapter.reload()
    return chapter


def commit(page, texts: list[str]) -> None:
    for field, text in zip(page.locator(f"{FORM} .number").all(), texts, strict=True):
        field.fill(text)
    page.locator(f"{FORM} .commit").click()


def is_open(page) -> bool:
    return page.evaluate(OPEN)[PLACE]


def test_before_a_guess_the_answer_and_the_measurement_are_closed(closed):
    assert closed.evaluate(OPEN) == [False] * count(CHAPTER)
    assert not closed.evaluate(SEEN, ".said")
    assert not closed.evaluate(SEEN, "form.prediction .truth")
    assert closed.locator(f"{FORM} .commit").is_visible()
    # only the answer is closed, never the rest of the page
    assert closed.locator("#derivation").is_visible()


def test_a_guess_and_the_measurement_stand_on_one_line_and_are_kept(closed):
    commit(closed, ["0,7", " ３０ % "])
    said = ["you: 0.70\nmeasured: 0.90", "you: 0.30\nmeasured: 0.24"]
    assert closed.evaluate(SEEN, f"{FORM} .said") == said
    assert is_open(closed)
    assert closed.evaluate(OPEN).count(True) == 1
    assert closed.evaluate("document.activeElement.className") == "again"
    assert "measured: 0.90" in closed.locator(f"{FORM} [role=status]").inner_text()
    track = closed.locator(f"{FORM} .track").first
    line = track.bounding_box()
    truth = track.locator(".truth").bounding_box()
    gap = track.locator(".gap").bounding_box()
    at = (truth["x"] + truth["width"] / 2 - line["x"]) / line["width"]
    assert abs(at - 0.90) < 0.01
    assert abs((gap["x"] - line["x"]) / line["width"] - 0.70) < 0.01
    assert abs(gap["width"] / line["width"] - 0.20) < 0.01

    closed.reload()
    assert closed.evaluate(SEEN, f"{FORM} .said") == said
    assert is_open(closed)
    closed.locator(f"{FORM} .again").click()
    assert not is_open(closed)
    assert closed.evaluate("key => localStorage.getItem(key)", KEY) is None
    assert closed.locator(f"{FORM} .number").first.input_value() == "0,7"
    closed.reload()
    assert not is_open(closed)


def test_who_asks_to_see_is_shown_and_told_no_guess(closed):
    closed.locator(f"{FORM} .show").click()
    assert is_open(closed)
    shown = closed.evaluate(SEEN, f"{FORM} .said")
    assert shown == ["measured: 0.90", "measured: 0.24"]
    assert not closed.evaluate(SEEN, f"{FORM} .track input")
    closed.reload()
    assert is_open(closed)
    assert closed.evaluate(SEEN, f"{FORM} .said") == shown


def test_nothing_moves_by_itself_and_the_form_keeps_its_place(closed):
    commit(closed, ["0.2", "0.3"])
    closed.reload()
    closed.wait_for_timeout(300)
    # the list of headings opens around the one in sight, by the theme's own script
    shifts = [(value, of) for value, of in closed.evaluate("shifts") if "toc-entry" not in of]
    assert sum(value for value, _ in shifts) < 0.001, shifts


BAD = {
    "": "empty",
    "abc": "letters",
    "0.3.4": "letters",
    "1/0": "letters",
    "1,5": "range",
    "-0.1": "range",
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_bad_input_gets_one_sentence_beside_the_field_and_loses_nothing(browser, origin, edition):
    words = prediction_words.of_language(EDITIONS[edition])
    with opened(browser, f"{origin}/{edition}/{CHAPTER}.html", width=360) as (page, record):
        for text, fault in BAD.items():
            commit(page, [text, "0.5"])
            sentence = words[fault].format(low="0.00", high="1.00", example="0.30")
            assert page.evaluate(SEEN, f"{FORM} .fault") == [sentence, ""]
            first = page.locator(f"{FORM} .number").first
            assert first.input_value() == text
            assert first.get_attribute("aria-invalid") is not None
            assert first.evaluate("field => field === document.activeElement")
            assert not is_open(page)
        commit(page, ["０。３", "1/2"])
        assert is_open(page)
        assert words["you"] in page.evaluate(SEEN, f"{FORM} .said")[0]
        assert not record.complaints


def test_by_keyboard_alone(closed):
    closed.locator(f"{FORM} .track input").first.focus()
    closed.keyboard.press("ArrowRight")
    assert closed.locator(f"{FORM} .number").first.input_value() == "0.51"
    # from slider to field to slider: two, and two more
    for key in ("Tab", "Tab", "End", "Tab", "Tab", "Tab"):
        closed.keyboard.press(key)
    assert closed.locator(f"{FORM} .number").nth(1).input_value() == "1.00"
    closed.keyboard.type("0.6")
    closed.keyboard.press("Enter")
    assert is_open(closed)
    closed.keyboard.press("Enter")
    assert not is_open(closed)
    assert closed.evaluate("document.activeElement.className") == "number"


def test_a_link_into_an_answer_opens_it(browser, origin):
    page_of_figure = f"{origin}/en/chapters/05_attention_weights.html"
    with opened(browser, f"{page_of_figure}#fig-weights-temperature") as (page, record):
        figure = page.locator("#fig-weights-temperature")
        assert 0 <= figure.bounding_box()["y"] < 800
        assert page.evaluate(OPEN).count(True) == 1
        assert page.evaluate("localStorage.length") == page.evaluate(
            "Object.keys(localStorage).filter((key) => !key.startsWith('prediction/')).length"
        )
        page.goto(page_of_figure)
        assert not any(page.evaluate(OPEN))
        page.evaluate("location.hash = '#fig-weights-temperature'")
        page.wait_for_function(f"{OPEN}.includes(true)")
        assert not record.complaints


def test_a_search_in_the_page_may_open_an_answer(closed):
    hidden = closed.locator("div.answer").nth(PLACE)
    assert hidden.get_attribute("hidden") == "until-found"
    assert hidden.evaluate("answer => getComputedStyle(answer).contentVisibility") == "hidden"
    hidden.dispatch_event("beforematch")
    assert closed.evaluate(OPEN).count(True) == 1
    assert is_open(closed)


@pytest.mark.parametrize(
    "kept",
    [
        {"edition": "00000000", "guess": ["0.1", "0.2"]},
        {"edition": "this", "guess": ["far", "9"]},
        {"edition": "this", "guess": ["0.1"]},
        {"edition": "this", "guess": 3},
        "not JSON",
    ],
    ids=["older", "no numbers", "too few", "no list", "no JSON"],
)
def test_what_was_kept_by_another_edition_is_dropped_without_harm(closed, kept):
    edition = closed.locator(FORM).get_attribute("data-edition")
    text = json.dumps(kept) if isinstance(kept, dict) else kept
    text = text.replace('"this"', f'"{edition}"')
    closed.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, text])
    closed.reload()
    assert not is_open(closed)
    assert closed.locator(f"{FORM} .commit").is_visible()
    commit(closed, ["0.2", "0.3"])
    assert is_open(closed)


def test_with_storage_forbidden_a_guess_lasts_as_long_as_the_page(browser, origin):
    url = f"{origin}/zh/{CHAPTER}.html"
    with opened(browser, url, before=storage("forbidden")) as (page, record):
        commit(page, ["0.2", "0.3"])
        assert is_open(page)
        page.reload()
        assert not is_open(page)
        assert not record.complaints


def test_from_a_saved_copy(browser, site):
    with opened(browser, (site / "en" / f"{CHAPTER}.html").as_uri()) as (page, _):
        assert not is_open(page)
        commit(page, ["0.2", "0.3"])
        assert is_open(page)


def assert_all_open(page, chapter: str) -> None:
    page.evaluate(OPEN_FOLDS)
    assert page.evaluate(OPEN) == [True] * count(chapter)
    assert page.evaluate(VISIBLE_CONTROLS) == 0
    assert len(page.evaluate(SEEN, "form.prediction .measured"))


def test_without_scripts_all_is_open_and_in_order(browser, origin):
    for name in ("07_causal_mask", "04_scaling"):
        url = f"{origin}/en/chapters/{name}.html"
        with opened(browser, url, java_script_enabled=False) as (page, _):
            assert_all_open(page, name)


def test_where_the_script_cannot_be_had_all_is_open(browser, origin):
    context = browser.new_context()
    page = context.new_page()
    page.route("**/lesson/lesson.js*", lambda route: route.abort())
    page.goto(f"{origin}/en/{CHAPTER}.html")
    page.wait_for_function("document.documentElement.classList.contains('answers-open')")
    assert_all_open(page, CHAPTER)
    context.close()


def test_it_is_closed_before_its_script_is_there(browser, origin):
    context = browser.new_context()
    page = context.new_page()
    page.route("**/lesson/lesson.js*", lambda route: None)
    page.goto(f"{origin}/en/{CHAPTER}.html", wait_until="commit")
    page.wait_for_function(f"document.querySelectorAll('div.answer').length === {count(CHAPTER)}")
    assert page.evaluate(OPEN) == [False] * count(CHAPTER)
    assert not page.evaluate(SEEN, ".said")
    context.close()


def test_on_paper_all_is_open(closed):
    closed.emulate_media(media="print")
    try:
        assert_all_open(closed, CHAPTER)
    finally:
        closed.emulate_media(media="screen")


@pytest.mark.parametrize("page", [f"zh/chapters/{path.stem}.html" for path in NOTEBOOKS])
def test_every_question_answered_on_a_phone_in_the_dark(page, visits):
    """All kinds of fields with their answers: contrast and width (and what axe looks for)."""
    seen = visits(page)
    assert seen.answered["guessed"] == count(page.removesuffix(".html"))
    assert seen.answered["judged"] == seen.answered["forms"] >= 2
    assert not seen.answered["cutOff"]
    assert seen.answered["overflow"]["by"] <= 0, seen.answered["overflow"]
    assert not seen.answered["lowContrast"]["faults"]
    assert not seen.record.complaints


def test_the_script_is_small_and_only_where_it_is_needed(site):
    for edition in EDITIONS:
        script = (site / edition / "_static" / "lesson" / "lesson.js").read_bytes()
        assert len(gzip.compress(script)) <= MOST_BYTES_OF_SCRIPT
        pages = {
            html.stem: "lesson/lesson.js" in html.read_text(encoding="utf-8")
            for html in (site / edition / "chapters").glob("*.html")
        }
        assert {name for name, has in pages.items() if has} == {path.stem for path in NOTEBOOKS}
