"""The tasks of the project. Each has the environment that it needs; the everyday ones share one.

python -m pip install nox
python -m nox -s book      # the website, in _build/site/
python -m nox -s tests     # everything that keeps the book true
python -m nox --list       # all tasks
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent
SITE = ROOT / "_build" / "site"
# beside the site, what it was made from
MADE_FROM = ROOT / "_build" / "site-made-from.txt"
# fmt: off
SOURCES = (
    "_config.yml", "_ext", "_static", "_templates", "_toc.yml", "attnlib", "chapters", "locale",
    "noxfile.py", "package-lock.json", "package.json", "pyproject.toml", "requirements.txt",
    "tools",
)
# fmt: on
EDITIONS = {"en": "en", "zh": "zh_CN"}
TORCH = "torch==2.13.0"
# these alone reach every line and branch of the modules named in pyproject.toml
UNIT_TESTS = ["tests/library/unit"]

# what the library does in interpreters of its own
PROCESS_TESTS = [
    "tests/library/test_contract_imports.py",
    "tests/library/test_contract_processes.py",
]
# the rooms of tests that need neither site nor browser
UNIT_ROOMS = ("library", "symbolic", "tasks", "plots", "exercises")
# what holds all chapters together, and so has no chapter's name
# fmt: off
OF_ALL = (
    "test_claims", "test_behind_claims", "test_front_pages", "test_notation",
    "nothing_is_untranslated", "every_page_has_a_catalogue", "words_of_every_explorer",
    "exercise_in_the_chapters",
)
# fmt: on
# each holds one language to its form; another one is one more line
LINTERS = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("basedpyright", "--level", "error"),
    ("python", "tools/javascript.py"),
)
# outputs must come out again; elsewhere last digits differ, and the cells' own assertions count
COMPARE = "--nbval" if sys.platform == "linux" else "--nbval-lax"
ENGLISH = {"ATTNLIB_LANG": "en"}
# the first Python that the oldest NumPy allowed has no wheels for
NUMPY_2_0_ENDS = (3, 13)

nox.needs_version = ">=2025.2.9"
# uv installs in seconds what takes pip a minute; it comes with nox[uv]
nox.options.default_venv_backend = "uv|virtualenv"
# as pip does; where Python is told to keep nothing, each process would compile it all again
os.environ.setdefault("UV_COMPILE_BYTECODE", "1")
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["book"]


def everyday_task(function: Callable[[nox.Session], None]) -> Callable[[nox.Session], None]:
    """A task in the environment that the everyday ones share."""
    return nox.session(venv_backend="none", requires=["everyday"])(function)


@nox.session
def everyday(session: nox.Session) -> None:
    """Set up what the everyday tasks share, unless it is as it should be (they ask for it)."""
    wanted = fingerprint(("requirements.txt", "pyproject.toml"))
    stamp = Path(session.virtualenv.location) / "installed.txt"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        session.install("--quiet", "-r", "requirements.txt")
        # from now on what is edited is what runs
        session.install("--quiet", "--no-deps", "--editable", ".")
        note = f"from pathlib import Path; Path({str(stamp)!r}).write_text({wanted!r})"
        session.run_install("python", "-c", note, silent=True)
    os.environ["PATH"] = os.pathsep.join([session.bin, os.environ["PATH"]])


def fingerprint(names: Sequence[str]) -> str:
    """One hash over files and folders of the project, without what is made in them."""
    digest = hashlib.sha256()
    for name in names:
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            made = path.suffix in {".mo", ".pyc"} or ".ipynb_checkpoints" in path.parts
            if path.is_file() and not made:
                digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def bring_site_up_to_date(session: nox.Session) -> None:
    """Build the site, unless it was made from just these files."""
    wanted = fingerprint(SOURCES)
    there = (SITE / "index.html").is_file() and MADE_FROM.is_file()
    if there and MADE_FROM.read_text(encoding="utf-8") == wanted:
        session.log("The site is up to date.")
        return
    MADE_FROM.unlink(missing_ok=True)
    build_site(session)
    MADE_FROM.write_text(wanted, encoding="utf-8")


def needs_site(session: nox.Session) -> bool:
    """Whether a test that was asked for looks at the site."""
    command = ["python", "-m", "pytest", "--setup-plan", "-q", *session.posargs]
    # 5: no test was found, which the run itself reports
    plan = session.run(*command, env=ENGLISH, silent=True, log=False, success_codes=[0, 4, 5])
    return re.search(r"SETUP +S site\b", str(plan)) is not None


def build_site(session: nox.Session) -> None:
    """Build every edition strictly, from a clean tree."""
    environment = {"PYTHONPATH": str(ROOT / "_ext"), "PYTHONUTF8": "1"}
    session.run("python", "tools/build_site.py", env=environment)


@everyday_task
def book(session: nox.Session) -> None:
    """Build the website into _build/site/."""
    MADE_FROM.unlink(missing_ok=True)
    bring_site_up_to_date(session)
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


@everyday_task
def watch(session: nox.Session) -> None:
    """Show one edition (-- zh; English without) in a browser, and every edit as it is saved."""
    folder = session.posargs[0] if session.posargs else "en"
    environment = {"PYTHONPATH": str(ROOT / "_ext"), "PYTHONUTF8": "1"}
    session.run("jupyter-book", "config", "sphinx", ".", silent=True, env=environment)
    # fmt: off
    session.run(
        "sphinx-autobuild", "-q", "-b", "html",
        "-d", str(ROOT / "_build" / "doctrees" / f"watch-{folder}"),
        "-D", f"language={EDITIONS[folder]}", "-D", f"editions={folder}",
        "--ignore", str(ROOT / "_build"), "--ignore", str(ROOT / "conf.py"),
        "--re-ignore", r"\.mo$|__pycache__|\.ipynb_checkpoints|/\.[^/]*$",
        ".", str(ROOT / "_build" / "watch" / folder),
        env=environment,
    )
    # fmt: on


@everyday_task
def lint(session: nox.Session) -> None:
    """Hold the code to its form."""
    for command in LINTERS:
        session.run(*command, env={"PYTHONPATH": "_ext"})


@everyday_task
def unit(session: nox.Session) -> None:
    """Run the tests that need neither site nor browser (under a minute)."""
    rooms = session.posargs or [f"tests/{room}" for room in UNIT_ROOMS]
    session.run("python", "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *rooms)


@everyday_task
def tests(session: nox.Session) -> None:
    """Run everything: style, the library's tests, every notebook, the site in a browser."""
    if session.posargs:
        if needs_site(session):
            bring_site_up_to_date(session)
        # fmt: off
        session.run("python", "-m", "pytest", COMPARE, "-n", "2", *session.posargs, env=ENGLISH)
        # fmt: on
        return
    lint(session)
    # fmt: off
    session.run(
        "python", "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *UNIT_TESTS,
        "--cov", "--cov-fail-under=100",
    )
    # fmt: on
    bring_site_up_to_date(session)
    rest = [f"--ignore={path}" for path in UNIT_TESTS]
    # fmt: off
    session.run(
        # in the order of the files: the last are many and small, so no worker waits for long
        "python", "-m", "pytest", COMPARE, "-n", "2", "--no-loadscope-reorder", *rest, env=ENGLISH,
    )
    # fmt: on
    if sys.version_info < NUMPY_2_0_ENDS:
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


