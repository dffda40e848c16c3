"""The tasks of the project. Each makes the environment that it needs.

python -m pip install nox
python -m nox -s book      # the website, in _build/site/
python -m nox -s tests     # everything that keeps the book true
python -m nox --list       # all tasks
"""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent
SITE = ROOT / "_build" / "site"
EDITIONS = {"en": "en", "zh": "zh_CN"}
TORCH = "torch==2.13.0"
# these alone reach every line and branch of the modules named in pyproject.toml
UNIT_TESTS = [
    f"tests/library/test_{name}.py"
    for name in [
        "bad_input",
        "blocked",
        "contract_bias",
        "contract_dtypes",
        "contract_masks",
        "contract_memory",
        "contract_numbers",
        "contract_shapes",
        "contract_warnings",
        "gradients",
        "kv_cache",
        "multihead",
    ]
]

# what the library does in interpreters of its own
PROCESS_TESTS = [
    "tests/library/test_contract_imports.py",
    "tests/library/test_contract_processes.py",
]
# the first Python that the oldest NumPy allowed has no wheels for
NUMPY_2_0_ENDS = (3, 13)

nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["book"]


def install(session: nox.Session) -> None:
    """Install the pinned versions, and attnlib from this tree."""
    session.install("--quiet", "-r", "requirements.txt")


def build_site(session: nox.Session) -> None:
    """Build every edition strictly, from a clean tree."""
    shutil.rmtree(SITE, ignore_errors=True)
    environment = {"PYTHONPATH": str(ROOT / "_ext"), "PYTHONUTF8": "1"}
    session.run("jupyter-book", "config", "sphinx", ".", silent=True, env=environment)
    try:
        for folder, language in EDITIONS.items():
            # fmt: off
            session.run(
                "sphinx-build", "-q", "-W", "--keep-going", "-E", "-b", "html",
                "-d", str(ROOT / "_build" / "doctrees" / folder),
                "-D", f"language={language}", "-D", f"editions={','.join(EDITIONS)}",
                ".", str(SITE / folder),
                env=environment,
            )
            # fmt: on
        # MyST-NB puts the pictures of outputs beside an edition before it copies them into it.
        shutil.rmtree(SITE / "jupyter_execute", ignore_errors=True)
        session.run("python", "tools/root_page.py", str(SITE), *EDITIONS, env=environment)
        # A notebook that is downloaded from the site finds attnlib beside it.
        session.run("python", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(SITE), ".")
    except nox.command.CommandFailed:
        # What is left of a build that failed must not look like a site.
        shutil.rmtree(SITE, ignore_errors=True)
        raise


@nox.session
def book(session: nox.Session) -> None:
    """Build the website into _build/site/."""
    install(session)
    build_site(session)
    session.log(f"The site is in {SITE}")
    session.log("Read it with: python -m nox -s serve   (or open _build/site/index.html)")


@nox.session(venv_backend="none")
def serve(session: nox.Session) -> None:
    """Serve the website on this machine (build it first with `nox -s book`)."""
    if not (SITE / "index.html").is_file():
        session.error("There is no site yet. Build it first: python -m nox -s book")
    port = session.posargs[0] if session.posargs else "8000"
    session.log(f"Open http://localhost:{port}/ in a browser; stop with Ctrl+C.")
    # fmt: off
    session.run(
        sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", str(SITE),
    )
    # fmt: on


@nox.session
def tests(session: nox.Session) -> None:
    """Run everything: style, the library's tests, every notebook, the site in a browser."""
    install(session)
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    if not session.posargs:
        session.run("python", "-m", "pytest", "-q", *UNIT_TESTS, "--cov", "--cov-fail-under=100")
    build_site(session)
    compare = "--nbval" if sys.platform == "linux" else "--nbval-lax"
    rest = session.posargs or [f"--ignore={path}" for path in UNIT_TESTS]
    # fmt: off
    session.run(
        # in the order of the files: the last are many and small, so no worker waits for long
        "python", "-m", "pytest", compare, "-n", "2", "--no-loadscope-reorder", *rest,
        env={"ATTNLIB_LANG": "en"},
    )
    # fmt: on
    if not session.posargs and sys.version_info < NUMPY_2_0_ENDS:
        session.notify("oldest")


@nox.session
def oldest(session: nox.Session) -> None:
    """Run the library's tests with the oldest NumPy that is allowed (on Python 3.11 or 3.12)."""
    if sys.version_info >= NUMPY_2_0_ENDS:
        session.error("NumPy 2.0 has no wheels for this Python: run nox with Python 3.11 or 3.12")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    floors = [
        re.sub(r">=([\d.]+),.*", r"==\1.*", requirement) for requirement in settings["dependencies"]
    ]
    tools = ("hypothesis", "ml-dtypes", "pytest>", "pytest-xdist")
    tests = [line for line in settings["optional-dependencies"]["test"] if line.startswith(tools)]
    session.install("--quiet", *floors, *tests)
    session.run("python", "-c", "import numpy; print('NumPy', numpy.__version__)")
    # fmt: off
    session.run(
        # without what the site's tests share, and in a pace that has no deadlines
        "python", "-m", "pytest", "-q", "-n", "2", "--noconftest", "--hypothesis-profile=ci",
        *(session.posargs or [*UNIT_TESTS, *PROCESS_TESTS]),
    )
    # fmt: on


