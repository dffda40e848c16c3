"""The chapters in JupyterLab: rendered, solutions closed, and alive after a run."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, nullcontext
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from explorer_state import CLASSES, SHOWN, assert_equal_to_attnlib, explorers_of
from manuscript import NOTEBOOKS, code_cells, is_solution, markdown, read
from nbformat.v4 import new_code_cell, new_notebook

START = 120
PARTING = 20
SETTINGS = {
    # every cell is in the document, not only those near the screen
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
RAW = re.compile(r"```|^:{3,}|^:[\w-]+:|\{[\w:]+\}`|\$|Unknown Directive", re.MULTILINE)

# The text of a Markdown cell, as jupyterlab-myst shows it.
RENDERED = ".jp-MarkdownCell.jp-mod-rendered .jp-InputArea > .myst"

# The notebook that is open, as it would be saved.
OPEN_NOTEBOOK = "window.jupyterapp.shell.currentWidget.context.model.toJSON()"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def private_environment(home) -> dict[str, str]:
    """Nothing of the user's own Jupyter is read or written."""
    for name, settings in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return os.environ | {variable: str(home / name) for variable, name in folders.items()}


def wait_for_answer(address: str, server: subprocess.Popen, log) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"JupyterLab does not answer:\n{log.read_text(encoding='utf-8')}")


