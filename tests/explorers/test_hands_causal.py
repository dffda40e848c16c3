"""The causal explorer in the hands of a reader: levers, the token that asks, the timeline."""

import numpy as np
import pytest
from explorer_page import VIEW, page_of
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle

from attnlib.explorers import CausalExplorer

LEVER = ".attn-sentence .attn-handle:has(.attn-knob)"
PLACE = """(track, factor) => {
  const { x, y, width, height } = track.getBBox();
  const at = new DOMPoint(x + width / 2, y + ((2 - factor) / 4) * height);
  const place = at.matrixTransform(track.getScreenCTM());
  return [place.x, place.y];
}"""
ASKS = ".attn-sentence .attn-asks"


@pytest.fixture
def open_causal(page_at):
    """The explorer on a page, in a state."""

    def open_at(width=1000, lang="en", options=None, **state):
        explorer = CausalExplorer(**state)
        html = page_of(explorer.to_html(), lang=lang)
        explorer.close()
        return page_at(html, width=width, **(options or {}))

    return open_at


def twin_of(page):
    """The explorer in Python, which has every number that the page shows."""
    return assert_equal_to_attnlib(CausalExplorer, page.locator("attn-explorer").evaluate(SHOWN))


def target(page, token, factor):
    """Where on the page the lever of this token is at a factor: its track leads from 2 to −2."""
    return tuple(page.locator(".attn-sentence .attn-axis").nth(token - 1).evaluate(PLACE, factor))


def assert_drawn(page):
    """The picture is that of the state: levers, arcs, weights, outputs."""
    explorer = twin_of(page)
    n = explorer.numbers
    for j, lever in enumerate(page.locator(LEVER).all(), start=1):
        factor = explorer.factor if j == explorer.token else 1
        assert middle(lever) == pytest.approx(target(page, j, factor), abs=0.05)
    pairs = [(i, j) for i in range(1, 6) for j in range(1, 6)]
    weights = [n[f"A_after-{i}-{j}"] for i, j in pairs]
    arcs = page.locator(".attn-sentence .attn-arc").evaluate_all(
        """arcs => arcs.map((arc) => [Number(arc.getAttribute("stroke-width")),
          arc.hasAttribute("hidden"), getComputedStyle(arc).opacity])"""
    )
    thick, hidden, strength = zip(*arcs, strict=True)
    assert thick == pytest.approx([12 * a for a in weights])
    assert list(hidden) == [a < 0.005 for a in weights]
    assert [s == "1" for s in strength] == [i == explorer.i for i, _ in pairs]
    words = page.locator(".attn-token text:last-child").all_text_contents()
    assert [float(word) for word in words] == pytest.approx(
        [n[f"A_after-{explorer.i}-{j}"] for j in range(1, 6)], abs=0.0051
    )
    boxes = page.locator(".attn-out").evaluate_all(
        "boxes => boxes.map((box) => [box.textContent.slice(2).trim(), box.getAttribute('class')])"
    )
    for j, (text, kinds) in enumerate(boxes, start=1):
        moves = n[f"moved-{j}"] > 1e-9
        leaks = moves and j < explorer.token
        assert (
            text == f"{n[f'moved-{j}']:.2f}{'✗ leak' if leaks else 'moves' if moves else 'stays'}"
        )
        assert ("attn-leak" in kinds.split(), "attn-moved" in kinds.split()) == (leaks, moves)
    explorer.close()
    return explorer


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_slider_change_the_same_token(width, open_causal):
    with open_causal(width, options={"has_touch": True}, mask="zero_after") as (page, record):
        lever = page.locator(LEVER).nth(2)
        halo = lever.locator(".attn-halo").bounding_box()
        assert halo["width"] >= 44
        reset = page.locator("[name=reset]")

        def assert_reached():
            explorer = assert_drawn(page)
            assert (explorer.token, explorer.factor) == (3, pytest.approx(-0.5, abs=0.011))
            reset.click()
            explorer = assert_drawn(page)
            assert (explorer.token, explorer.factor) == (5, -1)

        lever.scroll_into_view_if_needed()
        page.mouse.move(*middle(lever))
        page.mouse.down()
        page.mouse.move(*target(page, 3, 1.7), steps=2)
        page.mouse.move(*target(page, 3, -0.5), steps=2)
        page.mouse.up()
        assert_reached()
        lever.scroll_into_view_if_needed()
        top = page.evaluate("scrollY")
        with finger(page, *middle(lever)) as move:
            move(*target(page, 3, 1.7))
            move(*target(page, 3, -0.5))
        assert page.evaluate("scrollY") == top
        assert_reached()
        lever.focus()
        for key in [*["Shift+ArrowDown"] * 2, *["ArrowDown"] * 6, "ArrowUp"]:
            page.keyboard.press(key)
        assert lever.get_attribute("aria-valuetext") == "x × −0.50"
        assert lever.get_attribute("aria-label").startswith("3 书: its x")
        assert_reached()
        page.locator("select[name=token]").select_option("3")
        page.locator("input[name=factor]").fill("-0.5")
        assert_reached()
        assert record.complaints == []


