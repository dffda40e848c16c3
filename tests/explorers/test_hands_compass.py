"""The first explorer in the hands of a reader: by mouse, finger and keys, and what can go wrong."""

import math
import re
from functools import partial

import pytest
from explorer_page import VIEW
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle, placed

from attnlib.explorers import CompassExplorer

HANDLE = ".attn-compass-plane .attn-handle"
STATE = """explorer => ["angle", "length"].map(
  (name) => Number(explorer.querySelector(`[data-name=${name}]`).dataset.value))"""
PLACES = """nodes => nodes.map(
  (node) => node.getAttribute("transform").match(/[-.\\d]+/g).slice(0, 2).map(Number))"""


@pytest.fixture
def open_compass(explorer_at):
    """The explorer on a page, at its start or in a state."""

    return partial(explorer_at, CompassExplorer)


def state(page):
    return page.locator("attn-explorer").evaluate(STATE)


def target(page, angle, length):
    """Where on the page the tip of this query is."""
    rim = page.locator(".attn-rim").bounding_box()
    x, y = rim["x"] + rim["width"] / 2, rim["y"] + rim["height"] / 2
    # the rim has a line of 1.5 around it
    unit = (rim["width"] - 1.5) / 2 / 4
    turn = math.radians(angle)
    return x + unit * length * math.cos(turn), y - unit * length * math.sin(turn)


def assert_at(page, angle, length):
    found = state(page)
    assert found == [pytest.approx(angle, abs=0.3), pytest.approx(length, abs=0.02)]
    shown = page.locator("attn-explorer").evaluate(SHOWN)
    assert_equal_to_attnlib(CompassExplorer, shown)
    assert placed(page.locator(HANDLE)) == pytest.approx(target(page, *found), abs=0.05)


@pytest.mark.parametrize("width", [360, 1000])
def test_mouse_finger_keys_and_sliders_reach_the_same_query(width, open_compass):
    with open_compass(width, has_touch=True) as (page, record):
        handle = page.locator(HANDLE)
        handle.scroll_into_view_if_needed()
        x, y = middle(handle)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(*target(page, 30, 3.2), steps=3)
        page.mouse.move(*target(page, 200, 2.5), steps=3)
        page.mouse.up()
        assert_at(page, 200, 2.5)
        page.locator("[name=reset]").click()
        handle.scroll_into_view_if_needed()
        top = page.evaluate("scrollY")
        with finger(page, *middle(handle)) as move:
            move(*target(page, 90, 3))
            move(*target(page, 200, 2.5))
        assert page.evaluate("scrollY") == top
        assert_at(page, 200, 2.5)
        page.locator("[name=reset]").click()
        handle.focus()
        for key in [*["Shift+ArrowLeft"] * 8, *["ArrowLeft"] * 2, *["ArrowUp"] * 4]:
            page.keyboard.press(key)
        assert_at(page, 200, 2.5)
        assert re.match("200 degrees, length 2.5; 把", handle.get_attribute("aria-valuetext"))
        for name, value in (("angle", 200), ("length", 2.5)):
            page.locator("[name=reset]").click() if name == "angle" else None
            page.locator(f"input[name={name}]").fill(str(value))
        assert_at(page, 200, 2.5)
        assert record.complaints == []


def words(page, selector):
    return page.locator(selector).all_inner_texts()


def test_four_words_win_by_the_readers_own_moves_and_then_it_is_asked_whether_the_fifth_can(
    open_compass,
):
    with open_compass(query="?compass.angle=190&compass.length=3") as (page, record):
        won = page.locator(".attn-word.attn-won b")
        # nothing is won by what the page shows at its start, or by a tie
        assert won.count() == 0
        page.locator("[name=reset]").click()
        page.locator("input[name=length]").fill("0")
        assert won.count() == 0
        page.locator("[name=reset]").click()
        asked, found = page.locator(".attn-task button").first, page.locator(".attn-found")
        hull = page.locator(".attn-hull")
        page.locator(HANDLE).focus()
        page.keyboard.press("ArrowUp")
        assert won.all_inner_texts() == ["书"]
        for _ in range(24):
            page.keyboard.press("Shift+ArrowLeft")
        assert won.all_inner_texts() == ["把", "书", "送给", "小红"]
        assert page.locator(".attn-pips .attn-on").count() == 4
        # the question tells nothing of its answer
        assert asked.is_visible()
        task = page.locator(".attn-task")
        assert "Four of five. Can 小明 Xiaoming?" in task.inner_text()
        assert not found.is_visible()
        assert not hull.is_visible()
        page.get_by_role("button", name="No, there is none").click()
        assert not asked.is_visible()
        assert hull.is_visible()
        assert found.inner_text().startswith("You said no, and no it is.")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Why? Chapter 3 proves it."
        assert page.evaluate("document.activeElement.hash") == "#never-wins"
        page.locator(HANDLE).focus()
        for _ in range(7):
            page.keyboard.press("Shift+ArrowRight")
        first, third, fifth = (
            float(
                page.locator(f".attn-found [data-name=weight-{j}]").first.get_attribute(
                    "data-value"
                )
            )
            for j in (1, 3, 5)
        )
        assert first == pytest.approx((third * fifth) ** 0.5, abs=1e-12)
        page.locator("[name=reset]").click()
        assert won.count() == 0
        assert not found.is_visible()
        assert not hull.is_visible()
        assert record.complaints == []


