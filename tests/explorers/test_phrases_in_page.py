"""Phrases of the text in a browser: each sets exactly its state, and is plain words without it."""

import pytest
from explorer_page import VIEW, page_of, value
from explorer_state import SHOWN

from attnlib.explorers import ProjectionExplorer, ScalingExplorer

LABELS = {"en": "Back to the text", "zh-CN": "回到正文"}
FAR = "<div style='height: 3000px'></div>"
SEEN = """element => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}"""
AT_REST = """() => new Promise((done) => {
  let before = NaN;
  const look = () => (before === (before = scrollY) ? done() : setTimeout(look, 50));
  look();
})"""


def phrase(target, words, more=""):
    return f"<span class='attn-set' data-set='{target}' {more}>{words}</span>"


def text(*phrases):
    return f"<p>See {', '.join(phrases)}.</p>"


def shown(view):
    """The state of a view, as far as its numbers and choices say it."""
    seen = view.evaluate(SHOWN)
    return {key: seen[key] for key in ("numbers", "choices", "entries")}


@pytest.fixture
def two():
    explorers = ScalingExplorer(), ProjectionExplorer()
    yield [explorer.to_html() for explorer in explorers]
    for explorer in explorers:
        explorer.close()


WAYS = {
    "mouse": lambda button: button.click(),
    "touch": lambda button: button.tap(),
    "Enter": lambda button: button.press("Enter"),
    "Space": lambda button: button.press("Space"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_phrase_sets_what_it_names_and_nothing_else(way, two, page_at):
    named = text(
        phrase("scaling?d_k=48&rho=-0.5", "<i>48</i> features", "data-words='d = 48'"),
        phrase("scaling?d_k=48", "48"),
        phrase("scaling-2?d_k=3", "the other"),
        phrase("projection?W_V=1_-1.25_0.5_2", "a matrix"),
    )
    other = ScalingExplorer(seed=3)
    html = page_of(named, *two, other.to_html())
    with page_at(html, has_touch=True) as (page, record):
        views = page.locator(VIEW)
        views.nth(2).wait_for()
        first, matrix, second = (views.nth(k) for k in range(3))
        starts = [shown(view) for view in views.all()]
        buttons = page.locator("button.attn-set")
        assert buttons.all_inner_texts() == ["48 features", "48", "the other", "a matrix"]
        assert page.get_by_role("button", name="d = 48").count() == 1
        pressed = "all => all.map((button) => button.ariaPressed)"
        assert buttons.evaluate_all(pressed) == ["false"] * 4
        # what the reader has set stays, where the phrase does not name it
        first.locator("[name=mu_q]").press("End")
        WAYS[way](buttons.nth(0))
        assert [value(first, name) for name in ("d_k", "rho", "mu_q", "seed")] == [48, -0.5, 2, 1]
        assert [shown(view) for view in (matrix, second)] == starts[1:]
        assert buttons.evaluate_all(pressed) == ["true", "true", "false", "false"]
        first.locator("[name=rho]").press("End")
        assert buttons.evaluate_all(pressed) == ["false", "true", "false", "false"]
        WAYS[way](buttons.nth(3))
        entries = [matrix.get_by_label(f"W_V {i}, {j}") for i in (1, 2) for j in (1, 2)]
        assert [float(entry.input_value()) for entry in entries] == [1, -1.25, 0.5, 2]
        WAYS[way](buttons.nth(2))
        assert [value(view, "d_k") for view in (first, second)] == [48, 3]
        assert buttons.evaluate_all(pressed) == ["false", "true", "true", "true"]
        views.nth(0).locator("[name=reset]").press("Enter")
        assert shown(first) == starts[0]
        assert buttons.evaluate_all(pressed) == ["false", "false", "true", "true"]
        ids = buttons.evaluate_all(
            "all => all.map((button) => button.getAttribute('aria-controls'))"
        )
        element = "(attn, id) => document.getElementById(id) === attn"
        for view, id_ in ((first, ids[0]), (second, ids[2]), (matrix, ids[3])):
            assert view.locator("..").evaluate(element, id_)
        assert record.complaints == []
    other.close()


@pytest.mark.parametrize(("lang", "motion"), [("en", "reduce"), ("zh-CN", "no-preference")])
def test_an_explorer_out_of_sight_comes_and_the_way_back_is_offered(lang, motion, two, page_at):
    named = text(phrase("scaling?d_k=48", "48"), phrase("scaling?d_k=3", "3"))
    html = page_of(two[0], FAR, named, FAR, lang=lang)
    with page_at(html, width=360, reduced_motion=motion) as (page, record):
        view, buttons = page.locator(VIEW), page.locator("button.attn-set")
        view.wait_for()
        back = view.get_by_role("button", name=LABELS[lang], exact=True)
        assert back.count() == 0
        for button in buttons.all():
            button.press("Enter")
            if motion == "reduce":
                assert page.evaluate("scrollY") < 200
            page.evaluate(AT_REST)
            assert view.evaluate(SEEN)
            assert not button.evaluate(SEEN)
            # focus is where the reader left it
            assert button.evaluate("button => button === document.activeElement")
            assert back.count() == 1
            if button != buttons.last:
                button.scroll_into_view_if_needed()
        back.press("Enter")
        page.evaluate(AT_REST)
        assert buttons.nth(1).evaluate(SEEN)
        assert buttons.nth(1).evaluate("button => button === document.activeElement")
        assert back.count() == 0
        assert value(view, "d_k") == 3
        assert record.complaints == []


def test_a_phrase_that_tells_of_the_start_sets_the_rest_back(two, page_at):
    html = page_of(text(phrase("scaling?from=start&d_k=48", "48 features")), *two)
    with page_at(html) as (page, record):
        view = page.locator(VIEW).first
        view.locator("input[name=rho]").fill("0.5")
        button = page.get_by_role("button", name="48 features")
        button.click()
        assert (value(view, "d_k"), value(view, "rho")) == (48, 0)
        assert button.get_attribute("aria-pressed") == "true"
        view.locator("input[name=rho]").fill("0.25")
        assert button.get_attribute("aria-pressed") == "false"
        assert record.complaints == []


def test_an_explorer_in_sight_stays_where_it_is(two, page_at):
    with page_at(page_of(text(phrase("scaling?d_k=48", "48")), two[0], FAR)) as (page, _):
        page.locator("button.attn-set").click()
        assert value(page.locator(VIEW), "d_k") == 48
        assert page.evaluate("scrollY") == 0
        assert page.locator("[name=to-text]").count() == 0


NOTHING = (
    "scaling?d_k=513",
    "scaling?d_k=1.5",
    "scaling?d_k=",
    "scaling?d_k=48&rho=2",
    "scaling?dk=48",
    "scaling?toString=1",
    "scaling?scaling=sqrt",
    "scaling-2?d_k=48",
    "projection?W_V=1_1_0_4",
    "projection?W_V=1_1_0",
    "softmax?shift=1",
    "scaling",
    "",
)


def test_what_cannot_be_set_stays_plain_words(two, page_at):
    phrases = [phrase(target, "words") for target in NOTHING]
    with page_at(page_of(text(*phrases, phrase("scaling?d_k=48", "48")), *two)) as (page, record):
        page.locator("button.attn-set").wait_for()
        assert page.locator("button.attn-set").all_inner_texts() == ["48"]
        assert page.locator("span.attn-set").count() == len(NOTHING)
        before = [shown(view) for view in page.locator(VIEW).all()]
        for words in page.locator("span.attn-set").all():
            words.click()
        assert [shown(view) for view in page.locator(VIEW).all()] == before
        assert record.complaints == []


def test_without_its_explorer_a_phrase_is_words_again(two, page_at):
    named = text(phrase("scaling?d_k=48", "<b>48</b>"), phrase("projection?i=2", "2"))
    kinds = "all => all.map(({ localName, innerHTML }) => [localName, innerHTML])"
    with page_at(page_of(named, *two)) as (page, record):
        page.locator(VIEW).nth(1).wait_for()
        phrases = page.locator(".attn-set")
        phrases.nth(0).click()
        page.evaluate("globalThis.gone = document.querySelector('attn-explorer')")
        page.evaluate("gone.remove()")
        assert phrases.evaluate_all(kinds) == [["span", "<b>48</b>"], ["button", "2"]]
        # it comes back with what was set
        page.evaluate("document.body.append(gone)")
        page.wait_for_function("gone.dataset.status === 'live'")
        assert phrases.evaluate_all(kinds) == [["button", "<b>48</b>"], ["button", "2"]]
        assert phrases.nth(0).get_attribute("aria-pressed") == "true"
        assert record.complaints == []


def test_where_nothing_lives_a_phrase_is_words(two, page_at):
    named = text(phrase("scaling?d_k=48", "48"))
    for options in ({"java_script_enabled": False}, {"shared": "this is no module"}):
        html = page_of(named, two[0], shared=options.pop("shared", None))
        with page_at(html, **options) as (page, _):
            assert page.locator("p").first.inner_text() == "See 48."
            assert page.locator("button.attn-set").count() == 0
