"""x and the rows of the matrices in the hands of a reader, and the sums that the arrows lay out."""

from functools import partial

import pytest
from explorer_state import SHOWN, assert_equal_to_attnlib
from hands import finger, middle, on_plane, pixels

from attnlib.explorers import ProjectionExplorer


@pytest.fixture
def open_projection(explorer_at):
    """The explorer on a page, at its start or in a state."""

    return partial(explorer_at, ProjectionExplorer)


def shown(page):
    """The Python twin of what is on the page, whose numbers are the page's."""
    found = page.locator("attn-explorer").evaluate(SHOWN)
    return assert_equal_to_attnlib(ProjectionExplorer, found)


def plane_of(handle):
    return handle.locator("xpath=ancestor::*[local-name()='svg']")


def aim(handle, x, y):
    """Where the pointer takes hold and lets go, in whole pixels; and where that takes the tip."""
    start = [round(p) for p in middle(handle)]
    end = [round(p) for p in on_plane(plane_of(handle), x, y)]
    at = [float(p) for p in handle.get_attribute("data-at").split()]
    unit = pixels(plane_of(handle))
    return start, end, (at[0] + (end[0] - start[0]) / unit, at[1] - (end[1] - start[1]) / unit)


def drag(page, handle, x, y):
    handle.evaluate("node => node.scrollIntoView({ block: 'center' })")
    start, end, place = aim(handle, x, y)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=2)
    page.mouse.up()
    return place


# who is held; the trait and its row; where to; by which keys
HELD = [
    ("tip of x", "X", 3, (-0.9, 1.3), ["Shift+ArrowLeft"] * 4 + ["ArrowRight"]
     + ["Shift+ArrowUp"] * 5 + ["ArrowDown"] * 2),
    ("row 2 of WQ", "W_Q", 1, (0.6, -0.8), ["Shift+ArrowRight", "ArrowRight"] + ["ArrowUp"] * 2),
]  # fmt: skip


@pytest.mark.parametrize(("words", "name", "row", "to", "keys"), HELD)
@pytest.mark.parametrize("width", [360])
def test_mouse_finger_keys_and_fields_bring_a_tip_to_the_same_place(
    words, name, row, to, keys, width, open_projection
):
    def tip(page):
        return getattr(shown(page), name)[row]

    with open_projection(width, has_touch=True) as (page, record):
        handle = page.get_by_role("slider", name=words)
        place = drag(page, handle, *to)
        assert tip(page) == pytest.approx(place, abs=0.0051)
        assert place == pytest.approx(to, abs=0.03)
        others = {"X": shown(page).X, "W_Q": shown(page).W_Q}
        page.locator("[name=reset]").click()
        start = {"X": shown(page).X, "W_Q": shown(page).W_Q}
        for trait in start:  # nothing else has moved
            for k, (old, new) in enumerate(zip(start[trait], others[trait], strict=True)):
                assert (old == new) is ((trait, k) != (name, row))
        handle.evaluate("node => node.scrollIntoView({ block: 'center' })")
        top = page.evaluate("scrollY")
        begin, end, place = aim(handle, *to)
        with finger(page, *begin) as move:
            move(end[0] + 20, end[1] - 10)
            move(*end)
        assert page.evaluate("scrollY") == top
        assert tip(page) == pytest.approx(place, abs=0.0051)
        page.locator("[name=reset]").click()
        handle.focus()
        for key in keys:
            page.keyboard.press(key)
        assert tip(page) == to
        said = f"({to[0]:.2f},\u00a0{to[1]:.2f})".replace("-", "−")
        assert handle.get_attribute("aria-valuetext") == said
        by_keys = shown(page).state
        page.locator("[name=reset]").click()
        for r in (1, 2):
            page.locator(f"input[name={name}-{row + 1}-{r}]").fill(str(to[r - 1]))
        assert shown(page).state == by_keys
        box = handle.locator(".attn-halo").bounding_box()
        assert min(box["width"], box["height"]) >= (44 if width == 360 else 40)
        assert record.complaints == []


TIPS = """cards => cards.map((card) => Object.fromEntries(
  [...card.querySelectorAll(".attn-plane g[data-at]:not([hidden])")].map((group, k) => [
    group.querySelector("text").textContent || `no words ${k}`,
    {
      at: group.dataset.at.split(" ").map(Number),
      dashed: Boolean(group.querySelector(".attn-dashed")),
    },
  ])))"""