def ask(address: str, token: str, method: str = "GET", content: dict | None = None):
    """What JupyterLab's interface for programs answers."""
    request = urllib.request.Request(
        address,
        method=method,
        data=None if content is None else json.dumps(content).encode(),
        headers={"Authorization": f"token {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=START) as answer:
        return json.loads(answer.read() or "null")


def end(server: subprocess.Popen, sessions: str, token: str) -> None:
    """End JupyterLab: the kernels that a failed test left, then the server, whatever it is at.

    When anything goes wrong while it ends, the server logs that and stays for ever. This is no
    fault of the book. A kernel ends by itself when its server is gone.
    """
    try:
        for session in ask(sessions, token) if server.poll() is None else []:
            ask(f"{sessions}/{session['id']}", token, "DELETE")
    finally:
        server.terminate()
        try:
            server.wait(timeout=PARTING)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.fixture(scope="module")
def chapters(tmp_path_factory):
    """A folder with copies of the chapters."""
    folder = tmp_path_factory.mktemp("lab") / "chapters"
    folder.mkdir()
    for path in NOTEBOOKS:
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def lab(chapters, browser):
    """A JupyterLab of its own in that folder; gives its addresses."""
    home = chapters.parent
    port, token, log = free_port(), secrets.token_hex(16), home / "log.txt"
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": chapters,
        "IdentityProvider.token": token,
        "LabApp.expose_app_in_browser": True,
        "ServerApp.allow_root": True,
        # the checker of types that is installed beside it would start for every notebook
        "LanguageServerManager.autodetect": False,
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser"]
    command += [f"--{name}={value}" for name, value in options.items()]
    with log.open("w", encoding="utf-8") as out:
        server = subprocess.Popen(
            command,
            cwd=home,
            env=private_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for_answer(f"http://127.0.0.1:{port}/api?token={token}", server, log)
            yield lambda path: f"http://127.0.0.1:{port}/{path}?token={token}&reset"
        finally:
            end(server, f"http://127.0.0.1:{port}/api/sessions", token)


OPEN = """async (path) => {
  await window.jupyterapp.commands.execute("docmanager:open", { path });
}"""

READY = """({ count, rendered }) => {
  const panel = window.jupyterapp.shell.currentWidget;
  const shown = [...document.querySelectorAll(rendered)];
  return panel?.context?.isReady && panel.sessionContext.isReady && shown.length === count &&
    shown.every((text) => text.innerText.trim());
}"""

CLOSE = """async () => {
  const { serviceManager, shell } = window.jupyterapp;
  const panel = shell.currentWidget;
  const closed = new Promise((done) => panel.disposed.connect(done));
  panel.context.model.dirty = false;  // what a test did is not to be saved
  panel.close();
  await closed;
  await serviceManager.sessions.shutdownAll();
}"""


@contextmanager
def application(browser, lab):
    """JupyterLab in a window of its own, with nothing open."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    page = context.new_page()
    page.set_default_timeout(1000 * START)
    try:
        page.goto(lab("lab"))
        page.wait_for_function("window.jupyterapp?.restored.then(() => true)")
        yield page
    finally:
        context.close()


@contextmanager
def opened_in(page, path):
    """A notebook, open and rendered, in an application; its kernel ends with it."""
    page.evaluate(OPEN, path.name)
    try:
        count = sum(cell["cell_type"] == "markdown" for cell in read(path)["cells"])
        # not at every frame: cells are rendered when the application is idle
        page.wait_for_function(READY, arg={"count": count, "rendered": RENDERED}, polling=200)
        yield
    finally:
        page.evaluate(CLOSE)


@pytest.fixture(scope="module")
def page(browser, lab):
    """The application in which one notebook after the other is opened."""
    with application(browser, lab) as page:
        yield page


# of a class: the last notebook is closed before the tests that open one themselves
@pytest.fixture(scope="class", params=NOTEBOOKS, ids=lambda path: path.stem)
def opened(request, page):
    """A notebook as a reader first sees it, and its file."""
    with opened_in(page, request.param):
        yield page, request.param


class TestAsOpened:
    """Before anything has run."""

    def test_no_directive_role_or_formula_is_left_raw(self, opened):
        page, _ = opened
        texts = page.locator(RENDERED).all_inner_texts()
        assert len(texts) > 5
        assert not [text[:200] for text in texts if RAW.search(text)]

    def test_what_does_not_resolve_is_a_citation_or_the_number_of_a_figure(self, opened):
        page, _ = opened
        marked = page.evaluate(
            """[...document.querySelectorAll(".myst .text-yellow-600, .myst .text-red-500")]
                 .map((mark) => `${mark.title}: ${mark.innerText}`)"""
        )
        allowed = ("Citation Not Found: ", "Cross Reference Not Found: fig-")
        assert not [mark for mark in marked if not mark.startswith(allowed)]

    def test_solutions_are_closed(self, opened):
        page, path = opened
        solutions = page.locator(".jp-MarkdownCell details")
        assert solutions.count() == len(re.findall(r"^```\{solution\}", markdown(read(path)), re.M))
        assert page.locator(".jp-MarkdownCell details[open]").count() == 0
        hidden = page.evaluate(
            """window.jupyterapp.shell.currentWidget.content.widgets
                 .filter((cell) => cell.model.type === "code").map((cell) => cell.inputHidden)"""
        )
        assert hidden == [is_solution(cell) for cell in code_cells(read(path))]

    def test_an_explorer_that_has_not_run_shows_its_table(self, opened):
        page, path = opened
        tables = page.locator(".jp-CodeCell .jp-OutputArea table caption")
        assert bool(explorers_of(path)) == bool(tables.count())
        for table in tables.all():
            assert table.is_visible()


def has_a_slider(path) -> bool:
    """Whether every explorer of a notebook has one."""
    settings = [CLASSES[name].settings().values() for name in explorers_of(path)]
    return bool(settings) and all(any(one["kind"] == "number" for one in s) for s in settings)


def test_after_a_run_the_explorer_is_alive_and_nothing_failed(page):
    path = min(filter(has_a_slider, NOTEBOOKS), key=lambda path: path.stat().st_size)
    with opened_in(page, path):
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        cells = code_cells(page.evaluate(OPEN_NOTEBOOK))
        assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
        outputs = [output for cell in cells for output in cell["outputs"]]
        assert outputs
        for output in outputs:
            assert output["output_type"] != "error", output
            assert output.get("name") != "stderr", output
        for place, name in enumerate(explorers_of(path)):
            view = page.locator(".jp-OutputArea .attn-view").nth(place)
            view.wait_for()
            before = view.evaluate(SHOWN)
            assert_equal_to_attnlib(CLASSES[name], before)
            view.locator("input[type=range]").first.press("ArrowRight")
            shown = view.evaluate(SHOWN)
            assert shown["numbers"] != before["numbers"]
            assert_equal_to_attnlib(CLASSES[name], shown)


SAVE = "window.jupyterapp.commands.execute('docmanager:save')"
TWO_EXPLORERS = [
    "from ipywidgets import IntSlider, VBox\n"
    "from attnlib.explorers import ScalingExplorer, SoftmaxExplorer\n"
    "SoftmaxExplorer(temperature=2)",
    "VBox([IntSlider(), ScalingExplorer(d_k=48)])",
]


def start_kernel(lab, name: str) -> None:
    """Start a kernel for a notebook that is opened afterwards: it knows no widget."""
    address = urlsplit(lab("api/sessions"))
    [token] = parse_qs(address.query)["token"]
    session = {"path": name, "name": name, "type": "notebook", "kernel": {"name": "python3"}}
    ask(address._replace(query="").geturl(), token, "POST", session)


def test_a_notebook_that_was_saved_and_closed_has_live_explorers(browser, lab, page, chapters):
    """Also when it is saved again without a run, and when another cell has run since."""
    path = chapters / "saved.ipynb"
    cells = [new_code_cell(source) for source in TWO_EXPLORERS]
    path.write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
    shown = None
    for number in range(3):
        start_kernel(lab, path.name)
        # the last time in an application that never saw it
        fresh = application(browser, lab) if number == 2 else nullcontext(page)
        with fresh as page, opened_in(page, path):
            views = page.locator(".jp-OutputArea .attn-view")
            if number == 0:
                page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
            views.nth(1).wait_for()
            if number == 0:
                views.nth(0).locator("[name=temperature]").press("ArrowRight")
                shown = [view.evaluate(SHOWN) for view in views.all()]
            assert [view.evaluate(SHOWN) for view in views.all()] == shown
            assert page.locator(".jp-OutputArea .widget-slider").count() == 1
            # without the kernel that made it, it still computes
            slider = views.nth(1).locator("[name=d_k]")
            slider.press("ArrowRight")
            moved = views.nth(1).evaluate(SHOWN)
            assert moved["numbers"]["d_k"] > 48
            assert_equal_to_attnlib(CLASSES["scaling"], moved)
            slider.press("ArrowLeft")
            if number == 1:
                page.evaluate(RUN_CELLS, [cells[0].id])
                page.wait_for_function("document.querySelectorAll('.attn-view').length === 2")
                shown[0] = views.nth(0).evaluate(SHOWN)
            page.evaluate(SAVE)
            kept = json.loads(path.read_text(encoding="utf-8"))["metadata"]["widgets"]
        [state] = [part["state"] for part in kept.values()]
        names = sorted(model["model_name"] for model in state.values())
        # what the outputs show, and what that refers to; nothing that they showed before
        assert names == ["AnyModel"] * 2 + ["IntSliderModel"] + ["LayoutModel"] * 4 + [
            "SliderStyleModel",
            "VBoxModel",
        ]


# The chapters whose cell "explorer-link" has a slider of ipywidgets: the cells that it needs, how
# many explorers follow, and what becomes of which number.
LINKED = {
    "04_scaling": (["setup", "tools", "explorer"], 2, "d_k", lambda value: value),
    "05_attention_weights": (
        ["setup", "tools", "example", "one-row", "all-rows", "explorer"],
        1,
        "temperature",
        lambda value: value**0.5,
    ),
}

RUN_CELLS = """async (ids) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  for (const [index, cell] of content.widgets.entries()) {
    if (!ids.includes(cell.model.id)) continue;
    content.activeCellIndex = index;
    await window.jupyterapp.commands.execute("notebook:run-cell");
  }
  return content.widgets.findIndex((cell) => cell.model.id === ids.at(-1));
}"""


@pytest.mark.parametrize("stem", LINKED)
def test_a_slider_of_ipywidgets_moves_the_explorers_that_it_is_linked_to(stem, page, chapters):
    """In a notebook that has no more than it needs: the whole chapter opens far more slowly."""
    needed, count, name, follows = LINKED[stem]
    needed = [*needed, "explorer-link"]
    chapter = next(path for path in NOTEBOOKS if path.stem == stem)
    cls = CLASSES[explorers_of(chapter)[0]]
    notebook = read(chapter)
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] in needed]
    path = chapters / f"linked_{stem}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with opened_in(page, path):
        place = page.evaluate(RUN_CELLS, needed)
        cell = page.locator(".jp-Notebook .jp-Cell").nth(place)
        views = cell.locator(".attn-view")
        views.nth(count - 1).wait_for()
        assert views.count() == count
        handle = cell.locator(".widget-slider .noUi-handle")
        for key, bound in (("End", "aria-valuemax"), ("Home", "aria-valuemin")):
            handle.press(key)
            value = float(handle.get_attribute(bound))
            for view in views.all():
                page.wait_for_function(
                    "([place, x]) => Math.abs(Number(place.dataset.value) - x) < 1e-9",
                    arg=[
                        view.locator(f"[data-name='{name}']").first.element_handle(),
                        follows(value),
                    ],
                )
                assert_equal_to_attnlib(cls, view.evaluate(SHOWN))
