"""An installed browser, the built site on a local address, and what a page did while it loaded."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from manuscript import ROOT
from playwright.sync_api import sync_playwright

NAMES = (
    # the same engine without windows: it takes two thirds of the time
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "microsoft-edge-stable",
    "chrome",
    "msedge",
)
WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
MACOS = ("Google Chrome", "Chromium", "Microsoft Edge")

# No sandbox for root, who cannot have one; nothing that asks for the network on its own.
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def places() -> list[Path]:
    """Where a Chrome, Chromium or Edge may lie, the likeliest first."""
    found = [Path(path) for name in NAMES if (path := shutil.which(name))]
    if sys.platform == "win32":
        names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        homes = [Path(os.environ[name]) for name in names if name in os.environ]
        found += [home / place for home in homes for place in WINDOWS]
    if sys.platform == "darwin":
        homes = [Path("/Applications"), Path.home() / "Applications"]
        found += [home / f"{name}.app/Contents/MacOS/{name}" for home in homes for name in MACOS]
    return found


def browser_path() -> Path:
    """The browser to use; without one the tests are skipped, and fail where CI is set."""
    named = os.environ.get("BROWSER_PATH")
    if named:
        if not Path(named).is_file():
            pytest.fail(f"BROWSER_PATH names no file: {named}", pytrace=False)
        return Path(named)
    for path in places():
        if path.is_file():
            return path
    reason = "no Chrome, Chromium or Edge is installed (BROWSER_PATH may name one)"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    """One browser for each worker."""
    path = browser_path()
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = [*FLAGS, "--no-sandbox"] if as_root else list(FLAGS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=flags)
        yield running
        running.close()


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built site."""
    folder = ROOT / "_build" / "site"
    if not (folder / "index.html").is_file():
        pytest.fail("there is no site; build it first: python -m nox -s book", pytrace=False)
    return folder


class QuietHandler(SimpleHTTPRequestHandler):
    """Files of one folder, without a line for each request."""

    def log_message(self, *args):
        pass


class QuietServer(ThreadingHTTPServer):
    """A browser that leaves a page hangs up on what it was still loading."""

    def handle_error(self, request, client_address):
        pass


@contextmanager
def served(folder: Path):
    """Serve a folder on a free port of this machine; gives its origin."""
    handler = partial(QuietHandler, directory=str(folder))
    with QuietServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def origin(site):
    """The address of the built site."""
    with served(site) as address:
        yield address


@dataclass
class Record:
    """What a page asked for and said."""

    requests: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    responses: list = field(default_factory=list)

    @property
    def complaints(self) -> list[str]:
        return self.said + self.failed


def recorded(page) -> Record:
    """Write down what the page does from now on."""
    record = Record()
    page.on("request", lambda request: record.requests.append(request.url))
    page.on("pageerror", lambda error: record.said.append(f"uncaught: {error}"))

    def note_failure(request):
        # a page that leads on to another drops what it was loading
        if request.failure != "net::ERR_ABORTED":
            record.failed.append(f"{request.failure}: {request.url}")

    def note_message(message):
        if message.type in ("error", "warning"):
            record.said.append(f"{message.type}: {message.text}")

    def note_response(response):
        record.responses.append(response)
        if response.status >= 400:
            record.failed.append(f"{response.status}: {response.url}")

    page.on("requestfailed", note_failure)
    page.on("console", note_message)
    page.on("response", note_response)
    return record


# What comes after the scripts: explorers start, which import what they need, and fonts load for
# what is drawn.
COMPLETE = """async () => {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await document.fonts.ready;
  return !document.querySelector("attn-explorer:defined:not([data-status])");
}"""


def leave(page, selector: str) -> None:
    """Take the sections of a page away that have nothing of this kind.

    After every key a browser draws a page anew, and of a long one that takes its time.
    """
    script = """(selector) => {
      for (const section of document.querySelectorAll("article section section")) {
        if (!section.matches(`:has(${selector})`)) section.remove();
      }
    }"""
    page.evaluate(script, selector)


@contextmanager
def opened(browser, url: str, *, width: int = 1280, before: str = "", **options):
    """Open a page in a context of its own and wait until it is complete; gives page and record.

    `before` is a script that runs before those of every page. Options are those of
    ``browser.new_context``, such as ``color_scheme``.
    """
    # at rest from the start: a colour on its way to another is neither
    options = {"locale": "en-US", "reduced_motion": "reduce"} | options
    context = browser.new_context(viewport={"width": width, "height": 800}, **options)
    try:
        context.add_init_script(before)
        page = context.new_page()
        record = recorded(page)
        page.goto(url, wait_until="load")
        if options.get("java_script_enabled", True):
            page.wait_for_function(COMPLETE)
        yield page, record
    finally:
        context.close()
