"""The whole formula in a reader's hands: guessed first, then pulled at and played step by step."""

import re

import numpy as np
import pytest
from explorer_page import VIEW, page_of, value
from hands import finger

from attnlib.explorers import PipelineExplorer
from attnlib.explorers.framework.tables import format_number

MATRICES = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "S_scaled", "S_masked", "A", "Z")
STAGES = MATRICES[4:]

# The places of the cells that a selector finds, by matrix.
PLACES = """(view, selector) => [...view.querySelectorAll(".attn-matrix")].map((table) =>
  [...table.querySelectorAll(selector)].map((part) => part.closest("td")).map(
    (cell) => [cell.parentNode.rowIndex, cell.cellIndex]))"""
OUTLINED = "td[aria-current=true]"
DOTTED = "td.attn-follows"


def places(view, selector):
    """By matrix, where the cells are that a selector finds; matrices without one are left out."""
    found = dict(zip(MATRICES, view.evaluate(PLACES, selector), strict=True))
    return {name: {tuple(place) for place in cells} for name, cells in found.items() if cells}


def needed(explorer):
    """What a chosen cell depends on, as attnlib's explorer has it."""
    blocks = explorer.dependencies.items()
    found = {name: {(i + 1, j + 1) for i, j in np.argwhere(part)} for name, part in blocks}
    return {name: cells for name, cells in found.items() if cells}


def followers(name, place, **state):
    """All cells that depend on one, asked cell by cell."""
    found = {}
    explorer = PipelineExplorer(**state)
    for stage in STAGES:
        for i, j in np.ndindex(explorer.matrices[stage].shape):
            explorer.stage, explorer.i = stage, i + 1
            setattr(explorer, "r" if stage in "QKVZ" else "j", j + 1)
            if place in needed(explorer).get(name, ()):
                found.setdefault(stage, set()).add((i + 1, j + 1))
    explorer.close()
    return found


@pytest.fixture
def open_explorer(page_at):
    """Open the explorer in a state; gives what `page_at` does."""

    def open_it(lang="en", **options):
        explorer = PipelineExplorer()
        html = page_of(explorer.to_html(), lang=lang)
        explorer.close()
        return page_at(html, **options)

    return open_it


def assert_numbers(view, explorer):
    for name, number in explorer.numbers.items():
        if not name.startswith(("X-", "W_", "rows-", "columns-")):
            assert value(view, name) == pytest.approx(number, abs=1e-12), name


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["your guess 10, it is 8: over", "your guess 4, it is 4: right", "it is 4: under"]),
        ("zh-CN", ["你猜 10，实为 8：偏多", "你猜 4，实为 4：正确", "实为 4：偏少"]),
    ],
)
def test_nothing_is_outlined_before_three_guesses(lang, said, open_explorer):
    explorer = PipelineExplorer()
    counts = [len(needed(explorer)[name]) for name in "XSA"]
    with open_explorer(lang) as (page, record):
        view = page.locator(VIEW)
        fields = [view.locator(f"[name=guess-{name}]") for name in "XSA"]
        # another cell, a number in hand: still nothing
        page.get_by_label("X 2, 1").focus()
        view.locator("[data-name='S-3-2']").click()
        assert places(view, OUTLINED) == places(view, DOTTED) == {}
        assert not view.locator(".attn-formula .attn-note").is_visible()
        for field, guess in zip(fields, ("10", "4", "26"), strict=True):
            field.fill(guess)
        fields[1].press("Enter")
        # what cannot be is said beside its field, which has the focus
        assert fields[2].evaluate("field => field === document.activeElement")
        assert [field.get_attribute("aria-invalid") for field in fields] == [None, None, "true"]
        assert "25" in view.locator(".attn-fault:not(:empty)").inner_text()
        for wrong in ("", "2.5"):
            fields[2].fill(wrong)
            fields[2].press("Enter")
            assert fields[2].is_visible()
        assert places(view, OUTLINED) == {}
        fields[2].fill("0")
        view.locator("[name=commit]").press("Space")
        # the cell that was asked about is chosen again
        assert places(view, OUTLINED) == needed(explorer)
        assert places(view, "td[aria-current=location]") == {"Z": {(4, 1)}}
        answers = view.locator(".attn-answer")
        shown = answers.all_inner_texts()
        assert [text in answer for text, answer in zip(said, shown, strict=True)] == [True] * 3
        assert [int(count) for count in answers.locator("b").all_inner_texts()] == counts
        outcome = view.locator(".attn-outcome[role=status]").inner_text()
        assert all(answer in outcome for answer in shown)
        assert page.evaluate("document.activeElement.className") == "attn-guesses"
        assert view.locator(".attn-guesses :is(input, button):visible").count() == 0
        view.locator("[name=reset]").press("Enter")
        assert places(view, OUTLINED) == needed(explorer)
        assert record.complaints == []
    explorer.close()