def test_the_token_that_asks_is_pulled_pressed_stepped_or_chosen(open_causal):
    with open_causal(mask="none") as (page, record):
        asks, words = page.locator(ASKS), page.locator(".attn-token")
        second = words.nth(1).bounding_box()
        page.mouse.move(*middle(asks))
        page.mouse.down()
        page.mouse.move(second["x"] + second["width"] / 2, second["y"], steps=2)
        page.mouse.up()
        assert assert_drawn(page).i == 2
        words.nth(4).click()
        assert assert_drawn(page).i == 5
        asks.focus()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        assert assert_drawn(page).i == 3
        page.locator("select[name=i]").select_option("1")
        assert assert_drawn(page).i == 1
        page.keyboard.press("Tab")
        asks.focus()
        page.keyboard.press("ArrowLeft")
        assert assert_drawn(page).i == 1  # there is none before
        assert record.complaints == []


def test_the_timeline_shows_the_same_rows_and_marks_those_that_differ(open_causal):
    with open_causal(mask="off_by_one") as (page, record):
        for step in range(1, 6):
            explorer = twin_of(page)
            assert explorer.step == step
            n = explorer.numbers
            rows = page.locator(".attn-row").evaluate_all(
                "rows => rows.map((row) => [row.textContent, row.classList.contains('attn-waits')])"
            )
            trained, written = rows[:5], rows[5:]
            assert trained == [[f"z{'₁₂₃₄₅'[i]}", False] for i in range(5)]
            for i, (text, waits) in enumerate(written, start=1):
                assert waits == (i > step)
                sign = "≠" if n[f"apart-{i}"] > 1e-9 else "="
                assert text == ("" if waits else f"{sign} z{'₁₂₃₄₅'[i - 1]}")
            table = page.locator("table:has([data-name='written-1-1'])")
            shown = table.locator("[data-name^='written']:visible").all_inner_texts()
            assert len(shown) == 2 * step
            places = table.locator("[data-name^='written']:visible").evaluate_all(
                "places => places.map(({ dataset }) => Number(dataset.value))"
            )
            np.testing.assert_allclose(np.reshape(places, (-1, 2)), explorer.written[:step])
            assert [n[name] for name in ("masked", "cached")] == [25, step * (step + 1) / 2]
            explorer.close()
            page.locator("[name=next]").click()
        assert twin_of(page).step == 1
        page.locator("select[name=mask]").select_option("causal")
        page.locator("input[name=step]").fill("5")
        texts = page.locator(".attn-row").all_text_contents()[5:]
        assert texts == [f"= z{'₁₂₃₄₅'[i]}" for i in range(5)]
        assert record.complaints == []


def test_what_moved_is_lit_only_where_motion_is_allowed_and_stays_marked(open_causal):
    lit = """() => document.getAnimations().length"""
    for motion, expected in (("no-preference", 2), ("reduce", 0)):
        options = {"reduced_motion": motion}
        with open_causal(mask="causal", token=4, options=options) as (page, _):
            assert page.evaluate(lit) == 0
            page.locator(LEVER).nth(3).focus()
            page.keyboard.press("ArrowUp")
            assert page.evaluate(lit) == expected
            page.wait_for_function("document.getAnimations().length === 0", timeout=3000)
            assert page.locator(".attn-out.attn-moved").count() == 2


def test_what_goes_wrong_in_a_drag_leaves_the_last_state(open_causal):
    with open_causal() as (page, record):
        lever = page.locator(LEVER).nth(1)
        page.mouse.move(*middle(lever))
        page.mouse.down()
        page.mouse.move(*target(page, 2, 0.4), steps=2)
        page.mouse.move(-50, 5000)
        assert assert_drawn(page).factor == -2
        page.set_viewport_size({"width": 600, "height": 800})
        page.mouse.move(*target(page, 2, 0.4))
        assert assert_drawn(page).token == 2
        before = twin_of(page).state
        # a second finger on the same lever moves nothing
        lever.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        lever.dispatch_event(
            "pointermove", {"pointerId": 77, "clientX": 5, "clientY": 5, "bubbles": True}
        )
        assert twin_of(page).state == before
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []
        assert page.locator(VIEW).count() == 0