def test_the_terms_are_laid_tip_to_tail_and_end_at_q_k_and_v(open_projection):
    state = {
        "i": 2,
        "X": [[1, 0], [1.5, -0.5], [0, -1], [1, -1], [2, 1]],
        "W_K": [[2, 0.5], [-1, 1.5]],
    }
    with open_projection(state=state) as (page, record):
        twin = shown(page)
        x = twin.X[1]
        cards = page.locator(".attn-arrow-card").evaluate_all(TIPS)
        assert cards[0]["x"]["at"] == [*x]
        for card, letter in zip(cards[1:], "QKV", strict=True):
            rows = getattr(twin, f"W_{letter}")
            first = [x[0] * w for w in rows[0]]
            end = [a + x[1] * w for a, w in zip(first, rows[1], strict=True)]
            dashed = [mark["at"] for mark in card.values() if mark["dashed"]]
            assert dashed == [pytest.approx(first), pytest.approx(end)]
            assert card[letter.lower()]["at"] == pytest.approx(end)
            assert end == pytest.approx([*getattr(twin.head, letter)[1]])
            assert [card[f"w{s}"]["at"] for s in "₁₂"] == [[*row] for row in rows]
            # beside the middle of a term stands how often its row is taken
            assert card["1.50 w₁"]["at"] == pytest.approx([t / 2 for t in first])
            assert "−0.50 w₂" in card
        sum_of_k = page.locator(".attn-arrow-card .attn-step").nth(1).inner_text()
        assert sum_of_k.replace("\u00a0", " ") == (
            "ki = 1.50 × (2.00, 0.50) + (−0.50) × (−1.00, 1.50) = (3.50, 0.00)"
        )
        said = page.locator(".attn-formula > p").all_inner_texts()
        z = ", ".join(f"{x:.2f}" for x in twin.head.Z[1]).replace("-", "−")
        results = ["k2 = (3.50, 0.00)", "v2 = (1.50, 1.00)", f"z2 = ({z})"]
        assert [line.replace("\u00a0", " ") for line in said[1:]] == results
        assert record.complaints == []


def test_a_number_of_z_says_what_it_is_made_of(open_projection):
    with open_projection() as (page, _):
        page.locator("[data-name='Z-4-2']").hover()
        lit = page.locator(".attn-source [data-name]").evaluate_all(
            "places => places.map((place) => place.dataset.name)"
        )
        assert sorted(lit) == sorted(f"{n}" for j in range(1, 6) for n in (f"A-4-{j}", f"V-{j}-2"))
        twin = shown(page)
        (says,) = page.locator(".attn-says").all_inner_texts()
        products = says.replace("(", "").replace(")", "").replace("−", "-").split(" = ")[1]
        pairs = [term.split(" × ") for term in products.split(" + ")]
        made = [float(a) * float(v) for a, v in pairs]
        assert sum(made) == pytest.approx(twin.head.Z[3, 1], abs=0.05)
        page.locator("[data-name='A-4-3']").hover()
        says = page.locator(".attn-says").inner_text()
        assert says.endswith(f"= {twin.head.A[3, 2]:.2f}")
        assert page.locator(".attn-source").count() == 12


def test_what_goes_wrong_in_a_drag_leaves_the_last_matrices(open_projection):
    with open_projection(lang="zh-CN") as (page, record):
        handle = page.get_by_role("slider", name="WV 第 1 行")
        handle.evaluate("node => node.scrollIntoView({ block: 'center' })")
        plane = plane_of(handle)
        page.mouse.move(*middle(handle))
        page.mouse.down()
        # out of the window: as far as the entries may go
        page.mouse.move(-4000, 5000)
        assert shown(page).W_V[0] == (-3, -3)
        page.set_viewport_size({"width": 900, "height": 700})
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.mouse.move(*on_plane(plane, 1.5, -0.5))
        before = shown(page).W_V[0]
        assert before == pytest.approx((1.5, -0.5), abs=0.1)
        handle.dispatch_event("pointerdown", {"pointerId": 77, "bubbles": True, "button": 0})
        second = {"pointerId": 77, "clientX": 5, "clientY": 5, "bubbles": True}
        handle.dispatch_event("pointermove", second)
        assert shown(page).W_V[0] == before
        page.evaluate("document.querySelector('attn-explorer').remove()")
        page.mouse.move(100, 100)
        page.mouse.up()
        assert record.complaints == []
