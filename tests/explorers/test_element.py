"""The custom element in a browser: alive where it can be, the plain table wherever it cannot."""

import re
from itertools import pairwise

import numpy as np
import pytest
from explorer_page import VIEW, page_of, plain, value
from explorer_state import CLASSES

from attnlib import attend
from attnlib.explorers import (
    AggregationExplorer,
    CausalExplorer,
    MixingExplorer,
    ProjectionExplorer,
    ScalingExplorer,
)
from attnlib.explorers.framework import bundle, sentence
from attnlib.explorers.framework.tables import format_number


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_keys_alone_drive_an_explorer_and_its_neighbour_stays(scheme, page_at):
    explorer, other = ScalingExplorer(d_k=48, scaling="none"), ScalingExplorer(seed=3)
    html = page_of(explorer.to_html(), other.to_html())
    with page_at(html, scheme) as (page, record):
        views = page.locator(VIEW)
        views.nth(1).wait_for()
        first, second = views.nth(0), views.nth(1)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.name") == "d_k"
        page.keyboard.press("End")
        assert value(first, "d_k") == 512
        page.keyboard.press("Home")
        assert value(first, "d_k") == 1
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        explorer.d_k = 4
        names = []
        for _ in range(13):
            page.keyboard.press("Tab")
            # a handle has no name, but a role
            names.append(
                page.evaluate("document.activeElement.name ?? document.activeElement.role")
            )
        buttons, moments = ["draw", "reset", "link"], ["mu_q", "sigma_q", "mu_k", "sigma_k", "rho"]
        picture = ["slider", "by-none", "by-sqrt_d_k", "by-d_k"]
        assert names == ["scaling", *buttons, *picture, *moments]
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("End")
        explorer.rho, explorer.sigma_k = -0.05, 2
        for name, number in explorer.numbers.items():
            if name != "scale":
                assert value(first, name) == pytest.approx(number, rel=1e-12, abs=1e-12), name
        assert value(second, "entropy") == pytest.approx(other.entropy, abs=1e-12)
        status = first.locator(".attn-status[role=status]")
        page.wait_for_function("document.querySelector('.attn-status').textContent")
        assert re.match(r"d_k 4, divisor 1: standard deviation", status.text_content())
        first.locator("[name=reset]").press("Enter")
        assert value(first, "d_k") == 48
        assert value(first, "rho") == 0
        first.locator("[name=draw]").press("Space")
        assert value(first, "seed") == 2
        assert record.complaints == []
    explorer.close()
    other.close()


def test_a_position_is_chosen_in_a_list_or_in_the_matrix_and_marked_in_both(page_at):
    explorer = AggregationExplorer(i=2, r=1)
    marked = "cells => cells.map((cell) => [cell.parentNode.rowIndex, cell.cellIndex])"
    with page_at(page_of(explorer.to_html())) as (page, record):
        A, V, Z = (page.locator(f"table:has([data-name='{n}-1-1'])") for n in "AVZ")
        chosen = [table.locator("[aria-current=true]") for table in (A, V, Z)]
        page.locator("[name=i]").press("ArrowDown")
        page.locator("[name=r]").press("ArrowDown")
        assert chosen[0].evaluate_all(marked) == [[3, j] for j in range(1, 6)]
        assert chosen[1].evaluate_all(marked) == [[j, 2] for j in range(1, 6)]
        assert chosen[2].evaluate_all(marked) == [[3, 2]]
        explorer.i, explorer.r = 3, 2
        assert value(page, "sum-5") == pytest.approx(explorer.numbers["sum-5"], abs=1e-12)
        Z.locator("[data-name='Z-5-1']").click()
        assert page.locator("[name=i]").input_value() == "5"
        assert page.locator("[name=r]").input_value() == "1"
        assert chosen[2].evaluate_all(marked) == [[5, 1]]
        # the bar of a term starts at the sum before it and is as long as the term
        explorer.i, explorer.r = 5, 1
        sums = [0, *(explorer.numbers[f"sum-{j}"] for j in range(1, 6))]
        bars = page.locator(".attn-centred > .attn-fill").evaluate_all(
            """bars => bars.map(({ style }) => ["from", "share"].map(
              (name) => Number(style.getPropertyValue(`--attn-${name}`))))"""
        )
        pairs = list(pairwise(sums))
        assert bars == [pytest.approx([min(a, b) / 3, abs(b - a) / 3], abs=1e-12) for a, b in pairs]
        assert record.complaints == []
    explorer.close()


