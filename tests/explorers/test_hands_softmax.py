"""The softmax explorer in the hands of a reader: a score is pulled, and the weights answer."""

import re

import numpy as np
import pytest
from explorer_page import VIEW, page_of, value
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle

from attnlib.explorers import SoftmaxExplorer

# the picture in its own units: how wide it is, a score of 1, a weight of 1
WIDE, UNIT, LONG = 340, 17, 104


@pytest.fixture
def open_explorer(page_at):
    """The explorer on a page, at its start or in a state."""

    def open_at(width=1000, lang="en", **state):
        explorer = SoftmaxExplorer(**state)
        html = page_of(explorer.to_html(), lang=lang)
        explorer.close()
        return page_at(html, width=width, has_touch=True)

    return open_at


def grip(page, j):
    """A whole pixel inside the handle of score j, and how much of a score a pixel is worth."""
    handle = page.locator(".attn-pull-knob").nth(j - 1)
    handle.scroll_into_view_if_needed()
    x, y = map(round, middle(handle))
    return x, y, WIDE / page.locator(".attn-softmax").bounding_box()["width"] / UNIT


def attributes(page, selector, name):
    script = "(parts, name) => parts.map((part) => Number(part.getAttribute(name)))"
    return page.locator(selector).evaluate_all(script, name)


def assert_drawn(page):
    """What the picture shows is what attnlib computes of the state."""
    view = page.locator(VIEW)
    explorer = assert_equal_to_attnlib(SoftmaxExplorer, view.evaluate(SHOWN))
    scores = np.array([getattr(explorer, f"score_{j}") for j in range(1, 6)])
    bars = np.array(attributes(page, ".attn-pull-score", "height")) / UNIT
    assert bars == pytest.approx(abs(scores))
    assert page.locator(".attn-pull-score").evaluate_all(
        "bars => bars.map((bar) => bar.classList.contains('attn-pull-below'))"
    ) == [s < 0 for s in scores]
    assert [bool(path.get_attribute("d")) for path in page.locator(".attn-pull-stripes").all()] == [
        s < -4 / UNIT for s in scores
    ]
    weights = np.array(attributes(page, ".attn-pull-weight", "height")) / LONG
    assert weights == pytest.approx(explorer.weights)
    reactions = explorer.jacobian.diagonal()
    shades = np.array(attributes(page, ".attn-pull-weight", "fill-opacity"))
    assert (shades - 0.15) / 0.85 == pytest.approx(np.minimum(1, reactions / 0.25))
    discs = np.array(attributes(page, ".attn-pull-reaction", "r"))
    expected = np.clip(24 * np.sqrt(reactions), 0.8, 17)
    assert discs == pytest.approx(expected)
    texts = page.locator(".attn-softmax text").all_text_contents()
    assert {f"{x:.3f}" for x in (*explorer.weights, *reactions)} <= {*texts}
    explorer.close()
    return scores


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_slider_reach_the_same_score(width, open_explorer):
    with open_explorer(width, temperature=0.75) as (page, record):
        reset = page.locator("[name=reset]")
        x, y, worth = grip(page, 4)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 3, y + 31)
        lowered = round(1.73 - 31 * worth, 2)
        assert assert_drawn(page)[3] == pytest.approx(lowered, abs=0.0051)
        # what the weights were before is marked while the hand holds on
        before = SoftmaxExplorer(temperature=0.75)
        marks = page.locator(".attn-pull-before").evaluate_all(
            "marks => marks.map((mark) => mark.getBBox().y)"
        )
        feet = np.add(
            attributes(page, ".attn-pull-weight", "y"),
            attributes(page, ".attn-pull-weight", "height"),
        )
        assert (feet - marks) / LONG == pytest.approx(before.weights, abs=1e-4)
        before.close()
        page.mouse.move(x, 5000)
        page.mouse.up()
        assert {mark.get_attribute("d") for mark in page.locator(".attn-pull-before").all()} == {""}
        assert assert_drawn(page)[3] == -5
        reset.click()
        x, y, _ = grip(page, 4)
        top = page.evaluate("scrollY")
        with finger(page, x, y) as move:
            move(x, y + 12)
            move(x - 4, y + 31)
            assert assert_drawn(page)[3] == pytest.approx(lowered, abs=0.0051)
            move(x, y + 700)
        assert page.evaluate("scrollY") == top
        assert assert_drawn(page)[3] == -5
        reset.click()
        page.locator(".attn-pull-knob").nth(3).focus()
        for key in ["ArrowUp", "Shift+ArrowUp", "ArrowLeft", "ArrowLeft"]:
            page.keyboard.press(key)
        assert assert_drawn(page)[3] == pytest.approx(1.73 + 0.1 + 1 - 0.2)
        for _ in range(8):
            page.keyboard.press("Shift+ArrowDown")
        assert assert_drawn(page)[3] == -5
        reset.click()
        page.locator("input[name=score_4]").press("Home")
        assert assert_drawn(page)[3] == -5
        assert record.complaints == []