@nox.session
def chapter(session: nox.Session) -> None:
    """Hold one chapter (-- 05, or a part of its name) to its outputs, form and translation."""
    [name] = session.posargs or session.error("Which chapter? For example: nox -s chapter -- 05")
    found = [path for path in sorted((ROOT / "chapters").glob("*.ipynb")) if name in path.stem]
    if len(found) != 1:
        session.error(
            f"{len(found)} chapters have {name!r} in their name; give more of it, or less"
        )
    install(session)
    compare = "--nbval" if sys.platform == "linux" else "--nbval-lax"
    environment = {"ATTNLIB_LANG": "en"}
    session.run("python", "-m", "pytest", compare, str(found[0]), env=environment)
    # fmt: off
    session.run(
        "python", "-m", "pytest", "-k", found[0].stem, "tests/notebooks/test_chapter_shape.py",
        "tests/notebooks/test_stored_outputs.py", "tests/notebooks/test_claims.py",
        "tests/editions/test_translations.py",
        env=environment,
    )
    # fmt: on


@nox.session
def notebooks(session: nox.Session) -> None:
    """Run the notebooks and store their outputs, normalised (names after -- restrict it)."""
    install(session)
    session.run("python", "tools/notebooks.py", *session.posargs)


@nox.session
def translations(session: nox.Session) -> None:
    """Merge the English text into the Chinese catalogues, and say what is missing."""
    install(session)
    environment = {"PYTHONPATH": str(ROOT / "_ext"), "PYTHONUTF8": "1"}
    templates = str(ROOT / "_build" / "gettext")
    shutil.rmtree(templates, ignore_errors=True)
    session.run("jupyter-book", "config", "sphinx", ".", silent=True, env=environment)
    # fmt: off
    session.run(
        "sphinx-build", "-q", "-W", "-E", "-b", "gettext",
        "-d", str(ROOT / "_build" / "doctrees" / "gettext"), ".", templates,
        env=environment,
    )
    session.run(
        "sphinx-intl", "update", "--no-obsolete", "-w", "0",
        "-p", templates, "-l", EDITIONS["zh"], "-d", "locale",
        env=environment, silent=True,
    )
    # fmt: on
    session.run("python", "tools/translations.py", env=environment)


@nox.session
def role_weights(session: nox.Session) -> None:
    """Train the role model once more and store its weights for the explorer of chapter 8."""
    install(session)
    session.run("python", "tools/role_weights.py", *session.posargs)


@nox.session
def role_runs(session: nox.Session) -> None:
    """Train role models for longer and store how many answers are right (about ten minutes)."""
    install(session)
    session.run("python", "tools/role_runs.py", *session.posargs)


@nox.session
def torch(session: nox.Session) -> None:
    """Compare attnlib with PyTorch: outputs, weights, gradients."""
    # Where pip would take a CUDA build, name an index of CPU builds in PIP_EXTRA_INDEX_URL.
    session.install("--quiet", "-r", "requirements.txt", TORCH)
    session.run("python", "-m", "pytest", "tests_torch", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Change the library in many small ways, and see that the tests notice."""
    # Not attnlib itself: the mutated copy is what the tests must import.
    session.install("--quiet", "mutmut==3.8.1", "numpy>=2.0,<3", "threadpoolctl>=3.5,<4")
    session.install("--quiet", "pytest>=8.4,<10", "hypothesis>=6.140,<7", "ml-dtypes>=0.5,<1")
    session.run("mutmut", "run", "--max-children", "2", *session.posargs)
    session.run("python", "tools/mutation_score.py")


@nox.session
def benchmark(session: nox.Session) -> None:
    """Time attnlib beside other ways to the same result (-- --without-torch leaves PyTorch out)."""
    tables = [word for word in session.posargs if word != "--without-torch"]
    session.install("--quiet", ".", *([TORCH] if tables == session.posargs else []))
    session.run("python", "benchmarks/run.py", *tables)


@nox.session
def explorer_times(session: nox.Session) -> None:
    """Time what explorers do for an input event, in the browser (names after -- restrict it)."""
    install(session)
    session.run("python", "benchmarks/explorers.py", *session.posargs)


@nox.session
def lab(session: nox.Session) -> None:
    """Open the chapters in JupyterLab."""
    install(session)
    session.run("jupyter", "lab", "--notebook-dir", "chapters", *session.posargs)


@nox.session
def lab_zh(session: nox.Session) -> None:
    """Open the chapters in JupyterLab in Chinese (in _build/notebooks_zh/; answers there stay)."""
    install(session)
    folder = str(ROOT / "_build" / "notebooks_zh")
    environment = {"PYTHONPATH": str(ROOT / "_ext"), "PYTHONUTF8": "1", "ATTNLIB_LANG": "zh"}
    session.run("python", "tools/chinese_notebooks.py", folder, env=environment)
    session.run("jupyter", "lab", "--notebook-dir", folder, *session.posargs, env=environment)


@nox.session
def lock(session: nox.Session) -> None:
    """Compile requirements.txt from pyproject.toml (add -- --upgrade for newer releases)."""
    session.install("uv==0.13.9")
    # fmt: off
    session.run(
        "uv", "pip", "compile", "pyproject.toml", "--extra", "book", "--extra", "test",
        "--universal", "--python-version", "3.11", "--no-emit-index-url", "--no-emit-find-links",
        "--custom-compile-command", "python -m nox -s lock", "--quiet",
        "--output-file", "requirements.txt", *session.posargs,
    )
    # fmt: on
    path = ROOT / "requirements.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "# the project itself\n.\n", encoding="utf-8", newline="\n")