def test_who_does_not_guess_is_shown_and_who_comes_with_a_state_is_not_asked(open_explorer):
    explorer = PipelineExplorer()
    with open_explorer() as (page, _):
        view = page.locator(VIEW)
        view.locator("[name=show]").press("Enter")
        assert places(view, OUTLINED) == needed(explorer)
        assert view.locator(".attn-answer").all_inner_texts() == ["8", "4", "4"]
    explorer.stage, explorer.j = "A", 3
    with open_explorer(query="?pipeline.stage=A&pipeline.j=3") as (page, record):
        view = page.locator(VIEW)
        assert not view.locator(".attn-guesses").is_visible()
        assert places(view, OUTLINED) == needed(explorer)
        assert record.complaints == []
    explorer.close()


@pytest.fixture
def opened_page(open_explorer):
    """The explorer after the question, on a screen that can be touched."""
    with open_explorer(has_touch=True) as (page, record):
        view = page.locator(VIEW)
        view.locator("[name=show]").press("Enter")
        yield page, view, record
        assert record.complaints == []


def by_mouse(page, field, way):
    field.hover()
    box = field.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.down()
    page.mouse.move(x + way / 2, y + 3)
    page.mouse.move(x + way, y - 40)
    page.mouse.up()


def by_finger(page, field, way):
    box = field.bounding_box()
    x, y = box["x"] + 10, box["y"] + 10
    with finger(page, x, y) as move:
        for share in (0.25, 0.5, 1):
            move(x + way * share, y)


def by_two_fingers(page, field, way):
    """Drag with one finger, while another comes down on the same field and moves, too."""
    box = field.bounding_box()
    x, y = box["x"] + 10, box["y"] + 10
    second = {"x": x + 20, "y": y, "id": 1}
    session = page.context.new_cdp_session(page)

    def send(kind, at, *others):
        points = [{"x": at, "y": y, "id": 0}, *others]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", x)
    send("touchMove", x + way / 2)
    send("touchStart", x + way / 2, second)
    send("touchMove", x + way, second | {"x": second["x"] + 40})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_mouse_finger_keys_and_typing_lead_to_the_same_formula(opened_page):
    page, view, _ = opened_page
    field = page.get_by_label("X 4, 1")
    explorer = PipelineExplorer()
    X = np.array(explorer.X)
    for way in (
        lambda: by_mouse(page, field, 40),
        lambda: by_finger(page, field, 40),
        lambda: field.press("ArrowUp"),
        lambda: field.fill("1.5"),
    ):
        way()
        X[3, 0] = 1.5
        explorer.X = X
        assert float(field.get_attribute("data-value")) == 1.5
        assert_numbers(view, explorer)
        assert (
            view.locator(".attn-equation").inner_text().endswith(f"= {explorer.trace.Z[3, 0]:.2f}")
        )
        view.locator("[name=reset]").press("Enter")
        assert field.input_value() == "1"
    explorer.close()


