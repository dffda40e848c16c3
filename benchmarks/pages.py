"""Print what the pages of the site are like, chapter by chapter, as Markdown.

    python benchmarks/pages.py [FOLDER]     # of the site; _build/site without it

Counted on the page as it comes, on a desk: words in sight, height, the share of it that is code,
cells in sight, where the explorer begins, predictions that gate an answer, questions that can be
answered, exercises with a form. Then a first visit, compressed, at 1.6 Mbit/s with 150 ms and a
processor slowed four times: bytes, requests, and the time until the explorer is alive. The machine
should be otherwise idle.
"""

import gzip
import sys
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread

import machine
from explorers import browser_path
from playwright.sync_api import sync_playwright
from tables import markdown

ROOT = Path(__file__).resolve().parent.parent
VISITS = 3
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
SLOWED = 4
PACKED = (".html", ".js", ".css", ".svg", ".json")

LOOK = """() => {
  const article = document.querySelector("article");
  const height = (selector) => [...article.querySelectorAll(selector)]
    .filter((e) => e.checkVisibility()).reduce((sum, e) => sum + e.offsetHeight, 0);
  const explorer = document.querySelector("attn-explorer");
  const top = article.getBoundingClientRect().top;
  let words = 0;
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: e, data } = texts.currentNode;
    const aside = "pre, .katex, svg, attn-explorer, form, .exercise, .solution, script, style";
    if (!e.closest(aside) && e.checkVisibility({ contentVisibilityAuto: true })) {
      words += (data.match(/[\\p{L}\\p{N}][\\p{L}\\p{N}'’.-]*/gu) ?? []).length;
    }
  }
  const code = [...article.querySelectorAll("div.cell_input pre")];
  return {
    words,
    height: article.offsetHeight,
    code: height("div.cell_input") / article.offsetHeight,
    cells: code.filter((e) => e.checkVisibility()).length,
    explorer: explorer ? (explorer.getBoundingClientRect().top - top) / article.offsetHeight : NaN,
    gated: document.querySelectorAll("div.answer").length,
    exercises: document.querySelectorAll("div.exercise").length,
    forms: document.querySelectorAll("form.answer").length,
  };
}"""
ALIVE = """() => {
  const note = () => {
    const live = document.querySelector("attn-explorer[data-status=live]");
    if (live) globalThis.alive = performance.now();
    else requestAnimationFrame(note);
  };
  note();
}"""


class PackingHandler(SimpleHTTPRequestHandler):
    """Files of a folder, compressed as a server of pages does it."""

    def log_message(self, *args):
        pass

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        packed = path.suffix in PACKED
        body = content(path, packed)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)
        return None


@cache
def content(path, packed):
    data = path.read_bytes()
    return gzip.compress(data) if packed else data


@contextmanager
def served(folder):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(PackingHandler, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def look(browser, url):
    """What a page is like on a desk, and its height on a phone."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(url, wait_until="load")
        page.wait_for_timeout(1000)
        seen = page.evaluate(LOOK)
        page.set_viewport_size({"width": 360, "height": 800})
        page.wait_for_timeout(300)
        seen["narrow"] = page.evaluate("document.querySelector('article').offsetHeight")
    return seen


def visit(browser, url):
    """Bytes, requests and seconds to a live explorer, on a slow first visit."""
    with browser.new_context(viewport={"width": 412, "height": 800}) as context:
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        got = {"bytes": 0, "requests": 0}
        asked = set()

        def begun(event):
            # data: and blob: are no requests to anyone
            if event["request"]["url"].startswith("http"):
                asked.add(event["requestId"])

        def done(event):
            if event["requestId"] in asked:
                got["bytes"] += event["encodedDataLength"]
                got["requests"] += 1

        session.on("Network.requestWillBeSent", begun)
        session.on("Network.loadingFinished", done)
        page.add_init_script(f"({ALIVE})()")
        page.goto(url, wait_until="load", timeout=60_000)
        page.wait_for_function("globalThis.alive", timeout=60_000)
        page.wait_for_timeout(1500)
        return page.evaluate("globalThis.alive") / 1000, got["bytes"] / 1000, got["requests"]


def main(arguments):
    """Print one table for each edition."""
    site = Path(arguments[0]) if arguments else ROOT / "_build" / "site"
    print(f"# Pages of the site\n\n- {machine.load()}")
    with sync_playwright() as playwright, served(str(site)) as origin:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        for edition in ("en", "zh"):
            pages = ["index", *(path.stem for path in sorted((ROOT / "chapters").glob("*.ipynb")))]
            rows = []
            for name in pages:
                url = f"{origin}/{edition}/chapters/{name}.html"
                seen = look(browser, url)
                seconds, kilobytes, requests = (
                    median(each)
                    for each in zip(*(visit(browser, url) for _ in range(VISITS)), strict=True)
                )
                rows.append(
                    [
                        name,
                        seen["words"],
                        f"{seen['height']} / {seen['narrow']}",
                        f"{seen['code']:.1%}",
                        seen["cells"],
                        f"{seen['explorer']:.0%}",
                        seen["gated"],
                        f"{seen['forms']} of {seen['exercises']}",
                        f"{kilobytes:.0f}",
                        int(requests),
                        f"{seconds:.1f}",
                    ]
                )
            head = [edition, "words", "height 1280 / 360", "code", "cells", "explorer at", "gated"]
            head += ["forms", "kB", "requests", "alive after s"]
            print("\n".join(["", *markdown(head, rows)]), flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
