"""What nbval says, in a process of its own, of a notebook made of some cells."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from manuscript import ROOT


def verdicts(cells: list, folder: Path) -> list[tuple[str, str]]:
    """(PASSED or FAILED, the number of the cell) in the order of the run."""
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / "cells.ipynb")
    shutil.copy(ROOT / "conftest.py", folder)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-p", "no:cacheprovider", "-rA", str(folder)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    found = re.findall(r"^(PASSED|FAILED) .*::Cell (\d)", done.stdout, re.MULTILINE)
    assert len(found) == len(cells), done.stdout + done.stderr
    return found
