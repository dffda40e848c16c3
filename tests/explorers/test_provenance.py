"""A cell of a matrix says what it is made of: its words come out right, its sources light up."""

import math
import re

import pytest
from explorer_page import VIEW, page_of
from explorer_state import CLASSES

from attnlib.explorers.framework.tables import format_number

# Of the first and the last cell of each table: what is said of it, and what is lit.
SAID = """async () => {
  const view = document.querySelector(".attn-view");
  const found = [];
  for (const table of view.querySelectorAll(".attn-walk")) {
    const cells = [...table.querySelectorAll("tbody td:has([data-name])")];
    const stops = table.querySelectorAll("td[tabindex='0']").length;
    for (const cell of [cells[0], cells.at(-1)]) {
      cell.focus();
      const line = view.querySelector(".attn-made");
      const text = line.innerHTML.replace(/<sup>(.*?)<\\/sup>/g, "**($1)")
        .replace(/<sub>.*?<\\/sub>/g, "_").replace(/<.*?>/g, "");
      const lit = [...view.querySelectorAll(".attn-source")].map((source) => {
        const number = source.querySelector("[data-value]");
        return [number.dataset.name ?? number.name, Number(number.dataset.value)];
      });
      const { name, value } = cell.querySelector("[data-name]").dataset;
      const isDescribed = cell.ariaDescription === line.textContent;
      const isMade = Boolean(table.origin);
      found.push({ name, value: Number(value), text, lit, stops, isMade, isDescribed });
    }
  }
  return found;
}"""


def worked_out(text):
    """What the arithmetic of a line comes to."""
    plain = text.replace("−", "-").replace("×", "*").replace("÷", "/").replace("∞", "math.inf")
    plain = re.sub(r"√(\d+)", r"math.sqrt(\1)", plain)
    plain = re.sub(r"\be\*\*", "math.e**", plain)
    return eval(plain, {"math": math})


@pytest.mark.parametrize("name", CLASSES)
def test_what_a_cell_says_comes_out_and_its_sources_are_lit(name, page_at):
    explorer = CLASSES[name]()
    with page_at(page_of(explorer.to_html())) as (page, record):
        page.locator(VIEW).wait_for()
        found = page.evaluate(SAID)
        assert {cell["stops"] for cell in found} <= {1}
        for cell in found:
            assert cell["isDescribed"], cell
            _, *middle, end = cell["text"].split(" = ")
            assert end == format_number(cell["value"], 2), cell
            assert bool(middle) == bool(cell["lit"]) == cell["isMade"], cell
            for part in middle:
                # its numbers are written to two decimals
                assert worked_out(part) == pytest.approx(cell["value"], abs=0.08, rel=0.04), cell
                # weights may name scores that are not shown, and light what these are made of
                if "e**" not in part:
                    written = [float(x) for x in re.findall(r"[\d.]+", part.replace("∞", "1e999"))]
                    for _, x in cell["lit"]:
                        assert min(abs(abs(x) - y) for y in written) <= 0.005 + 1e-9 or math.isinf(
                            x
                        ), cell
        assert record.complaints == []
    explorer.close()


def test_arrow_keys_walk_a_matrix_and_a_press_chooses(page_at):
    explorer = CLASSES["scores"]()
    at = """() => {
      const { activeElement: cell } = document;
      return [cell.parentNode.rowIndex, cell.cellIndex];
    }"""
    with page_at(page_of(explorer.to_html())) as (page, record):
        table = page.locator(".attn-walk:has([data-name='S-1-1'])")
        first = table.locator("td[tabindex='0']")
        assert first.count() == 1
        first.focus()
        walk = [("ArrowDown", [2, 1]), ("ArrowRight", [2, 2]), ("End", [2, 5]), ("Home", [2, 1])]
        for key, place in [*walk, ("ArrowLeft", [2, 1]), ("ArrowUp", [1, 1]), ("ArrowUp", [1, 1])]:
            page.keyboard.press(key)
            assert page.evaluate(at) == place, key
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        assert [page.locator(f"[name={x}]").input_value() for x in "ij"] == ["3", "2"]
        assert table.locator("td[tabindex='0']").count() == 1
        # a mouse over another cell speaks of that; when it has left, of the one with the focus
        table.locator("[data-name='S-5-4']").hover()
        line = page.locator(".attn-made")
        assert line.inner_text().startswith("S54 =")
        page.mouse.move(2, 2)
        assert line.inner_text().startswith("S32 =")
        # a finger that taps a cell reads the same
        table.locator("[data-name='S-1-5']").dispatch_event("click")
        assert record.complaints == []
    explorer.close()