@pytest.mark.claim("7.4")
@pytest.mark.parametrize(
    ("mask", "verdicts"),
    [
        ("causal", "stays stays stays may"),
        ("none", "leak leak leak may"),
        ("zero_before", "leak leak leak may"),
        ("off_by_one", "stays stays leak may"),
        ("zero_after", "leak stays leak may"),
    ],
)
def test_an_output_that_a_later_token_moves_is_called_a_leak(mask, verdicts, page_at):
    explorer = CausalExplorer(mask=mask, token=4)
    with page_at(page_of(explorer.to_html())) as (page, _):
        table = page.locator("table:has([data-name='moved-1'])")
        table.wait_for()
        shown = table.locator("tbody tr td:last-child").all_text_contents()
        assert [text.split()[0] for text in shown] == [*verdicts.split(), "may"]
        # a hollow circle where each output was, a filled one where it is
        places = page.locator(".attn-plane circle").evaluate_all(
            "marks => marks.map((mark) => ['cx', 'cy'].map((a) => Number(mark.getAttribute(a))))"
        )
        most = max(abs(explorer.Z).max(), abs(explorer.Z_after).max())
        scale = 30 if most <= 3 else 15
        assert places[0::2] == [pytest.approx([scale * x, -scale * y]) for x, y in explorer.Z]
        assert places[1::2] == [pytest.approx([scale * x, -scale * y]) for x, y in explorer.Z_after]
    explorer.close()


@pytest.mark.parametrize(
    "element",
    [
        plain(state="{broken"),
        plain(state="null"),
        plain(state='{"d_k": 64}'),
        plain(state='{"d_k": 1e9, "scaling": "none"}'),
        plain(name="nothing"),
        plain(name="shared"),
        plain(name="toString"),
        "<attn-explorer><p class='attn-plain'>plain</p></attn-explorer>",
    ],
)
def test_what_cannot_start_leaves_the_table_and_one_line(element, page_at):
    explorer = ScalingExplorer()
    with page_at(page_of(element, explorer.to_html(), lang="zh-CN")) as (page, _):
        page.locator(".attn-failed").wait_for()
        page.locator(VIEW).wait_for()  # the other one on the page lives
        broken = page.locator("attn-explorer").nth(0)
        assert broken.locator(".attn-plain").is_visible()
        assert broken.locator(".attn-failed").all_text_contents() == [
            "交互版本未能启动，表格所示为其初始状态。"
        ]
        assert broken.locator(VIEW).count() == 0
    explorer.close()


def test_a_module_that_does_not_load_leaves_the_table_and_one_line(page_at):
    explorer = ScalingExplorer()
    with page_at(page_of(explorer.to_html(), shared="this is no module")) as (page, _):
        page.locator(".attn-failed").wait_for()
        assert page.locator(".attn-plain table").first.is_visible()
        assert page.locator(VIEW).count() == 0
    explorer.close()


def test_an_element_that_leaves_and_returns_lives_on_without_a_double(page_at):
    explorer = ScalingExplorer()
    with page_at(page_of(explorer.to_html())) as (page, record):
        page.locator("[name=d_k]").press("End")
        page.evaluate(
            """() => {
              const element = document.querySelector("attn-explorer");
              element.remove();
              document.body.prepend(element);
            }"""
        )
        page.locator(VIEW).wait_for()
        assert page.locator(VIEW).count() == 1
        assert value(page.locator(VIEW), "d_k") == 512
        assert not page.locator(".attn-plain").is_visible()
        assert record.complaints == []
    explorer.close()


@pytest.mark.parametrize(
    ("lang", "word", "other"), [("en", "entropy", "熵"), ("zh-CN", "熵", "entropy")]
)
def test_words_follow_the_language_of_the_page(lang, word, other, page_at):
    explorer = ScalingExplorer()
    for options, place in [({}, VIEW), ({"java_script_enabled": False}, ".attn-plain")]:
        with page_at(page_of(explorer.to_html(), lang=lang), **options) as (page, _):
            text = page.locator(place).inner_text()
            assert word in text
            assert other not in text
            page.emulate_media(media="print")
            assert page.locator(".attn-plain").is_visible()
            assert not page.locator(VIEW).is_visible()
    explorer.close()