def test_what_the_arrow_sweeps_past_is_not_won_and_nothing_moves_under_the_hand(open_compass):
    with open_compass() as (page, record):
        page.evaluate("document.body.style.paddingBottom = '100vh'")
        page.mouse.wheel(0, 150)
        page.wait_for_function("scrollY === 150")
        handle, rim = page.locator(HANDLE), page.locator(".attn-rim")
        before = rim.bounding_box()
        page.mouse.move(*middle(handle))
        page.mouse.down()
        for angle, length in [(0, 3), (320, 4), (270, 3.5), (180, 2), (150, 0.3), (180, 3)]:
            page.mouse.move(*target(page, angle, length))
            assert rim.bounding_box() == before
            assert page.evaluate("scrollY") == 150
            assert page.locator(".attn-won").count() == 0
        page.mouse.up()
        assert page.locator(".attn-won b").all_inner_texts() == ["把"]
        assert record.complaints == []


def test_yes_is_answered_too_and_in_chinese(open_compass):
    with open_compass(lang="zh-CN") as (page, record):
        page.locator(HANDLE).focus()
        for _ in range(24):
            page.keyboard.press("Shift+ArrowLeft")
        page.get_by_role("button", name="有", exact=True).click()
        assert (
            page.locator(".attn-found")
            .inner_text()
            .startswith("你说有。可是无论怎样转动箭头，都没有。")
        )
        assert record.complaints == []


def test_a_word_that_is_pressed_asks_with_its_own_query(open_compass):
    with open_compass() as (page, _):
        page.get_by_role("button", name="小红").click()
        angle, length = state(page)
        # q of the fifth word is (2, 1)
        assert angle == pytest.approx(math.degrees(math.atan2(1, 2)), abs=0.006)
        assert length == pytest.approx(5**0.5, abs=0.006)
        assert page.locator(".attn-word.attn-first b").all_inner_texts() == ["送给"]


def test_ribbons_are_as_thick_as_the_weights_and_the_terms_lead_to_z(open_compass):
    with open_compass(query="?compass.angle=310&compass.length=1") as (page, _):
        explorer = CompassExplorer(angle=310.0, length=1.0)
        thick = page.locator(".attn-ribbon").evaluate_all(
            "paths => paths.map((path) => parseFloat(path.style.strokeWidth))"
        )
        ratios = [t / explorer.weights[k // 2] for k, t in enumerate(thick)]
        # a ribbon has a width of its own so that it is seen: not below half a pixel
        assert ratios == pytest.approx([32.0] * 10, rel=1e-4)
        ends = page.locator(".attn-term > :last-child, .attn-spot.attn-output").evaluate_all(PLACES)
        places = ends
        assert places[-1] == pytest.approx(places[-2])
        squares = page.locator(".attn-spot.attn-value").evaluate_all(PLACES)
        # z is where the weights put it between the values
        expected = [
            sum(a * s[r] for a, s in zip(explorer.weights, squares, strict=True)) for r in (0, 1)
        ]
        assert places[-1] == pytest.approx(expected)
        explorer.close()


def test_what_goes_wrong_in_a_drag_leaves_the_last_query(open_compass):
    with open_compass() as (page, record):
        handle = page.locator(HANDLE)
        page.mouse.move(*middle(handle))
        page.mouse.down()
        page.mouse.move(*target(page, 180, 2), steps=2)
        # far beyond the rim, and out of the window
        page.mouse.move(-300, 5000)
        assert state(page)[1] == 4
        # another width in the middle of a drag: the arrow stays under the hand
        page.set_viewport_size({"width": 700, "height": 800})
        page.mouse.move(*target(page, 90, 3))
        page.wait_for_function(
            "document.querySelector('.attn-compass-plane').viewBox.baseVal.width < 700"
        )
        page.mouse.move(*target(page, 120, 2))
        assert state(page) == [pytest.approx(120, abs=8), pytest.approx(2, abs=0.4)]
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        before = state(page)
        # a second finger on the same handle moves nothing
        handle.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        handle.dispatch_event(
            "pointermove", {"pointerId": 77, "clientX": 5, "clientY": 5, "bubbles": True}
        )
        assert state(page) == before
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []


def test_a_link_out_of_range_leaves_the_start(open_compass):
    with open_compass(query="?compass.angle=361&compass.length=1") as (page, _):
        assert state(page) == [70, 1.5]
        assert page.locator(VIEW).count() == 1
