"""What axe finds on a page, as it is shown in several windows and themes.

A chapter has up to 22,000 elements, thousands of them alike, and axe takes many seconds to look at
them all. So parts that are drawn alike are looked at once.
"""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python

# not read by the package itself, which would use the encoding of the machine
AXE = Path(axe_playwright_python.__path__[0], "axe.min.js").read_text(encoding="utf-8")

# Everything that can be folded is open. Of code those blocks stay whole that have a kind of token
# of their own or a control; of formulas, the text is what assistive tools read, and axe knows no
# element of MathML. A header cell with a formula has text that axe does not see.
THIN = """() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const known = new Set();
  for (const code of document.querySelectorAll(".highlight pre")) {
    const kinds = [...code.querySelectorAll("*")].map((e) => e.className || e.localName);
    const isNew = kinds.filter((kind) => !known.has(kind) && known.add(kind)).length;
    if (!isNew && !code.querySelector("a, button, [role], [tabindex]")) {
      code.textContent = code.textContent;
    }
  }
  for (const formula of document.querySelectorAll(".katex math")) {
    formula.textContent = formula.textContent;
  }
  axe.configure({ rules: [
    { id: "color-contrast", selector: "[data-sample]" },
    { id: "empty-table-header", selector: "th:not(:has(math))" },
  ] });
}"""

# Of all texts in the same colour, size and weight, in the same kind of element and on the same
# grounds, one that is seen is marked for the rule of contrast. A drawn formula without one is
# emptied and keeps its size; the text of formulas for assistive tools is never seen.
SAMPLE = """() => {
  const grounds = new Map([[null, ""]]);
  const ground = (e) => {
    if (!grounds.has(e)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(e);
      const own = [backgroundColor, backgroundImage, opacity].join(" ");
      const clear = /^rgba\\(.*, 0\\) none 1$/.test(own);
      const kind = clear ? "" : ` ${e.localName}.${e.getAttribute("class")} ${own}`;
      grounds.set(e, ground(e.parentElement) + kind);
    }
    return grounds.get(e);
  };
  const seen = (e) => {
    const { width, height, right, left } = e.getBoundingClientRect();
    return e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      width > 1 && height > 1 && right > 0 && left < innerWidth;
  };
  // axe does not decide on a single character
  const worth = (e, text) => (seen(e) ? 1 + (text.length > 1) : 0);
  const samples = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, data } = texts.currentNode;
    if (!data.trim() || parentElement.closest(".katex-mathml, script, style, template")) continue;
    const { color, fill, fontSize, fontWeight } = getComputedStyle(parentElement);
    const drawn = parentElement.closest(".katex-html");
    const kind = drawn ? "formula" : `${parentElement.localName} ${fontSize}`;
    const key = [kind, color, fill, fontWeight, ground(parentElement)].join();
    const best = samples.get(key)?.worth ?? -1;
    const found = best === 2 ? 2 : worth(parentElement, data.trim());
    if (found > best) samples.set(key, { parentElement, worth: found });
  }
  for (const mark of document.querySelectorAll("[data-sample]")) delete mark.dataset.sample;
  for (const { parentElement } of samples.values()) parentElement.dataset.sample = "";
  const emptied = [...document.querySelectorAll(".katex-html:not(:has([data-sample]))")];
  const sizes = emptied.map((formula) => formula.getBoundingClientRect());
  emptied.forEach((formula, i) => {
    if (!formula.hasChildNodes()) return;
    const { width, height } = sizes[i];
    formula.replaceChildren();
    formula.style = `display: inline-block; width: ${width}px; height: ${height}px`;
  });
  return [...samples.values()].filter(({ worth }) => worth > 0).length;
}"""

# What follows the size of the window has had its turn; the theme waits for 300 ms.
SETTLED = "new Promise((done) => setTimeout(() => requestAnimationFrame(done), 500))"

# The rule of contrast asks for every element where it stands: those without a sample would only
# take time, and are not shown to it.
RUN = """async () => {
  const options = { resultTypes: ["violations"], preload: false };
  const contrast = "color-contrast";
  const all = await axe.run(document, { ...options, rules: { [contrast]: { enabled: false } } });
  const withSample = new Set();
  for (let e of document.querySelectorAll("[data-sample]")) {
    for (; e && !withSample.has(e); e = e.parentElement) withSample.add(e);
  }
  const aside = [...document.body.querySelectorAll("*")].filter(
    (e) => !withSample.has(e) && withSample.has(e.parentElement));
  const styles = aside.map((e) => e.getAttribute("style"));
  for (const e of aside) e.style?.setProperty("display", "none", "important");
  const seen = await axe.run(document, { ...options, runOnly: [contrast] });
  aside.forEach((e, i) => {
    if (styles[i] === null) e.removeAttribute("style");
    else e.setAttribute("style", styles[i]);
  });
  const faults = [...all.violations, ...seen.violations].flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target} ${html.slice(0, 100)}`));
  return { faults, rules: all.passes.length + seen.passes.length };
}"""


def see(page, width: int, theme: str) -> None:
    """Show a page in a window of this width and in this theme."""
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)


def axe(page, views: list[tuple[int, str]]) -> list[dict]:
    """What axe finds in each view, and how much it looked at; the page is thinned for good."""
    page.evaluate(AXE)
    page.evaluate(THIN)
    found = []
    for width, theme in views:
        see(page, width, theme)
        page.evaluate(SETTLED)
        samples = page.evaluate(SAMPLE)
        found.append({"view": f"{width} {theme}", "samples": samples, **page.evaluate(RUN)})
    return found