def test_the_histogram_is_marked_and_described_in_scores(page_at):
    explorer = ScalingExplorer(d_k=100, scaling="none", mu_q=1, mu_k=1)
    with page_at(page_of(explorer.to_html())) as (page, _):
        picture = page.locator(".attn-picture")
        assert picture.locator("text").all_text_contents() == [
            "−28", "36", "100", "164", "228",
            f"derived: ± {format_number(explorer.sd)}",
            f"measured: ± {format_number(explorer.measured_variance**0.5)}",
        ]  # fmt: skip
        assert f"mean 100, standard deviation {format_number(explorer.sd)} derived" in (
            picture.get_attribute("aria-label")
        )
        heights = picture.locator("rect").evaluate_all(
            "rects => rects.map((rect) => Number(rect.getAttribute('height')))"
        )
        counts = explorer.counts
        assert heights == pytest.approx((counts / counts.max() * 122).tolist())
    explorer.close()


def test_a_matrix_is_a_table_with_headers_and_its_shades_follow_the_numbers(page_at):
    script = """async (source) => {
      const blob = new Blob([source, "export { matrixTable };"], { type: "text/javascript" });
      const { matrixTable } = await import(URL.createObjectURL(blob));
      const table = matrixTable("scores", "Scores $S$", "query",
        { corner: "$i$", rows: ["1", "2"], columns: ["$k_1$", "$k_2$", "$k_3$"], most: 4 });
      const named = { "scores-1-1": 4, "scores-1-2": -2, "scores-1-3": 0,
        "scores-2-1": 9, "scores-2-2": 0.123456, "scores-2-3": -1 };
      const cells = [...table.querySelectorAll("[data-name]")];
      for (const cell of cells) {
        cell.update({ named });
        cell.draw({ named });
      }
      document.body.append(table);
      return {
        shares: cells.map((cell) => Number(cell.style.getPropertyValue("--attn-share"))),
        negative: cells.map((cell) => cell.classList.contains("attn-negative")),
        full: cells[4].dataset.value,
      };
    }"""
    with page_at(page_of()) as (page, _):
        shown = page.evaluate(script, bundle.shared())
        assert shown["shares"] == [1, 0.5, 0, 1, 0.123456 / 4, 0.25]
        assert shown["negative"] == [False, True, False, False, False, True]
        assert shown["full"] == "0.123456"
        table = page.get_by_role("grid", name="Scores S")
        assert table.get_by_role("columnheader").all_inner_texts() == ["i", "k1", "k2", "k3"]
        assert table.get_by_role("rowheader").all_inner_texts() == ["1", "2"]
        assert table.get_by_role("gridcell").all_inner_texts() == [
            "4.00", "−2.00", "0.00", "9.00", "0.12", "−1.00",
        ]  # fmt: skip


def test_jupyterlab_leaves_the_keys_to_the_controls(page_at):
    # JupyterLab looks from the focused element upwards and stops at this mark: without it on the
    # control itself, d d on a select deletes the cell
    explorer = ScalingExplorer()
    with page_at(page_of(explorer.to_html())) as (page, _):
        page.locator(VIEW).wait_for()
        # "Copy link" is there on a page only
        controls = page.locator(VIEW).locator("input, select, button:not([name=link])").all()
        assert len(controls) == 12
        assert {c.get_attribute("data-lm-suppress-shortcuts") for c in controls} == {"true"}
    explorer.close()


