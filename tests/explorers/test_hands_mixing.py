"""The output in the hands of a reader: mouse, finger, keys, sliders; and what can go wrong."""

import math
import re
from functools import partial

import pytest
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle, on_plane, pixels

from attnlib.explorers import MixingExplorer

PLANE = ".attn-plane"
HANDLE = f"{PLANE} .attn-handle"
SHARES = [f"share_{j}" for j in range(1, 6)]


@pytest.fixture
def open_mixing(explorer_at):
    """The explorer on a page, at its start or in a state."""

    return partial(explorer_at, MixingExplorer)


def shown(page):
    """The Python twin of what is on the page, whose numbers are the page's."""
    found = page.locator("attn-explorer").evaluate(SHOWN)
    return assert_equal_to_attnlib(MixingExplorer, found)


def shares(explorer):
    return [getattr(explorer, name) for name in SHARES]


def pulled(place, **state):
    explorer = MixingExplorer(**state)
    explorer.pull(place)
    return shares(explorer)


def aim(page, x, y):
    """Where the pointer takes z and lets it go, in whole pixels; and where that takes z."""
    start = [round(p) for p in middle(page.locator(HANDLE))]
    end = [round(p) for p in on_plane(page.locator(PLANE), x, y)]
    z, unit = shown(page).z, pixels(page.locator(PLANE))
    return start, end, (z[0] + (end[0] - start[0]) / unit, z[1] - (end[1] - start[1]) / unit)


def drag(page, x, y):
    start, end, place = aim(page, x, y)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()
    return place


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_sliders_pull_z_to_the_same_place(width, open_mixing):
    with open_mixing(width, has_touch=True) as (page, record):
        handle = page.locator(HANDLE)
        page.locator(PLANE).evaluate("svg => svg.scrollIntoView({ block: 'center' })")
        before = shown(page).z
        place = drag(page, 0.4, 0.5)
        by_mouse = shown(page)
        assert shares(by_mouse) == pulled(place)
        turn = math.degrees(math.atan2(place[1] - before[1], place[0] - before[0])) % 360
        assert by_mouse.direction == round(turn)
        page.locator("[name=reset]").click()
        page.locator(PLANE).evaluate("svg => svg.scrollIntoView({ block: 'center' })")
        top = page.evaluate("scrollY")
        start, end, place = aim(page, 0.4, 0.5)
        with finger(page, *start) as move:
            move(*on_plane(page.locator(PLANE), 2.5, -2))
            move(*end)
        assert page.evaluate("scrollY") == top
        assert shares(shown(page)) == pulled(place) == shares(by_mouse)
        page.locator("[name=reset]").click()
        handle.focus()
        keys = ["Shift+ArrowRight"] * 2 + ["ArrowRight", "Shift+ArrowDown"] + ["ArrowDown"] * 3
        for key in keys:
            page.keyboard.press(key)
        by_keys = shown(page)
        assert shares(by_keys) == pulled((0.4, 0.5))
        assert by_keys.direction == 270
        assert by_keys.z == pytest.approx(by_mouse.z, abs=0.04)
        text = ", ".join(f"{w:.2f}" for w in by_keys.weights)
        assert handle.get_attribute("aria-valuetext").endswith(f"; weights {text}")
        page.locator("[name=reset]").click()
        for name, share in zip(SHARES, shares(by_keys), strict=True):
            page.locator(f"input[name={name}]").fill(str(share))
        page.locator("input[name=direction]").fill("270")
        assert shown(page).state == by_keys.state
        box = page.locator(".attn-halo").bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert record.complaints == []


DRAWN = """svg => {
  const written = /-?[\\d.]+(e-?\\d+)?/g;
  const numbers = (node) => node.getAttribute("d").match(written).map((x) => Number(x) / 30);
  const [border, level] = [".attn-scores > .attn-line", ".attn-output > .attn-dashed"].map(
    (name) => numbers(svg.querySelector(name)));
  return { border, level, z: svg.querySelector(".attn-handle").dataset.at.split(" ").map(Number) };
}"""


def test_z_stops_at_the_border_and_the_two_lines_are_where_the_numbers_say(open_mixing):
    with open_mixing(query="?mixing.mask=causal&mixing.i=3&mixing.share_5=77") as (page, record):
        page.locator(PLANE).scroll_into_view_if_needed()
        for x, y in [(2.9, 2.5), (-2.5, -2), (0.1, -2.9), (-2.8, 2.9), (-1, 1.2)]:
            place = drag(page, x, y)
            twin = shown(page)
            assert shares(twin) == pulled(place, i=3, mask="causal", share_4=6, share_5=77)
            assert twin.level <= twin.border + 1e-12
            drawn = page.locator(PLANE).evaluate(DRAWN)
            assert drawn["z"] == pytest.approx([*twin.z], abs=1e-12)
            turn = math.radians(twin.direction)
            for name, height in (("level", twin.level), ("border", twin.border)):
                a, b, c, d = drawn[name]
                for right, down in ((a, b), (c, d)):
                    at = right * math.cos(turn) - down * math.sin(turn)
                    assert at == pytest.approx(height, abs=1e-9)
                assert math.dist((a, b), (c, d)) > 1
        # a single value is all that z_1 can be
        page.locator("[name=i]").select_option("1")
        drag(page, 2, 2)
        assert shown(page).z.tolist() == [-1, 2]
        assert record.complaints == []


def test_what_goes_wrong_in_a_pull_leaves_the_last_shares(open_mixing):
    with open_mixing(lang="zh-CN") as (page, record):
        handle, plane = page.locator(HANDLE), page.locator(PLANE)
        plane.scroll_into_view_if_needed()
        page.mouse.move(*middle(handle))
        page.mouse.down()
        page.mouse.move(*on_plane(plane, 0, 1))
        # out of the window
        page.mouse.move(-300, 5000)
        far = shown(page)
        assert sum(shares(far)) == 100
        assert far.level <= far.border + 1e-12
        # another width in the middle of a pull
        page.set_viewport_size({"width": 500, "height": 900})
        page.mouse.move(*on_plane(plane, 0.5, 0.5))
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert shown(page).z == pytest.approx([0.5, 0.5], abs=0.1)
        before = shares(shown(page))
        handle.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        second = {"pointerId": 77, "clientX": 5, "clientY": 5, "bubbles": True}
        handle.dispatch_event("pointermove", second)
        assert shares(shown(page)) == before
        assert re.match(r"z \(0\.\d\d, 0\.\d\d\)；权重 ", handle.get_attribute("aria-valuetext"))
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []


def test_a_direction_out_of_range_leaves_the_start(open_mixing):
    with open_mixing(query="?mixing.direction=360&mixing.i=2") as (page, _):
        assert shown(page).state == MixingExplorer().state
