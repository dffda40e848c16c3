"""The build: it works alone and anywhere, stops at every fault, and leaves nothing half-built."""

from __future__ import annotations

import ast
import re
import shutil
import socket
import sys
from operator import attrgetter
from pathlib import Path

import nbformat
import pytest
from browser import opened
from builds import copy_book, jupyter_book, make_bare_book, run, strict_build, write_settings
from explorer_state import CLASSES, PLACES, SHOWN, assert_equal_to_attnlib

from attnlib.explorers import PipelineExplorer

GOOD = "# A page\n\nSee {eq}`eq-page-square`.\n\n```{math}\n:label: eq-page-square\nx^2\n```\n"

new_output = nbformat.v4.new_output


def notebook_with(output) -> str:
    cell = nbformat.v4.new_code_cell("run()", execution_count=1, outputs=[output])
    title = nbformat.v4.new_markdown_cell("# A page")
    notebook = nbformat.v4.new_notebook(cells=[title, cell])
    notebook.metadata["language_info"] = {"name": "python"}
    return nbformat.writes(notebook)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """The `conf.py` that Jupyter Book makes; it does not depend on the pages."""
    folder = tmp_path_factory.mktemp("settings") / "book"
    make_bare_book(folder, {"page.md": GOOD})
    return write_settings(folder)


@pytest.fixture
def build(tmp_path, katex_cache, settings):
    """Build a book of these pages strictly."""

    def build_pages(pages, **environment):
        make_bare_book(tmp_path / "book", pages)
        shutil.copy(settings, tmp_path / "book")
        environment = {"ATTNLIB_KATEX_CACHE": str(katex_cache)} | environment
        return strict_build(tmp_path / "book", tmp_path, **environment)

    return build_pages


def test_a_page_without_fault_builds_quietly(build, tmp_path):
    built = build({"page.md": GOOD})
    assert (built.code, built.said) == (0, "")
    assert 'class="katex' in (tmp_path / "html" / "page.html").read_text(encoding="utf-8")


def test_an_explorer_on_a_page_comes_from_the_very_tree(tmp_path, katex_cache, settings):
    book = tmp_path / "book"
    make_bare_book(book, {"page.md": "# A page\n\n```{explorer} pipeline\n```\n"})
    shutil.copy(settings, book)
    source = book / "attnlib" / "explorers" / "pipeline" / "explorer.py"
    text = source.read_text(encoding="utf-8")
    assert "i = Whole(1, 5, 4)" in text
    source.write_text(text.replace("i = Whole(1, 5, 4)", "i = Whole(1, 5, 3)"), encoding="utf-8")
    # -P: the folder is on the path for nobody else's sake, as when a script starts the build
    command = [
        sys.executable,
        "-P",
        "-m",
        "sphinx",
        "-q",
        "-W",
        "-b",
        "html",
        ".",
        tmp_path / "html",
    ]
    built = run(command, book, PYTHONPATH="_ext", ATTNLIB_KATEX_CACHE=str(katex_cache))
    assert (built.code, built.said) == (0, "")
    explorer = PipelineExplorer(i=3)
    page = (tmp_path / "html" / "page.html").read_text(encoding="utf-8")
    assert explorer.to_html() in page
    assert page.count("explorers/pipeline.js") == 1
    explorer.close()