@pytest.mark.parametrize(
    ("lang", "score", "of_weight"),
    [("en", "score 2 把 BA", "weight"), ("zh-CN", "分数 2 把", "权重")],
)
def test_the_arithmetic_is_that_of_the_score_at_hand(lang, score, of_weight, open_explorer):
    with open_explorer(lang=lang, shift=1.5, temperature=2.0) as (page, record):
        lines = page.locator(".attn-formula .attn-step")
        # at first of the largest weight
        assert lines.all_inner_texts()[0] == "x4 = (1.73 + 1.50) ÷ 2.00 = 1.615"
        handle = page.get_by_role("slider", name=score).first
        handle.focus()
        assert lines.all_inner_texts()[0] == "x2 = (−0.58 + 1.50) ÷ 2.00 = 0.460"
        page.keyboard.press("Shift+ArrowDown")
        weight = value(page.locator(VIEW), "weight-2")
        assert lines.all_inner_texts()[0] == "x2 = (−1.58 + 1.50) ÷ 2.00 = −0.040"
        assert lines.all_inner_texts()[1].endswith(f" = {weight:.3f}")
        assert re.match(r"α2 = e−0.04 ÷ ", lines.all_inner_texts()[1])
        assert handle.get_attribute("aria-valuenow") == "-1.58"
        assert handle.get_attribute("aria-valuetext") == f"−1.58, {of_weight} {weight:.3f}"
        page.locator("input[name=score_5]").focus()
        assert lines.all_inner_texts()[0].startswith("x5 = (0.58 + ")
        assert_drawn(page)
        assert record.complaints == []


def test_an_entry_of_the_jacobian_says_what_it_is_made_of(open_explorer):
    with open_explorer(temperature=0.5) as (page, _):
        made = page.locator(".attn-made")
        numbers = SoftmaxExplorer(temperature=0.5).numbers
        for i, j in ((4, 4), (4, 1)):
            page.locator(f"td:has([data-name='J-{i}-{j}'])").focus()
            a, b = (f"{numbers[f'weight-{at}']:.3f}" for at in (i, j))
            product = f"{a} × (1 − {b})" if i == j else f"−{a} × {b}"
            result = f"{numbers[f'J-{i}-{j}']:.2f}".replace("-", "−")
            assert made.inner_text() == f"J{i}{j} = {product} ÷ 0.50 = {result}"
            lit = page.locator(".attn-source [data-name]").evaluate_all(
                "places => places.map((place) => place.dataset.name)"
            )
            assert {*lit} == {f"weight-{i}", f"weight-{j}"}


def test_what_goes_wrong_in_a_drag_leaves_the_last_state(open_explorer):
    with open_explorer() as (page, record):
        x, y, worth = grip(page, 2)
        handle = page.locator(".attn-pull-knob").nth(1)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 40)
        before = assert_drawn(page)
        assert before[1] == pytest.approx(-0.58 + 40 * worth, abs=0.0051)
        handle.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        handle.dispatch_event("pointermove", {"pointerId": 77, "clientY": 5, "bubbles": True})
        page.set_viewport_size({"width": 500, "height": 800})
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert assert_drawn(page) == pytest.approx(before)
        page.mouse.move(x, -900)
        assert assert_drawn(page)[1] == 5
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(x, y)
        page.mouse.up()
        assert record.complaints == []