def test_what_goes_wrong_while_an_entry_is_dragged_leaves_the_last_state(opened_page):
    page, _, _ = opened_page
    field = page.get_by_label("W_V 1, 1")

    def kept():
        return float(field.get_attribute("data-value"))

    # beyond the window, and what the entry can be
    by_mouse(page, field, 4000)
    assert kept() == 3
    # another finger counts for nothing, nor does a window that changes
    by_two_fingers(page, field, -80)
    assert kept() == 2
    box = field.bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(box["x"] + 25, box["y"] + 9)
    page.set_viewport_size({"width": 700, "height": 600})
    assert kept() == pytest.approx(2.2)
    page.evaluate("document.querySelector('attn-explorer').remove()")
    page.mouse.move(box["x"] + 65, box["y"] + 9)
    page.mouse.up()


@pytest.mark.parametrize("causal", ["on", "off"])
def test_the_way_of_a_number_is_all_that_depends_on_it(causal, opened_page):
    page, view, _ = opened_page
    if causal == "off":
        view.locator("[name=causal]").press("Space")
    for name, i, j in [("X", 4, 2), ("X", 1, 1), ("W_Q", 2, 1), ("W_V", 1, 2)]:
        page.get_by_label(f"{name} {i}, {j}").focus()
        expected = followers(name, (i, j), causal=causal)
        assert places(view, DOTTED) == expected
        said = re.findall(r"(\d+) in (\S+?|\(.*?\))[,.]", view.locator(".attn-way").inner_text())
        assert [int(count) for count, _ in said] == [
            len(expected[stage]) for stage in STAGES if stage in expected
        ]
    view.locator("[name=reset]").focus()
    assert places(view, DOTTED) == {}


def partial_sums(explorer):
    """The terms of the chosen cell that the page counts, and their sums."""
    trace, (i, j) = explorer.trace, np.subtract(explorer.chosen, 1)
    if explorer.stage in "QKV":
        W = np.array(getattr(explorer, f"W_{explorer.stage}"))
        terms = np.array(explorer.X)[i] * W[:, j]
    elif explorer.stage == "S":
        terms = trace.Q[i] * trace.K[j]
    elif explorer.stage == "Z":
        terms = trace.A[i] * trace.V[:, j]
    elif explorer.stage == "A":
        terms = np.exp(explorer.matrices["S_masked"][i])
    else:
        terms = np.zeros(0)
    return np.cumsum(terms)


def meeting(explorer, step):
    """The entries that meet in a step."""
    i, j = explorer.chosen
    at = {
        **{name: [("X", i, step), (f"W_{name}", step, j)] for name in "QKV"},
        "S": [("Q", i, step), ("K", j, step)],
        "S_scaled": [("S", i, j)],
        "S_masked": [("S_scaled", i, j)],
        "A": [("S_masked", i, step)] if step < 6 else [("S_masked", i, t) for t in range(1, 6)],
        "Z": [("A", i, step), ("V", step, j)],
    }[explorer.stage]
    found = {}
    for name, row, column in at:
        found.setdefault(name, set()).add((row, column))
    return found