def test_an_entry_is_typed_or_stepped_and_what_is_no_number_does_not_stay(page_at):
    explorer = ProjectionExplorer(i=3)
    shown = "input => [input.value, input.dataset.value]"
    with page_at(page_of(explorer.to_html())) as (page, record):
        view = page.locator(VIEW)
        entry = page.get_by_label("W_V 2, 1")
        assert entry.get_attribute("type") == "number"
        entry.fill("-1.25")
        explorer.W_V = [[1, 1], [-1.25, 1]]
        entry.press("ArrowUp")
        explorer.W_V = [[1, 1], [-1, 1]]  # the next multiple of the step
        for name, number in explorer.numbers.items():
            assert value(view, name) == pytest.approx(number, abs=1e-12), name
        states = view.locator(
            "table:has([data-name='moved-Q']) tbody td:last-child"
        ).all_text_contents()
        assert states == ["the same", "the same", "changed", "the same", "changed"]
        for text in ("", "3.5", "-7"):
            entry.fill(text)
            assert entry.evaluate(shown) == [text, "-1"]
            page.get_by_label("X 1, 1").focus()
            assert entry.evaluate(shown) == ["-1", "-1"]
        view.locator("[name=reset]").press("Enter")
        assert entry.evaluate(shown) == ["0", "0"]
        assert value(view, "moved-V") == 0
        assert record.complaints == []
    explorer.close()


def test_the_weights_that_the_head_computes_become_shares(page_at):
    explorer = MixingExplorer(i=3, mask="causal", share_5=77)
    A = attend(*(getattr(sentence.head(), name) for name in "QKV"), is_causal=True).A
    with page_at(page_of(explorer.to_html())) as (page, _):
        page.locator("[name=computed]").press("Enter")
        shares = [value(page, f"share_{j}") for j in range(1, 6)]
        assert shares == [*np.round(100 * A[2, :3]), explorer.share_4, 77]
        states = page.locator(".attn-terms tbody td:last-child").all_text_contents()
        assert states == ["corner", "corner", "corner", "hidden", "hidden"]
        hollow = page.locator(".attn-plane .attn-value.attn-hollow text").all_text_contents()
        assert hollow == ["4 送给", "5 小红"]
        region = page.locator(".attn-plane .attn-value .attn-line").get_attribute("d")
        assert region.count("L") == 3
    explorer.close()


BEYOND_THE_FRAME = """view => {
  const right = (e) => e.getBoundingClientRect().right;
  const shown = (e) => e.getClientRects().length && !e.closest(".attn-status");
  // matrices that wait in a strip for their turn
  const waits = (e) => e.matches(".attn-strip > .attn-matrices *");
  const isClipped = (e) => e.matches("g, [clip-path] *");
  const beyond = (e) => shown(e) && !waits(e) && !isClipped(e) && right(e) > right(view);
  return [...view.querySelectorAll("*")].filter(beyond).map((e) => e.outerHTML);
}"""


# Options of the lists in sight for which there is no room beside the arrow.
CUT_OFF = """view => {
  const drawing = document.createElement("canvas").getContext("2d");
  const lists = [...view.querySelectorAll("select")].filter((list) => list.checkVisibility());
  return lists.flatMap((list) => {
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(list);
    drawing.font = `${fontSize} ${fontFamily}`;
    const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 12;
    return [...list.options].map(({ text }) => text)
      .filter((text) => drawing.measureText(text).width > room);
  });
}"""


@pytest.mark.parametrize("name", CLASSES)
def test_every_explorer_fits_a_narrow_page_in_both_languages(name, page_at):
    explorer = CLASSES[name]()
    for lang in ("en", "zh-CN"):
        with page_at(page_of(explorer.to_html(), lang=lang), width=360) as (page, record):
            view = page.locator(VIEW)
            view.wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            for width in (760, 600, 360) if lang == "en" else (360,):
                page.set_viewport_size({"width": width, "height": 800})
                assert view.evaluate(BEYOND_THE_FRAME) == [], width
                assert view.evaluate(CUT_OFF) == [], width
            for control in view.locator(":is(input, select, button):visible").all():
                box = control.bounding_box()
                assert box["height"] >= 24
                assert box["width"] >= 24
            assert record.complaints == []
    explorer.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_narrow_page_scrolls_in_one_direction_only(theme, page_at):
    explorer = ScalingExplorer(d_k=512, scaling="none", mu_q=2, mu_k=-2, sigma_q=2, sigma_k=2)
    html = page_of(explorer.to_html()).replace("<html ", f"<html data-theme='{theme}' ")
    with page_at(html, width=360) as (page, _):
        view = page.locator(VIEW)
        view.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        clipped = view.evaluate(BEYOND_THE_FRAME)
        assert clipped == []
        for control in view.locator("input, select, button").all():
            assert control.bounding_box()["height"] >= 24
    explorer.close()
