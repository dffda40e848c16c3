"""The scaling explorer in a reader's hands: d_k is dragged, and what is drawn is the sample."""

import re

import numpy as np
import pytest
from explorer_page import VIEW, page_of, value
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle

from attnlib.explorers import ScalingExplorer

HANDLE = ".attn-fan-knob"
# the picture in its own units: how wide it is, and how wide its 512 features
WIDE, ACROSS = 340, 294
REACH = 48  # the end of the axis of sums
LONG = 142  # a bar of weight 1


@pytest.fixture
def open_explorer(page_at):
    """The explorer on a page, at its start or in a state."""

    def open_at(width=1000, lang="en", query="", **state):
        explorer = ScalingExplorer(**state)
        html = page_of(explorer.to_html(), lang=lang)
        explorer.close()
        return page_at(html, query=query, width=width, has_touch=True)

    return open_at


def grip(page):
    """A whole pixel inside the handle, and how many features a pixel is worth."""
    handle = page.locator(HANDLE)
    handle.scroll_into_view_if_needed()
    x, y = map(round, middle(handle))
    return x, y, 512 / ACROSS * WIDE / page.locator(".attn-fan").bounding_box()["width"]


def assert_shows(page, d_k):
    """The explorer is there, and its numbers are attnlib's."""
    view = page.locator(VIEW)
    assert value(view, "d_k") == d_k
    assert_equal_to_attnlib(ScalingExplorer, view.evaluate(SHOWN)).close()
    handle = page.locator(HANDLE)
    assert handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuetext")
    assert handle.get_attribute("aria-valuenow") == str(d_k)
    assert handle.text_content() == f"‹ dₖ = {d_k} ›"
    assert float(page.locator(".attn-fan-veil").get_attribute("x")) == 10 * d_k


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_slider_reach_the_same_number_of_features(width, open_explorer):
    with open_explorer(width) as (page, record):
        reset, handle = page.locator("[name=reset]"), page.locator(HANDLE)
        x, y, worth = grip(page)
        moved = round(64 + 97 * worth)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y - 20)
        page.mouse.move(x + 97, y + 60)
        assert_shows(page, moved)
        # beyond the picture and out of the window
        page.mouse.move(4000, -300)
        page.mouse.up()
        assert_shows(page, 512)
        page.mouse.move(x, y)
        assert_shows(page, 512)
        reset.click()
        x, y, _ = grip(page)
        top = page.evaluate("scrollY")
        with finger(page, x, y) as move:
            move(x + 30, y + 5)
            move(x + 97, y - 30)
            assert_shows(page, moved)
            move(width - 1, y)
            move(x + 97, y)
        assert page.evaluate("scrollY") == top
        assert_shows(page, moved)
        reset.click()
        handle.focus()
        for key in [*["Shift+ArrowRight"] * 3, *["ArrowRight"] * 3, "ArrowLeft", "ArrowUp"]:
            page.keyboard.press(key)
        assert_shows(page, 64 + 48 + 3)
        for _ in range(26):
            page.keyboard.press("Shift+ArrowUp")
        assert_shows(page, 512)
        reset.click()
        page.locator("input[name=d_k]").press("End")
        assert_shows(page, 512)
        assert record.complaints == []


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
def test_a_divisor_is_pressed_or_chosen(lang, open_explorer):
    with open_explorer(lang=lang) as (page, record):
        pressed = page.locator(".attn-divisors [aria-pressed=true]")
        levels = page.locator(".attn-fan > text")
        for name, words in (("none", "÷ 1"), ("d_k", "÷ dk"), ("sqrt_d_k", "÷ √dk")):
            page.locator(f"[name=by-{name}]").click()
            assert pressed.all_text_contents() == [words]
            assert page.locator("select[name=scaling]").input_value() == name
            # the axis of the sums knows of no divisor: two deviations of 512 products fit
            assert levels.all_text_contents()[:5] == ["−32", "−16", "0", "16", "32"]
        page.locator("select[name=scaling]").select_option("none")
        assert pressed.all_text_contents() == ["÷ 1"]
        assert record.complaints == []


def points(path):
    """The places of a path, in tenths of a feature and thousandths of the reach."""
    return [
        np.array(re.findall(r"-?\d+", line), dtype=float).reshape(-1, 2)
        for line in path.get_attribute("d").split("M")[1:]
    ]