@everyday_task
def chapter(session: nox.Session) -> None:
    """Hold one chapter (-- 05, or a part of its name) to its outputs, form and translation.

    Its exercises and its explorers are tested too; what needs the whole site is not.
    """
    [name] = session.posargs or session.error("Which chapter? For example: nox -s chapter -- 05")
    found = [path for path in sorted((ROOT / "chapters").glob("*.ipynb")) if name in path.stem]
    if len(found) != 1:
        session.error(
            f"{len(found)} chapters have {name!r} in their name; give more of it, or less"
        )
    # fmt: off
    session.run(
        "python", "-m", "pytest", COMPARE, "-q", "-n", "2",
        "-k", " or ".join(names_of_tests(found[0])), "--ignore=tests/notebooks/test_lab.py",
        str(found[0]), "tests/exercises", "tests/explorers", "tests/notebooks",
        "tests/editions/test_translations.py",
        env=ENGLISH,
    )
    # fmt: on


def names_of_tests(chapter: Path) -> list[str]:
    """What is in the names of a chapter's tests: its own, its claims', exercises', explorers'."""
    number = int(chapter.stem.partition("_")[0])
    text = chapter.read_text(encoding="utf-8")
    exercises = re.findall(r":label: ex-([a-z]+(?:-[a-z]+)*)", text)
    explorers = re.findall(r'<attn-explorer name=\\"(\w+)', text)
    return sorted({chapter.stem, f"-{number}.", f"[{number}.", *exercises, *explorers, *OF_ALL})


@everyday_task
def claims(session: nox.Session) -> None:
    """Say where everything behind a claim lies (-- 7.4; or the name of a function, an exercise)."""
    session.run("python", "tools/claims.py", *session.posargs, env={"PYTHONPATH": "_ext"})


@everyday_task
def notebooks(session: nox.Session) -> None:
    """Run the notebooks and store their outputs, normalised (names after -- restrict it)."""
    session.run("python", "tools/notebooks.py", *session.posargs)


@everyday_task
def translations(session: nox.Session) -> None:
    """Merge the English text into the Chinese catalogues, and say what is missing."""
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
    # words of templates: Sphinx has them, and what it lacks has a catalogue that no text makes
    (Path(templates) / "sphinx.pot").unlink(missing_ok=True)
    session.run(
        "sphinx-intl", "update", "--no-obsolete", "-w", "0",
        "-p", templates, "-l", EDITIONS["zh"], "-d", "locale",
        env=environment, silent=True,
    )
    # fmt: on
    session.run("python", "tools/translations.py", env=environment)


@everyday_task
def role_weights(session: nox.Session) -> None:
    """Train the role model once more and store its weights for the explorer of chapter 8."""
    session.run("python", "tools/role_weights.py", *session.posargs)


@everyday_task
def role_runs(session: nox.Session) -> None:
    """Train role models for longer and store how many answers are right (about ten minutes)."""
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


@everyday_task
def explorer_times(session: nox.Session) -> None:
    """Time what explorers do for an input event, in the browser (names after -- restrict it)."""
    session.run("python", "benchmarks/explorers.py", *session.posargs)


@everyday_task
def page_table(session: nox.Session) -> None:
    """Measure the pages of the site: words, code, weight, time to a live explorer."""
    session.run("python", "benchmarks/pages.py", *session.posargs)


@everyday_task
def lab(session: nox.Session) -> None:
    """Open the chapters in JupyterLab."""
    session.run("jupyter", "lab", "--notebook-dir", "chapters", *session.posargs)


@everyday_task
def lab_zh(session: nox.Session) -> None:
    """Open the chapters in JupyterLab in Chinese (in _build/notebooks_zh/; answers there stay)."""
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
