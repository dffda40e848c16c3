"""Build every edition strictly, from a clean tree, into ``_build/site/``.

The editions are built side by side, each in a folder of its own: MyST-NB puts the pictures of
outputs beside an edition before it copies them into it. What is left of a build that failed does
not look like a site.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

from book import ROOT
from book.languages.editions import EDITIONS, Edition
from book.sharing.head import published_at
from not_found_page import not_found_page
from root_page import root_page

BUILD = ROOT / "_build"
SITE = BUILD / "site"
PARTS = BUILD / "editions"


# not the module by name, which has no command
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"


def build(edition: Edition) -> list[str]:
    """The command that builds one edition."""
    part = PARTS / edition.folder
    # fmt: off
    return [
        sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "html",
        "-d", str(part / "doctrees"),
        "-D", f"language={edition.language}", "-D", f"editions={','.join(EDITIONS)}",
        ".", str(part / "html"),
    ]
    # fmt: on


def wheel() -> list[str]:
    """The command that builds attnlib: a notebook from the site finds it beside the editions."""
    return [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(PARTS)]


def run_together(commands: list[list[str]]) -> None:
    """Run commands side by side; all have ended when the first that failed is named."""
    running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    codes = [process.wait() for process in running]
    for command in [command for command, code in zip(commands, codes, strict=True) if code]:
        sys.exit(f"This failed: {' '.join(command)}")


def build_site() -> None:
    """Build the editions and attnlib, and put them together when all of them are whole."""
    for folder in (SITE, PARTS):
        shutil.rmtree(folder, ignore_errors=True)
    settings = [sys.executable, "-c", JUPYTER_BOOK, "config", "sphinx", "."]
    subprocess.run(settings, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    run_together([*map(build, EDITIONS.values()), wheel()])
    SITE.mkdir()
    for folder in EDITIONS:
        (PARTS / folder / "html").rename(SITE / folder)
    for path in PARTS.glob("*.whl"):
        path.rename(SITE / path.name)
    for name, text in (
        ("index.html", root_page()),
        ("404.html", not_found_page(published_at())),
    ):
        (SITE / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build_site()
