"""The notebook that a page offers for download, in the language of the page.

The Markdown of each cell is translated block by block from the page's own catalogue, and so are
the captions, the alternative texts and the words of figures; code and all other outputs stay what
they are. A figure that is shown as PNG, as in a notebook that is not trusted, keeps its words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from sphinx.application import Sphinx

from book import ROOT
from book.boxes import exercise
from book.builders import makes_site
from book.figures import markup
from book.languages.catalogues import of_page

CONFIG = ROOT / "_config.yml"
Translate = Callable[[str], str]

# directives whose body is text; what else stands in a fence is code, mathematics or a figure
TEXT_DIRECTIVES = (*exercise.DIRECTIVES, "admonition", "note", "tip", "warning", "important")
DIRECTIVE = re.compile(r"\{([\w-]+)\}\s*(.*)")
OPTION = re.compile(r":[\w-]+:")


def parser() -> MarkdownIt:
    """The Markdown of the book, with the extensions that its pages are built with."""
    book = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    extensions = {*book["parse"]["myst_enable_extensions"]}
    return create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)


def translate_markdown(text: str, translate: Translate, markdown: MarkdownIt) -> str:
    """The text with every block replaced by its translation; what has none stays."""
    lines: list[str | None] = list(text.split("\n"))
    cursor: dict[int, int] = {}
    for token in markdown.parse(text):
        if token.type == "inline" and token.map:
            replace_block(lines, token, translate, cursor)
        elif token.type in ("fence", "colon_fence") and token.map:
            replace_directive(lines, token, translate, markdown)
    return "\n".join(line for line in lines if line is not None)


def replace_block(
    lines: list[str | None], token: Token, translate: Translate, cursor: dict[int, int]
) -> None:
    """Put the translation of a paragraph, heading or table cell where the block stood."""
    message = token.content.replace("\n", " ").strip()
    assert token.map
    first, last = token.map
    opening = token.content.split("\n")[0].strip()
    line = lines[first]
    start = line.find(opening, cursor.get(first, 0)) if line is not None else -1
    if line is None or not opening or start < 0:
        return
    translation = translate(message)
    if translation == message:
        cursor[first] = start + len(opening)
        return
    lines[first] = line[:start] + translation + line[start + len(opening) :]
    cursor[first] = start + len(translation)
    if "\n" in token.content:
        lines[first + 1 : last] = [None] * (last - first - 1)


def replace_directive(
    lines: list[str | None], token: Token, translate: Translate, markdown: MarkdownIt
) -> None:
    """Translate a directive that holds text: its title and its body; or words in a formula."""
    directive = DIRECTIVE.match(token.info.strip())
    if directive is None or directive[1] not in (*TEXT_DIRECTIVES, "math"):
        return
    name, title = directive.groups()
    assert token.map
    first, last = token.map
    if title and name != "solution":
        message = exercise.EXERCISE + title if name == "exercise" else title
        words = translate(message)
        if name == "exercise":
            words = re.sub(r"^.*?[:：]\s*", "", words)
        lines[first] = (lines[first] or "").replace(title, words)
    body = [line for line in lines[first + 1 : last - 1] if line is not None]
    options = next((n for n, line in enumerate(body) if not OPTION.match(line)), len(body))
    content = "\n".join(body[options:])
    if name == "math":
        formula = content.strip()
        translated = content.replace(formula, translate(formula)) if formula else content
    else:
        translated = translate_markdown(content, translate, markdown)
    rest = [None] * (last - first - 3)
    lines[first + 1 : last - 1] = ["\n".join([*body[:options], translated]), *rest]


def translate_notebook(notebook: dict, translate: Translate, markdown: MarkdownIt) -> None:
    """Translate the Markdown cells, and what the metadata of cells say in words, in place."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source = cell["source"]
            text = source if isinstance(source, str) else "".join(source)
            translated = translate_markdown(text, translate, markdown)
            cell["source"] = translated.splitlines(keepends=True)
        myst = cell["metadata"].get("mystnb", {})
        for part, name in (("figure", "caption"), ("image", "alt")):
            if name in myst.get(part, {}):
                words = " ".join(myst[part][name].split())
                myst[part][name] = translate(words)
        for output in cell.get("outputs", []):
            svg = output.get("data", {}).get("image/svg+xml")
            if svg:
                shown = markup.translated("".join(svg), translate)
                output["data"]["image/svg+xml"] = shown.splitlines(keepends=True)
        shown = cell["metadata"].get("shown", {})
        if "says" in shown:
            shown["says"] = translate(" ".join(shown["says"].split()))
        aside = cell["metadata"].get("aside", {})
        aside.update({heading: translate(question) for heading, question in aside.items()})


def translated_text(text: str, known: dict[str, str], markdown: MarkdownIt) -> str:
    """The text of a notebook's file in the language of a catalogue."""
    notebook = json.loads(text)
    translate_notebook(notebook, lambda message: known.get(message, message), markdown)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def translate_downloads(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or not makes_site(app.builder):
        return
    markdown = parser()
    for page in app.env.found_docs:
        path = Path(app.outdir) / "_sources" / f"{page}.ipynb"
        known = of_page(app, page)
        if known and path.is_file():
            text = translated_text(path.read_text(encoding="utf-8"), known, markdown)
            path.write_text(text, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict:
    app.connect("build-finished", translate_downloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