def test_a_cell_is_made_step_by_step_and_then_that_of_the_next_stage(opened_page):
    page, view, _ = opened_page
    explorer = PipelineExplorer(X=[[1, -0.5], [0, 1], [2, -1], [1.5, -1], [2, 0.5]], j=3, r=2)
    for (i, j), x in np.ndenumerate(np.array(explorer.X)):
        page.get_by_label(f"X {i + 1}, {j + 1}").fill(str(x))
    view.locator("[name=stage]").select_option("S")
    view.locator("[name=j]").select_option("3")
    view.locator("[name=stage]").select_option("Z")
    view.locator("[name=r]").select_option("2")
    step, back = view.locator("[name=step]"), view.locator("[name=back]")
    # nothing runs by itself, and no button offers it
    assert not view.locator("[name=play]").is_visible()
    seen = []
    for stage in STAGES:
        explorer.stage = stage
        sums = partial_sums(explorer)
        count = {"A": 6}.get(stage, max(1, len(sums)))
        for k in range(1, count + 1):
            step.click()
            assert view.locator("[name=stage]").input_value() == stage
            place = view.locator(".attn-player [role=status]").inner_text()
            assert place.startswith(f"step {k} of {count}: ")
            assert places(view, ".attn-meets") == meeting(explorer, k)
            row, column = explorer.chosen
            cell = view.locator(f"td:has(> [data-name='{stage}-{row}-{column}'])")
            so_far = cell.locator(".attn-so-far")
            line = view.locator(".attn-equation").inner_text()
            if k < count:
                assert so_far.inner_text() == (
                    "…" if stage == "A" else format_number(sums[k - 1], 2)
                )
                assert line.endswith(f", sum so far {format_number(sums[k - 1], 2)}")
            else:
                whole = format_number(explorer.matrices[stage][row - 1, column - 1], 2)
                assert so_far.count() == 0
                assert line.endswith(f" = {whole}")
            seen.append(line)
        assert places(view, OUTLINED) == needed(explorer)
    assert page.evaluate("document.getAnimations().length") == 0
    assert view.locator(".attn-drop").count() == 0
    # the same way back
    for line in reversed(seen[:-1]):
        back.click()
        assert view.locator(".attn-equation").inner_text() == line
    # whoever chooses a cell sees the whole of it
    view.locator("[data-name='S-2-5']").click()
    assert places(view, ".attn-meets") == {}
    assert view.locator(".attn-equation").inner_text().startswith("S25 = ")
    explorer.close()


HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_it_plays_until_it_is_paused_hidden_or_gone(open_explorer):
    with open_explorer(reduced_motion="no-preference", width=360) as (page, record):
        view = page.locator(VIEW)
        page.clock.install()
        view.locator("[name=show]").click()
        place = view.locator(".attn-player [role=status]")
        play, step = view.locator("[name=play]"), view.locator("[name=step]")
        assert play.inner_text() == "Play"
        play.click()
        assert play.inner_text() == "Pause"
        assert view.locator("[name=stage]").input_value() == "Q"
        assert place.inner_text().startswith("step 1 of 2")
        page.clock.run_for(1400)
        assert place.inner_text().startswith("step 2 of 2")
        page.clock.run_for(1400)
        assert view.locator("[name=stage]").input_value() == "K"
        # the strip has followed
        assert view.locator(".attn-place").inner_text() == f"{MATRICES.index('K') + 1} of 12"
        for halt in (play.click, step.click, lambda: page.evaluate(HIDE)):
            if play.inner_text() == "Play":
                play.click()
            halt()
            assert play.inner_text() == "Play"
            before = place.inner_text()
            page.clock.run_for(5000)
            assert place.inner_text() == before
        page.evaluate("delete document.visibilityState")
        play.click()
        page.clock.run_for(60_000)
        # at the end of the line it stands
        assert play.inner_text() == "Play"
        assert place.inner_text().startswith("step 5 of 5")
        play.click()
        page.evaluate(
            """() => {
              globalThis.steps = 0;
              document.querySelector("[name=step]").addEventListener("click", () => steps++);
              document.querySelector("attn-explorer").remove();
            }"""
        )
        page.clock.run_for(5000)
        assert page.evaluate("steps") == 0
        assert record.complaints == []


def test_a_product_drops_into_its_cell_and_is_gone(open_explorer):
    with open_explorer(reduced_motion="no-preference") as (page, record):
        view = page.locator(VIEW)
        view.locator("[name=show]").click()
        # three steps before the end: the third product, between what meets and the cell
        view.locator("[name=back]").click()
        view.locator("[name=back]").click()
        drop = view.locator(".attn-drop").last
        drop.wait_for()
        assert drop.inner_text() == "0.51 × 0.00"
        assert view.locator(".attn-so-far").inner_text() == "0.12"
        page.wait_for_function("!document.querySelector('.attn-drop')")
        assert page.evaluate("document.getAnimations().length") == 0
        assert record.complaints == []
