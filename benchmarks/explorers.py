"""Print how long explorers take for an input event, in the browser, as Markdown.

    python benchmarks/explorers.py [NAME ...]

Every control of an explorer is moved in turn, from its largest setting; what is timed is the script
from the event to the end of its microtasks, in which the view is brought up to date, and then the
layout that the browser owes. Then each handle is dragged by the mouse, and timed is the script of
each move. The machine should be otherwise idle.
"""

import json
import math
import os
import shutil
import sys
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import machine
from playwright.sync_api import sync_playwright
from tables import markdown, verdict

from attnlib import explorers
from attnlib.explorers.framework import bundle

EVENTS = 240
WARM_UP = 40
LIMIT = 16.0
DRAG_LIMIT = 8.0
MOVES = 80
REACH = 30
BROWSERS = ("chromium", "google-chrome", "chrome", "microsoft-edge", "msedge")

# Where an explorer's work grows with a setting: features of the scores, tokens of the sentence.
LARGEST = {"scaling": {"d_k": 512}, "heads": {"sentence": 6}}

# Settings that stay at their largest.
HELD = {"scaling": ["d_k"], "heads": ["sentence"]}

MEASURE = """async ([held, warmUp, events]) => {
  const view = document.querySelector(".attn-view");
  const shown = (control) => control.checkVisibility() && !held.includes(control.name);
  const controls = [...view.querySelectorAll("input, select")].filter(shown);
  const step = (control, k) => {
    if (control.type === "checkbox") control.checked = !control.checked;
    else if (control.options) control.selectedIndex = (control.selectedIndex + 1) % control.length;
    else if (k % 7 === 6) control.value = control.min;
    else control.stepUp();
    return control.type === "range" || control.type === "number" ? "input" : "change";
  };
  const times = [];
  for (let i = 0; i < warmUp + events; i++) {
    const control = controls[i % controls.length];
    const event = new Event(step(control, Math.floor(i / controls.length)), { bubbles: true });
    const start = performance.now();
    control.dispatchEvent(event);
    await null;
    const done = performance.now();
    void document.body.offsetHeight;
    const laidOut = performance.now();
    if (i >= warmUp) times.push([done - start, laidOut - start]);
    await new Promise(requestAnimationFrame);
  }
  return { controls: controls.length, times };
}"""


# From a move of the mouse, before anything hears of it, to the end of all that it makes run.
TIME_MOVES = """() => {
  const times = globalThis.movesTimed = [];
  let start = 0;
  addEventListener("pointermove", () => { start = performance.now(); }, true);
  addEventListener("pointermove", () => { times.push(performance.now() - start); });
}"""


def page_of(explorer):
    """A page with one explorer, as wide as a column of the book, with the scripts of the site."""
    own = bundle.own(explorer.name, explorer.settings())
    sources = {"shared": bundle.shared(), explorer.name: own}
    text = json.dumps(sources).replace("</", "<\\/")
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{explorer.name}</title>"
        f"<style>{bundle.css()} body {{ width: 720px }}</style>{explorer.to_html()}"
        f"<script>globalThis.attnExplorerSources = {text};</script>"
        f"<script>{bundle.page_script()}</script></html>"
    )


def browser_path():
    """The browser to use: that of BROWSER_PATH, or the first that is found."""
    found = [os.environ.get("BROWSER_PATH"), *map(shutil.which, BROWSERS)]
    path = next((path for path in found if path), None)
    return path or sys.exit("no browser is found; name one in BROWSER_PATH")


def measured(page, explorer):
    """Return a row of the table: milliseconds of script alone, and with the layout."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(page_of(explorer), encoding="utf-8")
        page.goto(file.as_uri())
    page.locator(".attn-view").wait_for()
    found = page.evaluate(MEASURE, [HELD.get(explorer.name, []), WARM_UP, EVENTS])
    script, whole = zip(*found["times"], strict=True)
    late = quantiles(script, n=20)[-1]
    late_whole = quantiles(whole, n=20)[-1]
    row = [explorer.name, found["controls"], len(script), verdict(median(script), LIMIT)]
    return [*row, f"{late:.2f}", f"{median(whole):.2f}", f"{late_whole:.2f}"]


def dragged(page, explorer):
    """Return a row of the table: milliseconds of script for a move, over all handles."""
    page.evaluate(TIME_MOVES)
    handles = page.locator(".attn-handle:visible").all()
    for handle in handles:
        handle.scroll_into_view_if_needed()
        box = handle.locator(".attn-halo").first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for k in range(MOVES):
            turn = 2 * math.pi * k / 40
            page.mouse.move(x + REACH * math.sin(turn), y + REACH * math.sin(2 * turn))
        page.mouse.up()
    times = page.evaluate("movesTimed")[WARM_UP:] or [0.0, 0.0]
    late = quantiles(times, n=20)[-1]
    row = [explorer.name, len(handles), len(times)]
    return [*row, verdict(median(times), DRAG_LIMIT), verdict(late, LIMIT)]


def main(names):
    """Print the table for explorers of these names, all of them if there are none."""
    try:
        classes = [explorers.by_name(name) for name in names or explorers.names()]
    except ValueError as fault:
        sys.exit(str(fault))
    head = ["explorer", "controls", "events", "script, median ms", "95%", "with layout", "95%"]
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = ["--disable-gpu", *(["--no-sandbox"] if as_root else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(120_000)
        print(f"# Explorers: milliseconds for an input event\n\n- Chromium {browser.version}")
        print(f"- {machine.load()}\n")
        rows, drags = [], []
        for cls in classes:
            explorer = cls(**LARGEST.get(cls.name, {}))
            rows.append(measured(page, explorer))
            drags.append(dragged(page, explorer))
        browser.close()
    print("\n".join(markdown(head, rows)))
    print("\n## Dragged by the mouse\n")
    print("\n".join(markdown(["explorer", "handles", "moves", "median ms", "95%"], drags)))
    print(f"\n{machine.load()}")


if __name__ == "__main__":
    main(sys.argv[1:])
