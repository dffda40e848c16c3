"""A weight in the hands of a reader: by mouse, finger, keys and slider; what can go wrong."""

from functools import partial

import numpy as np
import pytest
from explorer_page import page_of, value
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle

from attnlib.explorers import AggregationExplorer
from attnlib.explorers.framework import sentence

BARS = ".attn-weight-bars .attn-handle"
HIGH = 110 / 320  # a weight of 1 as a share of how wide the picture is


@pytest.fixture
def open_aggregation(explorer_at):
    """The explorer on a page, at its start."""

    return partial(explorer_at, AggregationExplorer)


def unit(page):
    """How many pixels high a weight of 1 is."""
    return HIGH * page.locator(".attn-weight-bars").bounding_box()["width"]


def assert_drawn(page):
    """Numbers are attnlib's; bars are the weights, the arrows their terms, tip to tail, up to z."""
    shown = page.locator("attn-explorer").evaluate(SHOWN)
    explorer = assert_equal_to_attnlib(AggregationExplorer, shown)
    alpha = explorer.A[explorer.i - 1]
    assert alpha.sum() == pytest.approx(1, abs=1e-12)
    bars = page.locator(".attn-weight-fill").evaluate_all(
        "bars => bars.map((bar) => Number(bar.getAttribute('height')))"
    )
    assert bars == pytest.approx([110 * a for a in alpha], abs=1e-9)
    text = "nodes => nodes.map((node) => node.dataset.at.split(' ').map(Number))"
    ends = page.locator(".attn-plane .attn-tail").evaluate_all(text)
    (z,) = page.locator(".attn-plane .attn-output[data-at]").evaluate_all(text)
    starts = page.locator(".attn-plane .attn-tail > .attn-line").evaluate_all(
        "lines => lines.map((line) => line.getAttribute('d').slice(1).split('L')[0])"
    )
    begun = [[float(x) / 30, -float(y) / 30] for x, y in map(str.split, starts)]
    np.testing.assert_allclose(begun, [[0, 0], *ends[:-1]], atol=1e-9)
    terms = np.diff([[0, 0], *ends], axis=0)
    np.testing.assert_allclose(terms, alpha[:, None] * sentence.head().V, atol=1e-9)
    assert z == ends[-1] == pytest.approx(explorer.Z[explorer.i - 1], abs=1e-9)
    return explorer


def assert_at(page, source, weight, abs=0.006):
    explorer = assert_drawn(page)
    assert explorer.source == source
    assert explorer.weight == pytest.approx(weight, abs=abs)
    assert explorer.A[explorer.i - 1][source - 1] == explorer.weight
    # the others keep their proportions
    computed = sentence.head().A[explorer.i - 1]
    ratios = np.delete(explorer.A[explorer.i - 1] / computed, source - 1)
    assert ratios == pytest.approx(explorer.factor)


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_slider_reach_the_same_weight(width, open_aggregation):
    with open_aggregation(width, has_touch=True) as (page, record):
        bar = page.locator(BARS).nth(2)
        bar.scroll_into_view_if_needed()
        assert bar.locator(".attn-halo").bounding_box()["width"] >= 44
        assert_drawn(page)
        way = (0.75 - sentence.head().A[3, 2]) * unit(page)
        x, y = middle(bar)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y - way / 3)
        page.mouse.move(x, y - way)
        page.mouse.up()
        assert_at(page, 3, 0.75)
        page.get_by_role("button", name="As computed").click()
        assert assert_drawn(page).source == 0
        bar.scroll_into_view_if_needed()
        top = page.evaluate("scrollY")
        x, y = middle(bar)
        with finger(page, x, y) as move:
            move(x, y - way / 2)
            move(x, y - way)
        assert page.evaluate("scrollY") == top
        assert_at(page, 3, 0.75)
        page.locator("[name=reset]").click()
        bar.focus()
        # the first step from .343 ends on a whole hundredth
        for key in [*["Shift+ArrowUp"] * 4, "ArrowUp"]:
            page.keyboard.press(key)
        assert_at(page, 3, 0.75, abs=0)
        assert bar.get_attribute("aria-valuetext") == "0.75"
        by_keys = page.locator("attn-explorer").evaluate(SHOWN)
        page.locator("[name=reset]").click()
        assert page.locator("[name=weight]").is_disabled()
        page.locator("[name=source]").select_option("3")
        page.locator("[name=weight]").fill("0.75")
        assert page.locator("attn-explorer").evaluate(SHOWN) == by_keys
        assert record.complaints == []


def test_a_weight_of_1_leads_z_to_its_value_along_a_line(open_aggregation):
    with open_aggregation(lang="zh-CN") as (page, record):
        page.locator("[name=source]").select_option("4")
        places = []
        for weight in (0, 0.25, 1):
            page.locator("[name=weight]").fill(str(weight))
            places.append(assert_drawn(page).Z[3])
        assert places[2] == pytest.approx(sentence.head().V[3])
        assert places[1] == pytest.approx(0.75 * places[0] + 0.25 * places[2])
        said = page.locator(".attn-rescaled").inner_text()
        assert said == "手动设定：α44（算出的是 0.06）。其余权重都乘以 0.00，整行之和为 1.00。"
        # another output has another computed row, the weight by hand stays
        page.locator("[name=i]").select_option("1")
        assert_at(page, 4, 1)
        page.get_by_role("button", name="恢复算出的权重").press("Enter")
        assert assert_drawn(page).factor == 1
        assert record.complaints == []


def test_what_goes_wrong_in_a_drag_leaves_the_last_weight(open_aggregation):
    with open_aggregation() as (page, record):
        bar = page.locator(BARS).nth(0)
        x, y = middle(bar)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 40)
        assert value(page, "weight") == pytest.approx(
            sentence.head().A[3, 0] + 40 / unit(page), abs=0.006
        )
        page.mouse.move(-400, -5000)
        assert_at(page, 1, 1)
        page.mouse.move(x, 9000)
        assert_at(page, 1, 0)
        page.set_viewport_size({"width": 700, "height": 800})
        page.mouse.move(x, middle(bar)[1] - 20)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        before = page.locator("attn-explorer").evaluate(SHOWN)
        for event in ("pointerdown", "pointermove"):
            at = {"pointerId": 77, "clientX": 5, "clientY": 5, "bubbles": True, "button": 0}
            bar.dispatch_event(event, at)
        assert page.locator("attn-explorer").evaluate(SHOWN) == before
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []


@pytest.mark.parametrize("query", ["source=6", "weight=1.01&aggregation.source=2", "source=1.5"])
def test_a_link_out_of_range_leaves_the_start(query, page_at):
    explorer = AggregationExplorer()
    with page_at(page_of(explorer.to_html()), query=f"?aggregation.{query}") as (page, _):
        assert assert_drawn(page).source == 0
    explorer.close()