def test_jupyter_book_makes_the_settings_of_the_strict_build(settings):
    values = {
        target.id: ast.literal_eval(node.value)
        for node in ast.parse(settings.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    assert values["nb_execution_mode"] == "off"
    assert values["html_math_renderer"] == "katex"
    assert values["nitpicky"] is True
    assert {"book"} <= {*values["extensions"]}


# Faults that end the build where they are met: file, text, what is said.
FATAL = {
    "stored error": (
        "wrong.ipynb",
        notebook_with(new_output("error", ename="ValueError", evalue="no", traceback=[])),
        r"wrong: cell 2 .* stores an error: ValueError: no",
    ),
    "stored stderr": (
        "wrong.ipynb",
        notebook_with(new_output("stream", name="stderr", text="beware\n")),
        r"wrong: cell 2 .* stores stderr: beware",
    ),
    "TeX in a line": (
        "wrong.md",
        "# A page\n\nHalf $\\frac{1$\n",
        r"wrong: TeX does not parse: '\\\\frac\{1'",
    ),
    "displayed TeX": (
        "wrong.md",
        "# A page\n\n```{math}\n:label: eq-page-x\n\\nosuchmacro{x}\n```\n",
        r"wrong: TeX does not parse: .*nosuchmacro",
    ),
}


@pytest.mark.parametrize("fault", FATAL)
def test_a_fault_stops_the_build_and_the_page_is_named(build, fault):
    name, text, message = FATAL[fault]
    built = build({"page.md": GOOD, name: text})
    assert built.code != 0
    assert re.search(message, built.said), built.said
    assert "Traceback" not in built.said


# Faults of which one build finds all, each on a page of its own: text, what is said of it.
FOUND_TOGETHER = {
    "link.md": ("[there](nowhere.md)", "nowhere"),
    "label.md": ("See {ref}`nowhere`.", "nowhere"),
    "figure.md": ("See {numref}`fig-nowhere`.", "fig-nowhere"),
    "equation.md": ("See {eq}`eq-nowhere`.", "eq-nowhere"),
    "work.md": ("See {cite}`nobody1900`.", "nobody1900"),
    "image.md": ("![A picture.](nowhere.png)", "nowhere.png"),
    "exercise.md": ("```{exercise} Without a label\nDo.\n```", "needs a :label:"),
    "solution.md": ("```{solution} ex-nowhere\nSo.\n```", "ex-nowhere"),
    "directive.md": ("```{nowhere}\n```", "nowhere"),
    "name.md": ("```{explorer} nowhere\n```", "no explorer is called 'nowhere'; there are: "),
    "explorer.ipynb": (
        new_output("display_data", {"text/html": '<attn-explorer name="nowhere"></attn-explorer>'}),
        "no explorer is called 'nowhere'",
    ),
}


def test_one_build_finds_every_broken_reference_and_names_its_page(build):
    pages = {
        name: f"# A page\n\n{fault}\n" if isinstance(fault, str) else notebook_with(fault)
        for name, (fault, _) in FOUND_TOGETHER.items()
    }
    built = build({"page.md": GOOD, **pages})
    assert built.code != 0
    for name, (_, message) in FOUND_TOGETHER.items():
        line = rf"^.*[\\/]{re.escape(name)}:.* (WARNING|ERROR): .*{re.escape(message)}"
        assert re.search(line, built.said, re.MULTILINE), (name, built.said)
    assert "page.md" not in built.said


def unused_address() -> str:
    """An address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/"


@pytest.fixture
def no_network(tmp_path):
    """A machine that never built the book and reaches no registry."""
    return {
        "ATTNLIB_KATEX_CACHE": str(tmp_path / "empty"),
        "npm_config_registry": unused_address(),
        "npm_config_cache": str(tmp_path / "npm"),
        "npm_config_fetch_retry_mintimeout": "10",
    }


NO_NPM = (
    r"KaTeX and terser could not be fetched from the npm registry \(.+\)\. The first build needs"
)


def test_without_the_npm_registry_one_sentence_and_no_site(build, tmp_path, no_network):
    built = build({"page.md": GOOD}, **no_network)
    assert built.code != 0
    assert len(re.findall(NO_NPM, built.said)) == 1, built.said
    assert "Traceback" not in built.said
    assert not list((tmp_path / "html").rglob("*.html"))
    assert not list((tmp_path / "empty").iterdir())


def test_jupyter_book_alone_says_it_too_and_leaves_no_site(tmp_path, no_network):
    make_bare_book(tmp_path / "book", {"page.md": GOOD})
    built = run(jupyter_book("build", "."), tmp_path / "book", **no_network)
    assert built.code != 0
    assert re.search(NO_NPM, built.said), built.said
    assert not list((tmp_path / "book" / "_build").rglob("*.html"))


@pytest.fixture(scope="module")
def built_alone(tmp_path_factory, katex_cache):
    """The site of `jupyter-book build .` in a folder with spaces and Chinese characters."""
    folder = tmp_path_factory.mktemp("anywhere") / "理解 自注意力 (a copy)"
    copy_book(folder)
    built = run(jupyter_book("build", "."), folder, ATTNLIB_KATEX_CACHE=str(katex_cache))
    return built, folder / "_build" / "html"


def test_jupyter_book_alone_builds_the_book_without_a_warning(built_alone):
    built, html = built_alone
    assert built.code == 0, built.said
    assert "WARNING" not in built.said
    assert (html / "index.html").is_file()


def explorers(html: Path, name: str) -> tuple[list[str], dict[str, bytes]]:
    """What a page has of explorers, and the scripts that it loads for them."""
    page = html / "chapters" / f"{name}.html"
    text = page.read_text(encoding="utf-8")
    scripts = re.findall(r'<script [^>]*\bsrc="([^"?]*explorers/[^"?]*)', text)
    tags = re.findall(r"<attn-explorer.*?</attn-explorer>", text, re.DOTALL)
    return tags, {script: (page.parent / script).read_bytes() for script in scripts}


@pytest.mark.parametrize("path", {path: None for path, _ in PLACES}, ids=attrgetter("stem"))
def test_its_explorers_are_those_of_the_site(built_alone, site, path):
    tags, scripts = explorers(built_alone[1], path.stem)
    assert tags
    assert scripts
    assert (tags, scripts) == explorers(site / "en", path.stem)


@pytest.mark.parametrize(("path", "name"), [PLACES[0], PLACES[-1]], ids=["first", "last"])
def test_its_explorers_work_when_the_page_is_opened_as_a_file(built_alone, browser, path, name):
    _, html = built_alone
    page_file = html / "chapters" / f"{path.stem}.html"
    with opened(browser, page_file.as_uri()) as (page, record):
        explorer = page.locator(f'attn-explorer[name="{name}"][data-status="live"]')
        explorer.wait_for(timeout=10_000)
        before = explorer.evaluate(SHOWN)
        assert_equal_to_attnlib(CLASSES[name], before)
        control = explorer.locator("input[type=range], select, input[type=number]").first
        number = control.get_attribute("type") == "number"
        control.press("ArrowUp" if number else "End")
        shown = explorer.evaluate(SHOWN)
        if shown == before and not number:  # it stood at its end
            control.press("Home")
            shown = explorer.evaluate(SHOWN)
        assert shown != before
        assert_equal_to_attnlib(CLASSES[name], shown)
        assert page.locator(".katex").count() > 10
        assert not record.complaints
