"""axe finds nothing on any page: both editions, light and dark, on a desk and on a phone.

A chapter has up to 16,000 elements, thousands of them alike, and axe takes seconds to look at them
all. So parts that are drawn alike are looked at once (`THIN`). The style sheets of the editions
are the same: every page is seen in both, light on a desk in one and dark on a phone in the other.
"""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest
from browser import opened
from test_pages import EDITIONS, PAGES

# not read by the package itself, which would use the encoding of the machine
AXE = Path(axe_playwright_python.__path__[0], "axe.min.js").read_text(encoding="utf-8")

VIEWS = {"en": [(1280, "light")], "zh": [(360, "dark")]}
# what surrounds a page is the same on all: one short page shows it in the other two views
FRAME = {"notation": [(1280, "dark"), (360, "light")]}

# Everything that can be folded is open. Of code and of drawn formulas (which are hidden from
# assistive tools) those stay that have a class or a place of their own, the rest keeps its size;
# of texts with the same chain of elements and classes one is marked, for the rule of contrast.
# A header cell with a formula has text, in MathML, which axe does not read.
THIN = """() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const chains = new Map([[null, ""]]);
  const chain = (e) => {
    if (!chains.has(e)) {
      const colour = e.style?.color || e.style?.background || "";
      chains.set(e, `${chain(e.parentElement)} ${e.localName}.${e.getAttribute("class")}${colour}`);
    }
    return chains.get(e);
  };
  const known = new Set();
  const isNew = (kind) => !known.has(kind) && known.add(kind);
  for (const code of document.querySelectorAll(".highlight pre")) {
    const kinds = [...code.querySelectorAll("*")].map(chain);
    if (!kinds.filter(isNew).length) code.textContent = code.textContent;
  }
  const formulas = [...document.querySelectorAll(".katex-html")];
  const sizes = formulas.map((formula) => formula.getBoundingClientRect());
  formulas.forEach((formula, i) => {
    if (isNew(chain(formula))) return;
    const { width, height } = sizes[i];
    formula.replaceChildren();
    formula.style = `display: inline-block; width: ${width}px; height: ${height}px`;
  });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, data } = texts.currentNode;
    if (data.trim() && isNew(`text in ${chain(parentElement)}`)) parentElement.dataset.sample = "";
  }
  axe.configure({ rules: [
    { id: "color-contrast", selector: "[data-sample]" },
    { id: "empty-table-header", selector: "th:not(:has(math))" },
  ] });
  return document.querySelectorAll("[data-sample]").length;
}"""

# What follows the size of the window has had its turn; the theme waits for 300 ms.
SETTLED = "new Promise((done) => setTimeout(() => requestAnimationFrame(done), 500))"

RUN = """async () => {
  const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target} ${html.slice(0, 100)}`));
  return { faults, checked: passes.length };
}"""


def pages_of(edition: str) -> list[str]:
    return [path for path in PAGES if path.startswith(f"{edition}/")]


def assert_no_violation(browser, origin: str, path: str) -> None:
    with opened(browser, f"{origin}/{path}", color_scheme="light") as (page, record):
        assert not record.complaints
        page.wait_for_function(
            """() => [...document.querySelectorAll("attn-explorer")].every(
                 (explorer) => explorer.dataset.status === "live")"""
        )
        page.evaluate(AXE)
        assert page.evaluate(THIN) > 10
        faults = []
        views = VIEWS[path.partition("/")[0]] + FRAME.get(Path(path).stem, [])
        for width, theme in views:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=theme)
            page.wait_for_function(
                "(theme) => document.documentElement.dataset.theme === theme", arg=theme
            )
            page.evaluate(SETTLED)
            found = page.evaluate(RUN)
            assert found["checked"] >= 20
            faults += [f"{width} {theme} {fault}" for fault in found["faults"]]
        assert not faults


# one class for each edition: xdist keeps a class together, and the two side by side
class TestEnglish:
    @pytest.mark.parametrize("path", pages_of("en"))
    def test_axe_finds_nothing(self, path, browser, origin):
        assert_no_violation(browser, origin, path)


class TestChinese:
    @pytest.mark.parametrize("path", pages_of("zh"))
    def test_axe_finds_nothing(self, path, browser, origin):
        assert_no_violation(browser, origin, path)


def test_no_edition_is_left_out():
    assert [*pages_of("en"), *pages_of("zh")] == PAGES
    assert [*EDITIONS] == [*VIEWS] == ["en", "zh"]


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("document.querySelector('article').append(document.createElement('button'))", "button"),
        ("document.querySelector('article p').style.color = '#999'", "color-contrast: "),
    ],
)
def test_a_fault_is_found(fault, named, browser, origin):
    with opened(browser, f"{origin}/en/chapters/notation.html", color_scheme="light") as (page, _):
        page.evaluate(fault)
        page.evaluate(AXE)
        page.evaluate(THIN)
        assert [found for found in page.evaluate(RUN)["faults"] if found.startswith(named)]
