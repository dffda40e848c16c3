"""Build a copy of the book in a process of its own, and see that nothing stays behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from manuscript import ROOT

LONGEST = 240
PARTING = 5
NOT_COPIED = (
    "_build",
    "conf.py",
    "venv",
    "node_modules",
    "__pycache__",
    "*.ipynb_checkpoints",
    ".*",
)
BARE = (
    "_config.yml",
    "_ext",
    "_static",
    "_templates",
    "attnlib",
    "package.json",
    "package-lock.json",
)


@dataclass
class Build:
    """How a build ended and what it printed."""

    code: int
    said: str


def run(command: list, folder: Path, **environment) -> Build:
    """Run a command of this environment; no process of it may outlive it."""
    alone = sys.platform != "win32"
    # a file, not a pipe: whatever stays behind would hold a pipe open
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=os.environ | {"PYTHONUTF8": "1"} | environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=alone,
        )
        try:
            process.wait(timeout=LONGEST)
        finally:
            left = alone and end_group(process.pid)
        out.seek(0)
        said = out.read().decode("utf-8", errors="replace").replace("\r\n", "\n")
    assert not left, f"{command} left a process running"
    return Build(process.returncode, said)


def end_group(group: int) -> bool:
    """Whether any of a group of processes stays, after a moment to part; it is ended."""
    deadline = time.monotonic() + PARTING
    try:
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.05)
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def jupyter_book(*arguments) -> list:
    # not the module by name: the folder of a book may hold anything
    return [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", *arguments]


def write_settings(folder: Path) -> Path:
    """Make `conf.py` of `_config.yml`, as `nox -s book` does."""
    made = run(jupyter_book("config", "sphinx", "."), folder, PYTHONPATH="_ext")
    assert made.code == 0, made.said
    return folder / "conf.py"


def strict_build(folder: Path, out: Path, **environment) -> Build:
    """Build as `nox -s book` does, once the settings are written."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "html"]
    command += ["-d", out / "doctrees", ".", out / "html"]
    return run(command, folder, PYTHONPATH="_ext", **environment)


def copy_book(target: Path) -> None:
    """The whole project, without what was made from it."""
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*NOT_COPIED))


def make_bare_book(folder: Path, pages: dict[str, str]) -> None:
    """A book of a few pages, given by file name, with the settings and extensions of this one."""
    folder.mkdir(parents=True)
    for name in BARE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    (folder / "chapters").mkdir()
    shutil.copy(ROOT / "chapters" / "references.bib", folder / "chapters")
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    root, *others = pages
    toc: dict = {"format": "jb-book", "root": root}
    if others:
        toc["chapters"] = [{"file": name} for name in others]
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")


@pytest.fixture(scope="session")
def katex_cache(tmp_path_factory) -> Path:
    """A cache of its own with KaTeX in it, filled from the usual one."""
    code = "from book.mathematics import katex_files as k; print(k.katex_dist().parents[2])"
    found = run([sys.executable, "-c", code], ROOT, PYTHONPATH=str(ROOT / "_ext"))
    assert found.code == 0, found.said
    home = Path(found.said.strip().splitlines()[-1])
    return shutil.copytree(home, tmp_path_factory.mktemp("cache") / home.name).parent
