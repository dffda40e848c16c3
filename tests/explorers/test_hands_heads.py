"""The heads explorer in the hands of a reader: heads are pressed, names pulled, two heads found."""

import pytest
from explorer_page import page_of
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle

from attnlib.explorers import HeadsExplorer
from attnlib.tasks.roles import VOCABULARY

NAME = ".attn-heads .attn-person"
SWITCH = ".attn-heads [role=switch]"
# arcs: how thick, whether there is one, whether it is dim
ARCS = """panels => panels.map((panel) => [...panel.querySelectorAll(".attn-arc")].map(
  (arc) => [Number(arc.getAttribute("stroke-width")), arc.hasAttribute("hidden"),
    getComputedStyle(arc).opacity !== "1"]))"""


@pytest.fixture
def open_heads(page_at):
    """The explorer on a page, in a state."""

    def open_at(width=1000, lang="en", options=None, **state):
        explorer = HeadsExplorer(**state)
        html = page_of(explorer.to_html(), lang=lang)
        explorer.close()
        return page_at(html, width=width, **(options or {}))

    return open_at


def assert_drawn(page):
    """The pictures are those of the state; gives the explorer in Python."""
    explorer = assert_equal_to_attnlib(HeadsExplorer, page.locator("attn-explorer").evaluate(SHOWN))
    n = explorer.numbers
    panels = page.locator(".attn-heads .attn-one-head").evaluate_all(ARCS)
    for h, arcs in enumerate(panels, start=1):
        weights = [n[f"A-{j}-{h}"] for j in range(1, 11)]
        assert [thick for thick, _, _ in arcs] == pytest.approx([11 * a for a in weights])
        assert [hidden for _, hidden, _ in arcs] == [a < 0.005 for a in weights]
        is_on = getattr(explorer, f"head_{h}") == "on"
        assert {dim for _, _, dim in arcs} == {not is_on}
    on = page.locator(SWITCH).evaluate_all("nodes => nodes.map((node) => node.ariaChecked)")
    assert on == [str(is_on).lower() for is_on in explorer.heads]
    ribbons = page.locator(".attn-stream rect").evaluate_all(
        "nodes => nodes.map((node) => Number(node.getAttribute('width')))"
    )
    assert ribbons == pytest.approx([0.9 * n[f"norm-{h}"] for h in range(1, 5)])
    path = page.locator(".attn-flow").get_attribute("d")
    edge = [float(point.split()[1]) for point in path[1:-1].split("L")]
    ends = edge[-1] - edge[0], edge[len(edge) // 2] - edge[len(edge) // 2 - 1]
    assert ends == pytest.approx((0.9 * n["norm_x"], 0.9 * n["stream-4"]))
    rows = page.locator(NAME).evaluate_all("nodes => nodes.map(({ dataset }) => dataset.row)")
    texts = page.locator(f"{NAME} text:first-of-type").all_text_contents()
    assert [explorer.words[int(row)] for row in rows] == texts
    explorer.close()
    return explorer


def said(page):
    """The answers as the line below the controls says them, ✓ or ✗ with the word."""
    line = page.locator(".attn-formula .attn-step").first.inner_text()
    return [answer.split()[-2] for answer in line.split(",")]


@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_box_exchange_the_names(width, open_heads):
    with open_heads(width, options={"has_touch": True}) as (page, record):
        first, second = page.locator(NAME).all()
        assert first.locator(".attn-halo").bounding_box()["width"] >= 43
        reset = page.locator("[name=reset]")

        def assert_exchanged():
            explorer = assert_drawn(page)
            assert explorer.swap == "on"
            assert explorer.words[0] == "小红"
            reset.click()
            assert assert_drawn(page).swap == "off"

        second.scroll_into_view_if_needed()
        goal = middle(second)
        page.mouse.move(*middle(first))
        page.mouse.down()
        page.mouse.move(goal[0], goal[1] - 60, steps=3)
        page.mouse.up()
        assert_exchanged()
        second.scroll_into_view_if_needed()
        top, goal = page.evaluate("scrollY"), middle(first)
        with finger(page, *middle(second)) as move:
            move(goal[0], goal[1] + 90)
            move(*goal)
        assert page.evaluate("scrollY") == top
        assert_exchanged()
        for name, key in ((first, "ArrowDown"), (second, "ArrowUp")):
            name.focus()
            assert name.get_attribute("aria-valuetext") == (
                "小明 gives" if name is first else "小红 receives"
            )
            page.keyboard.press(key)
            assert name.get_attribute("aria-valuetext") == (
                "小明 receives" if name is first else "小红 gives"
            )
            assert_exchanged()
        page.locator("[name=swap]").check()
        assert "Xiaohong gave Xiaoming" in page.locator(".attn-controls").inner_text()
        assert_exchanged()
        assert record.complaints == []


def test_a_head_is_pressed_in_the_picture_or_ticked(open_heads):
    with open_heads(sentence=6) as (page, record):
        page.locator(SWITCH).nth(2).click()
        assert assert_drawn(page).head_3 == "off"
        page.locator(SWITCH).nth(2).press("Space")
        assert assert_drawn(page).head_3 == "on"
        page.locator("[name=head_3]").uncheck()
        assert assert_drawn(page).head_3 == "off"
        page.locator("select[name=ablation]").select_option("mean")
        explorer = assert_drawn(page)
        assert explorer.numbers["norm-3"] > 1
        assert page.locator(SWITCH).nth(2).text_content() == "head 3mean"
        page.locator("select[name=sentence]").select_option("3")
        assert_drawn(page)
        assert record.complaints == []


def test_a_reader_finds_what_heads_2_and_4_do(open_heads):
    """By what is pressed and seen alone: first head 2, which idles here; then head 4."""
    with open_heads() as (page, record):
        second, fourth = page.locator(SWITCH).nth(1), page.locator(SWITCH).nth(3)
        of_ten = "table:has([data-name='right-1']) [data-name^='right']"
        second.click()
        assert said(page) == ["✓", "✓", "✓", "✓"]
        # the other sentences say otherwise, at once
        assert page.locator(of_ten).all_inner_texts() == ["1", "9", "9", "8"]
        page.locator(NAME).first.press("ArrowDown")
        assert said(page) == ["✗", "✓", "✓", "✓"]
        page.locator("[name=reset]").click()
        fourth.click()
        assert said(page) == ["✓", "✗", "✗", "✓"]
        assert page.locator(".attn-lost").count() == 2
        page.locator("select[name=ablation]").select_option("mean")
        assert said(page) == ["✓", "✗", "✓", "✓"]
        assert page.locator(of_ten).all_inner_texts() == ["10", "1", "10", "10"]
        assert record.complaints == []


def test_what_goes_wrong_in_a_drag_leaves_the_last_state(open_heads):
    with open_heads() as (page, record):
        first = page.locator(NAME).first
        page.mouse.move(*middle(first))
        page.mouse.down()
        page.mouse.move(-50, 5000)
        assert assert_drawn(page).swap == "on"
        page.set_viewport_size({"width": 600, "height": 800})
        page.mouse.move(300, -900)
        assert assert_drawn(page).swap == "off"
        first.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        first.dispatch_event(
            "pointermove", {"pointerId": 77, "clientX": 5, "clientY": 4000, "bubbles": True}
        )
        assert assert_drawn(page).swap == "off"
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []


def test_words_of_the_picture_are_those_of_the_sentence(open_heads):
    for swap in ("off", "on"):
        with open_heads(sentence=4, swap=swap) as (page, _):
            explorer = assert_drawn(page)
            placed = page.locator(".attn-heads text").evaluate_all(
                """texts => texts.map((text) =>
                  [text.getBoundingClientRect().y, text.textContent]).sort((a, b) => a[0] - b[0])"""
            )
            assert [word for _, word in placed if word in VOCABULARY] == [*explorer.words]
