"""A query and a key in a reader's hands: by mouse, finger, keys and fields; what can go wrong."""

import json
import math
from functools import partial

import numpy as np
import pytest
from explorer_page import page_of, value
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle

from attnlib.explorers import ScoresExplorer

# the plane of query 4 and key 1 is that of features 1 and 3, as they are
Q = [[1, 2, 0.5], [0, 0, 0], [1, 0, 1], [2, 0, 0], [2, 2, 0]]
K = [[1, 0, 1.5], [0, 0, -1], [0, 1, 1], [0.5, -1, 2], [0, 2, -1]]
PICTURES = ".attn-view .attn-plane"


@pytest.fixture
def open_scores(explorer_at):
    """The explorer on a page in this state."""

    return partial(explorer_at, ScoresExplorer, state={"Q": Q, "K": K})


def tip(page, tone, picture=0):
    return page.locator(PICTURES).nth(picture).locator(f".attn-handle.attn-{tone}")


def unit(page):
    """How many pixels wide 1 is."""
    return page.locator(PICTURES).first.bounding_box()["width"] * 30 / 208


def beyond(page, tone, right, up):
    """The middle of a handle, and the place that lies as far from it, in units of the picture."""
    x, y = middle(tip(page, tone))
    return (x, y), (x + right * unit(page), y - up * unit(page))


def rows(page, name, i):
    return [float(page.locator(f"[name={name}-{i}-{r}]").input_value()) for r in (1, 2, 3)]


def drag(page, tone, right, up):
    start, end = beyond(page, tone, right, up)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=3)
    page.mouse.up()


def assert_drawn(page):
    """All is attnlib's, and both pictures have the lengths and the angle of their vectors."""
    explorer = assert_equal_to_attnlib(
        ScoresExplorer, page.locator("attn-explorer").evaluate(SHOWN)
    )
    vectors = [np.array(explorer.Q), np.array(explorer.K)]
    for picture, places in enumerate([(explorer.i, explorer.j), (explorer.j, explorer.i)]):
        q, k = (M[i - 1] for M, i in zip(vectors, places, strict=True))
        at_q, at_k = (
            np.array([*map(float, tip(page, tone, picture).get_attribute("data-at").split())])
            for tone in ("query", "key")
        )
        products = [q @ q, k @ k, q @ k]
        assert [at_q @ at_q, at_k @ at_k, at_q @ at_k] == pytest.approx(products, abs=1e-9)
        foot = page.locator(PICTURES).nth(picture).locator("g.attn-signed[data-at]")
        at_foot = np.array([*map(float, foot.get_attribute("data-at").split())])
        length = explorer.numbers["back-" * picture + "shadow"]
        assert at_foot @ at_q == pytest.approx(length * math.sqrt(q @ q), abs=1e-9)
        assert (at_k - at_foot) @ at_q == pytest.approx(0, abs=1e-9)
        assert abs(length) == pytest.approx(math.hypot(*at_foot), abs=1e-9)


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_fields_reach_the_same_key_and_query(width, open_scores):
    with open_scores(width, has_touch=True) as (page, record):
        key = tip(page, "key")
        key.scroll_into_view_if_needed()
        assert_drawn(page)
        for tone, way, name, i, expected in [
            ("key", (-2, 0.5), "K", 1, [-1, 0, 2]),
            ("query", (0, 1), "Q", 4, [2, 0, 1]),
        ]:
            handle = tip(page, tone)
            handle.scroll_into_view_if_needed()
            assert handle.locator(".attn-halo").bounding_box()["width"] > 40
            drag(page, tone, *way)
            assert rows(page, name, i) == pytest.approx(expected, abs=0.012)
            assert_drawn(page)
            page.locator("[name=reset]").click()
            handle.scroll_into_view_if_needed()
            top = page.evaluate("scrollY")
            start, end = beyond(page, tone, *way)
            with finger(page, *start) as move:
                move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
                move(*end)
            assert page.evaluate("scrollY") == top
            assert rows(page, name, i) == pytest.approx(expected, abs=0.012)
            page.locator("[name=reset]").click()
            handle.focus()
            for steps, keys in zip(way, ("ArrowLeft ArrowRight", "ArrowDown ArrowUp"), strict=True):
                for _ in range(round(abs(steps) / 0.5)):
                    page.keyboard.press(f"Shift+{keys.split()[int(steps > 0)]}")
            by_keys = page.locator("attn-explorer").evaluate(SHOWN)
            assert rows(page, name, i) == expected
            page.locator("[name=reset]").click()
            for r, x in enumerate(expected, start=1):
                page.locator(f"[name={name}-{i}-{r}]").fill(str(x))
            assert page.locator("attn-explorer").evaluate(SHOWN) == by_keys
            assert_drawn(page)
            page.locator("[name=reset]").click()
        assert record.complaints == []


