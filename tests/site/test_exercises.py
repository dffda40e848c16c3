"""Every exercise of a page can be answered there, or says what is checked and where."""

from __future__ import annotations

import gzip
import json

import both_judges as both
import pytest
from answer_battery import RIGHT, WRONG
from browser import leave, opened
from exercise_page import STATE, fill, plain, write
from html_pages import tree
from manuscript import NOTEBOOKS
from visits import EDITIONS

from attnlib.exercises.catalogue import exercise_ids
from attnlib.exercises.exported import exported

PAGES = [(lang, path.stem) for lang in EDITIONS for path in NOTEBOOKS]
ON_EVERY_CHAPTER = pytest.mark.parametrize(("lang", "chapter"), PAGES)
MOST_KILOBYTES_COMPRESSED = 6

KEPT = "name => JSON.parse(localStorage.getItem(`exercise:${name}`))"
KEEP = "([name, text]) => localStorage.setItem(`exercise:${name}`, text)"
IS_OPEN = "name => document.getElementById(`sol-${name}`).open"
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}"""
CHANGED = {"en": "has changed since you answered it", "zh": "有了改动"}
HINT = {"en": "Hint: ", "zh": "提示："}


def answers(id_):
    """A right answer, and the first wrong one of the right form with the property it lacks."""
    right = next(iter(RIGHT[id_].values()))
    wrong, key = next((answer, key) for answer, key in WRONG[id_].values() if key != "form")
    return both.as_json(id_, right), both.as_json(id_, wrong), key


def said(id_, lang, key):
    """What the page says of an answer that lacks a property, or none."""
    lines = []
    for prop in exported(id_)["properties"][1:]:
        says, hint = plain(prop["says"][lang]), plain(prop["hint"][lang])
        if prop["key"] == key:
            return [*lines, f"✗ {says}{HINT[lang]}{hint}"]
        lines.append(f"✓ {says}")
    count = len(lines)
    return [*lines, f"All {count} hold." if lang == "en" else f"{count} 条全部成立。"]


@ON_EVERY_CHAPTER
def test_no_exercise_asks_to_run_what_a_page_cannot(lang, chapter, site):
    soup = tree(site / lang / "chapters" / f"{chapter}.html")
    exercises = soup.cssselect("div.exercise")
    assert exercises
    for box in exercises:
        id_ = box.get("id").removeprefix("ex-")
        assert id_ in exercise_ids()
        assert not box.cssselect("pre")
        if id_ in both.WRITTEN:
            [form] = box.cssselect("form")
            assert form.get("data-exercise") == id_
            assert soup.cssselect(f"details#{form.get('data-solution')}")
        else:
            asked = [item.text_content() for item in box.cssselect(".answer-asked li")]
            words = [plain(prop["says"][lang]) for prop in exported(id_)["properties"]]
            assert asked == words
            [link] = box.cssselect(".answer-asked a[download]")
            assert (site / lang / "chapters" / link.get("href")).is_file()
    shown = soup.cssselect("article")[0].text_content()
    assert "Not finished yet" not in shown
    assert "尚未完成" not in shown
    # the data of its own exercises only, and only what judges
    data = [json.loads(script.text) for script in soup.cssselect("form.answer > script")]
    written = [box for box in exercises if box.get("id").removeprefix("ex-") in both.WRITTEN]
    assert sum("properties" in each for each in data) == len(written) >= 2
    assert not [prop for each in data for prop in each["properties"] if set(prop) != {"rule"}]


def test_the_script_is_small(site):
    script = (site / "en" / "_static" / "exercises" / "answers.js").read_bytes()
    assert len(gzip.compress(script)) <= 1000 * MOST_KILOBYTES_COMPRESSED


@ON_EVERY_CHAPTER
def test_the_forms_of_a_chapter(lang, chapter, origin, browser):
    url = f"{origin}/{lang}/chapters/{chapter}.html"
    with opened(browser, url, width=360) as (page, record):
        leave(page, "form.answer, details.solution")
        forms = page.locator("form.answer")
        ids = [form.get_attribute("data-exercise") for form in forms.all()]
        assert len(ids) >= 2

        for form, id_ in zip(forms.all(), ids, strict=True):
            right, wrong, key = answers(id_)
            state = form.evaluate(STATE)
            assert state["says"] == []

            # nothing written: a sentence beside every field, and the focus on the first
            form.get_by_role("button").first.click()
            state = form.evaluate(STATE)
            assert len(state["faults"]) == state["marked"] == len(right)
            assert state["focused"] == next(iter(right))

            write(form, wrong, lang)
            state = form.evaluate(STATE)
            assert state["says"] == said(id_, lang, key)
            assert not state["solution"]
            assert not state["faults"]

            # by keyboard in one edition: the forms are the same
            if lang == "en":
                fill(page, form, right, lang)
            else:
                write(form, right, lang)
            state = form.evaluate(STATE)
            assert state["says"] == said(id_, lang, None)
            assert state["over"] <= 0
            assert not page.evaluate(IS_OPEN, id_)
            form.locator("[data-does=solve]").press("Enter")
            assert page.evaluate(IS_OPEN, id_)
        assert not record.complaints


@pytest.mark.parametrize(("lang", "chapter"), [("en", "03_scores"), ("zh", "05_attention_weights")])
def test_an_answer_is_kept_until_it_is_cleared_or_the_exercise_changes(
    lang, chapter, origin, browser
):
    """Served: of pages opened as files, a browser under load forgets all that it kept for them."""
    url = f"{origin}/{lang}/chapters/{chapter}.html"
    with opened(browser, url, width=360) as (page, record):
        forms = page.locator("form.answer")
        ids = [form.get_attribute("data-exercise") for form in forms.all()]
        for form, id_ in zip(forms.all(), ids, strict=True):
            write(form, answers(id_)[0], lang)

        # one is kept, the other was kept of another edition, or is no answer at all
        kept, lost = (0, 1) if lang == "en" else (1, 0)
        before = forms.nth(kept).evaluate(STATE)["written"]
        other = '{"edition": "0", "fields": {}}' if lang == "en" else "{[null"
        page.evaluate(KEEP, [ids[lost], other])
        page.reload()
        assert forms.nth(kept).evaluate(STATE)["written"] == before
        state = forms.nth(lost).evaluate(STATE)
        assert not any(state["written"])
        assert (CHANGED[lang] in "".join(state["says"])) == (lang == "en")
        assert page.evaluate(KEPT, ids[lost]) is None

        assert page.evaluate(KEPT, ids[kept])
        forms.nth(kept).locator("[data-does=clear]").press("Enter")
        assert not any(forms.nth(kept).evaluate(STATE)["written"])
        assert page.evaluate(KEPT, ids[kept]) is None
        assert not record.complaints


def test_what_cannot_be_read_is_said_beside_it_and_nothing_is_lost(origin, browser):
    """Also where a browser keeps nothing."""
    url = f"{origin}/en/chapters/02_query_key_value.html"
    with opened(browser, url, before=FORBIDDEN) as (page, record):
        form = page.locator("form.answer").first
        right, _, _ = answers("qkv-by-hand")
        fill(page, form, right, "en")
        assert form.evaluate(STATE)["says"] == said("qkv-by-hand", "en", None)

        inputs = form.locator("input")
        for place, text in ((4, "three"), (7, "1/0"), (8, "2.5")):
            inputs.nth(place).fill(text)
        inputs.nth(8).press("Enter")
        state = form.evaluate(STATE)
        assert state["faults"] == [
            "“three” is not a number. Write it like 3, −0.5 or 1/4.",
            "Nothing can be divided by 0.",
            "A size is a whole number, 1 or more.",
        ]
        assert state["focused"] == "v_2"
        assert state["written"][4] == "three"
        # what can be judged is judged
        two = said("qkv-by-hand", "en", None)[:2]
        assert state["says"] == [*two, "Fill in what is marked, then check again."]
        assert not state["solution"]

        # a field that is written in again is blamed no longer
        inputs.nth(4).fill("-3")
        assert len(form.evaluate(STATE)["faults"]) == 2
        assert not record.complaints


def test_a_set_without_members_is_an_answer_where_somebody_may_mean_it(origin, browser):
    url = f"{origin}/en/chapters/07_causal_mask.html"
    with opened(browser, url) as (page, _):
        leave(page, "form.answer")
        form = page.locator("form.answer").nth(1)
        right, _, _ = answers("causal-predict")
        fill(page, form, right, "en")
        last = form.locator("[data-field=g]")
        last.get_by_label("none").check()
        assert last.locator("input:checked").count() == 1
        form.get_by_role("button").first.click()
        assert form.evaluate(STATE)["says"] == said("causal-predict", "en", "g")
        last.get_by_label("3").check()
        assert not last.get_by_label("none").is_checked()
        form.get_by_role("button").first.click()
        assert form.evaluate(STATE)["says"] == said("causal-predict", "en", None)


def test_without_scripts_and_on_paper_the_task_and_the_room_for_it_are_there(site, browser):
    url = (site / "en" / "chapters" / "04_scaling.html").as_uri()
    with opened(browser, url, java_script_enabled=False) as (page, _):
        form = page.locator("form.answer").first
        assert form.locator("table").is_visible()
        assert form.locator("input").first.is_visible()
        assert not form.locator("button").first.is_visible()
        page.emulate_media(media="print")
        assert form.locator("input").first.is_visible()
        assert not form.locator("button").first.is_visible()
