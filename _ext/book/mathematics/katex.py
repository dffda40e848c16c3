"""Render mathematics with KaTeX while building, and serve its style sheet and fonts locally."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.util.math import get_node_equation_number

from book.builders import makes_site
from book.mathematics.katex_files import katex_dist
from book.mathematics.symbols import coloured
from book.npm import node_binary

OPTIONS = {"throwOnError": True, "strict": "error"}
# a formula on each line, and on each line of the answer its HTML or what is wrong with it
RENDERER = """
const [script, options] = process.argv.slice(1);
const katex = require(script);
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [tex, displayMode, output] = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { ...JSON.parse(options), displayMode, output }) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""


@cache
def renderer() -> subprocess.Popen:
    """Node.js with KaTeX in it. It ends with this process, which closes its input."""
    script = str(katex_dist() / "katex.min.js")
    return subprocess.Popen(
        [str(node_binary()), "-e", RENDERER, script, json.dumps(OPTIONS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


@cache
def rendered(tex: str, displayed: bool, output: str) -> dict[str, str]:
    """KaTeX's answer: ``html``, or ``error``."""
    process = renderer()
    print(json.dumps([tex, displayed, output]), file=process.stdin, flush=True)
    answer = process.stdout.readline() if process.stdout else ""
    return json.loads(answer)


def html_of(translator, node: nodes.math | nodes.math_block) -> str:
    tex = node.astext()
    # an EPUB has neither the style sheet nor the fonts that KaTeX's HTML needs
    output = "htmlAndMathml" if makes_site(translator.builder) else "mathml"
    answer = rendered(tex, isinstance(node, nodes.math_block), output)
    page = translator.builder.current_docname
    if "error" in answer:
        raise ExtensionError(f"{page}: TeX does not parse: {tex!r}: {answer['error']}")
    return coloured(answer["html"], tex, page)


def visit_math(translator, node: nodes.math) -> None:
    translator.body += [
        translator.starttag(node, "span", "", CLASS="math"),
        html_of(translator, node),
        "</span>",
    ]
    raise nodes.SkipNode


def visit_math_block(translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, _("Permalink to this equation"))
        translator.body.append("</span>")
    translator.body += [html_of(translator, node), "</div>"]
    raise nodes.SkipNode


def fetch_first(app: Sphinx) -> None:
    """Without KaTeX a build of pages stops before it has begun."""
    if app.builder.format == "html":
        katex_dist()
    if makes_site(app.builder):
        app.add_css_file("katex/katex.min.css")


def serve_style_and_fonts(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or not makes_site(app.builder):
        return
    source, target = katex_dist(), Path(app.outdir) / "_static" / "katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    style = (source / "katex.min.css").read_text(encoding="utf-8")
    # Every browser that matters reads woff2, so the two older formats stay at home.
    style = re.sub(r',url\([^)]+\.(?:woff|ttf)\) format\("\w+"\)', "", style)
    (target / "katex.min.css").write_text(style, encoding="utf-8")
    for font in (source / "fonts").glob("*.woff2"):
        shutil.copyfile(font, target / "fonts" / font.name)


def setup(app: Sphinx) -> dict:
    app.add_html_math_renderer("katex", (visit_math, None), (visit_math_block, None))
    app.connect("builder-inited", fetch_first)
    app.connect("build-finished", serve_style_and_fonts)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
