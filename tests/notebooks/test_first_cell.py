"""The first cell of a notebook answers an attnlib that is missing, or another one than it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
from manuscript import NOTEBOOKS, ROOT, code_cells, read, source

import attnlib

FIRST = source(code_cells(read(NOTEBOOKS[0]))[0])
MINOR = ".".join(attnlib.__version__.split(".")[:2])


def shown(tmp_path, library: str | None) -> str:
    """What a notebook's first cell shows where this is all that attnlib is; None: there is none."""
    (tmp_path / "attnlib.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'attnlib'\")" if library is None else library,
        encoding="utf-8",
    )
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
shell.run_cell({FIRST!r})
shell.run_cell("print('and on')")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("patch", ["0", "7"])
def test_a_library_that_fits_is_taken_without_a_word(patch, tmp_path):
    assert shown(tmp_path, f"__version__ = '{MINOR}.{patch}'") == "and on\n"


@pytest.mark.parametrize(
    ("library", "found"),
    [
        (None, "No module named 'attnlib'"),
        # what came first did not say its version
        ("", "attnlib 0.1 does not fit"),
        ("__version__ = '0.1.9'", "attnlib 0.1.9 does not fit"),
        ("__version__ = '0.20.0'", "attnlib 0.20.0 does not fit"),
        ("__version__ = '1.2.0'", "attnlib 1.2.0 does not fit"),
    ],
)
def test_another_library_is_answered_with_the_way_out(library, found, tmp_path):
    message = shown(tmp_path, library).removesuffix("and on\n")
    assert message.startswith(f"{found}: this notebook needs attnlib {MINOR}.")
    assert "pip install -r requirements.txt" in message
    assert f"'attnlib-{attnlib.__version__}-py3-none-any.whl[notebooks]'" in message
    assert "restart the kernel" in message
    assert "Traceback" not in message
    assert len(message.splitlines()) <= 6


def test_the_library_alone_says_its_version():
    """The wheel has its name from there, and a source tree needs no installation to say it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in settings["project"]
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["hatch"]["version"]["path"] == "attnlib/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", attnlib.__version__)