def test_the_lines_are_the_sample_and_are_drawn_once(open_explorer):
    state = {"d_k": 512, "scaling": "none", "rho": 0.3, "sigma_k": 0.75, "seed": 4}
    whole = ScalingExplorer(**state)
    products = whole.Q[:, None, :] * whole.K  # (100, 8, 512)
    sums = np.concatenate([np.zeros((100, 8, 1)), np.cumsum(products, axis=-1)], axis=-1)
    with open_explorer(**{**state, "d_k": 40}) as (page, _):
        # the mean is 0.225 a product, so twice the reach and twice again
        levels = page.locator(".attn-fan > text").all_text_contents()[:5]
        reach = float(levels[-1]) / 32 * REACH
        assert reach >= 512 * whole.mean_per_feature + 2 * whole.unscaled_variance**0.5 > reach / 2
        crowd = points(page.locator(".attn-fan-crowd"))
        lines = [points(path)[0] for path in page.locator(".attn-fan-walk").all()]
        assert (len(crowd), len(lines)) == (100, 8)
        for k, line in enumerate([*crowd, *lines]):
            i, j, step = (k, 0, 8) if k < 100 else (0, k - 100, 2)
            assert line[:, 0] == pytest.approx(10 * np.arange(0, 513, step))
            assert line[:, 1] == pytest.approx(-1000 * sums[i, j, ::step] / reach, abs=0.51)
        page.evaluate(
            """() => {
              globalThis.drawn = 0;
              const watch = new MutationObserver(() => { drawn += 1; });
              for (const path of document.querySelectorAll(".attn-fan-crowd, .attn-fan-walk")) {
                watch.observe(path, { attributeFilter: ["d"] });
              }
            }"""
        )
        page.locator(HANDLE).focus()
        for d_k, key in ((41, "ArrowRight"), (57, "Shift+ArrowRight"), (56, "ArrowLeft")):
            page.keyboard.press(key)
            values = page.locator(".attn-fan circle").evaluate_all(
                "dots => dots.map((dot) => [dot.dataset.value, dot.getAttribute('cy')].map(Number))"
            )
            high = [8 + 128 * (1 - np.clip(s / reach, -1, 1)) for s in sums[0, :, d_k]]
            assert values == [pytest.approx(x) for x in zip(sums[0, :, d_k], high, strict=True)]
        page.locator("[name=by-d_k]").click()
        assert page.evaluate("drawn") == 0
        assert page.locator(".attn-fan > text").all_text_contents()[:5] == levels
        page.locator("[name=draw]").click()
        page.wait_for_function("drawn > 0")
    whole.close()


def test_bars_marks_and_discs_are_the_weights_and_how_they_react(open_explorer):
    explorer = ScalingExplorer(d_k=9, scaling="d_k", seed=6)
    with open_explorer(d_k=9, scaling="d_k", seed=6) as (page, _):
        one, typical = page.locator(".attn-bars").all()

        def lengths(picture):
            bars = picture.locator(".attn-bars-share").all()
            return [float(bar.get_attribute("width")) / LONG for bar in bars]

        assert lengths(one) == pytest.approx(explorer.weights.tolist(), abs=1e-9)
        assert lengths(typical) == pytest.approx(explorer.typical.tolist(), abs=1e-9)
        assert typical.locator(":is(.attn-bars-mark, .attn-bars-disc)").count() == 0
        areas = [float(disc.get_attribute("r")) ** 2 for disc in one.locator("circle").all()]
        share = np.array(areas) / explorer.reactions
        assert share == pytest.approx([share[0]] * 8)
        marks = one.locator(".attn-bars-mark:not([hidden])").evaluate_all(
            "marks => marks.map((mark) => mark.transform.baseVal[0].matrix.e)"
        )
        n = explorer.numbers
        assert [(x - 26) / LONG for x in marks] == pytest.approx(
            [n[f"weights-{of}-{j}"] for j in range(1, 9) for of in ("none", "sqrt_d_k")], abs=1e-6
        )
        # the line that leads is that of the key with the largest weight
        leads = page.locator(".attn-fan-walk").evaluate_all(
            "lines => lines.map((line) => line.classList.contains('attn-fan-lead'))"
        )
        assert leads.index(True) == explorer.weights.argmax()
        assert leads.count(True) == 1
    explorer.close()


def test_what_goes_wrong_in_a_drag_leaves_the_last_state(open_explorer):
    with open_explorer() as (page, record):
        x, y, worth = grip(page)
        handle = page.locator(HANDLE)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 50, y)
        before = round(64 + 50 * worth)
        assert_shows(page, before)
        # a second finger on the same handle moves nothing
        handle.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        handle.dispatch_event("pointermove", {"pointerId": 77, "clientX": 5, "bubbles": True})
        assert_shows(page, before)
        page.set_viewport_size({"width": 500, "height": 800})
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert_shows(page, before)
        page.mouse.move(-500, y)
        assert_shows(page, 1)
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(x, y)
        page.mouse.up()
        assert record.complaints == []


@pytest.mark.parametrize("query", ["scaling.d_k=513", "scaling.d_k=-4", "scaling.scaling=root"])
def test_a_link_out_of_range_leaves_the_start(query, open_explorer):
    with open_explorer(query=f"?{query}") as (page, _):
        page.locator(VIEW).wait_for()
        assert_shows(page, 64)