def test_a_key_that_is_led_across_the_query_and_back_has_its_numbers_again(open_scores):
    with open_scores() as (page, record):
        # now three features of two rows that share no plane with the features
        page.locator("[name=i]").select_option("1")
        page.locator("[name=j]").select_option("4")
        before = tip(page, "key", 1).get_attribute("data-at")
        start, end = beyond(page, "key", 0.4, -3)
        page.mouse.move(*start)
        page.mouse.down()
        sides = []
        for share in (0.2, 0.4, 0.6, 0.8, 1, 0.7, 0.5, 0.3, 0):
            page.mouse.move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))
            assert_drawn(page)
            sides.append(float(tip(page, "key").get_attribute("data-at").split()[1]) > 0)
        page.mouse.up()
        assert sides[0]
        assert not sides[4]
        assert rows(page, "K", 4) == pytest.approx(K[3], abs=0.011)
        assert_drawn(page)
        # who asks the other way round has another query and another key
        assert tip(page, "key", 1).get_attribute("data-at") == before
        assert record.complaints == []


def test_a_query_of_nothing_has_no_angle_and_can_be_pulled_out(open_scores):
    with open_scores() as (page, record):
        page.locator("[name=i]").select_option("2")
        said = page.locator(".attn-measure").first
        assert said.inner_text() == "S21 = 0: q2 is 0, has no direction, and so there is no angle."
        assert tip(page, "query").get_attribute("data-at") == "0 0"
        drag(page, "query", 1.5, 0)
        assert np.linalg.norm(rows(page, "Q", 2)) == pytest.approx(1.5, abs=0.02)
        assert value(page, "sum-3") == pytest.approx(0, abs=0.03)
        assert_drawn(page)
        # pulled beyond what a feature can be it stops, in the plane
        drag(page, "query", 4, 0)
        assert max(map(abs, rows(page, "Q", 2))) == 3
        assert_drawn(page)
        assert record.complaints == []


def test_what_goes_wrong_in_a_drag_leaves_the_last_key(open_scores):
    with open_scores() as (page, record):
        key = tip(page, "key")
        start, end = beyond(page, "key", -1, 0)
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end)
        assert rows(page, "K", 1) == pytest.approx([0, 0, 1.5], abs=0.02)
        page.mouse.move(-900, 6000)
        assert max(map(abs, rows(page, "K", 1))) == 3
        page.set_viewport_size({"width": 700, "height": 800})
        page.mouse.move(*end)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert all(math.isfinite(x) for x in rows(page, "K", 1))
        before = page.locator("attn-explorer").evaluate(SHOWN)
        for event in ("pointerdown", "pointermove"):
            at = {"pointerId": 77, "clientX": 5, "clientY": 5, "bubbles": True, "button": 0}
            key.dispatch_event(event, at)
        assert page.locator("attn-explorer").evaluate(SHOWN) == before
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []


def test_a_link_out_of_range_leaves_the_start(page_at):
    explorer = ScoresExplorer()
    entries = "_".join(["9"] * 15)
    with page_at(page_of(explorer.to_html()), query=f"?scores.Q={entries}") as (page, _):
        assert json.loads(json.dumps(rows(page, "Q", 4))) == list(explorer.Q[3])
    explorer.close()
