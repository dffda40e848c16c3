"""Contract, imports: `import attnlib` loads NumPy and nothing else heavy, and does nothing."""

import re
import subprocess
import sys

import attnlib


def run(code):
    """Run code in a fresh interpreter with warnings as errors and return what it prints."""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert not finished.stderr
    return finished.stdout.split()


def test_import_loads_numpy_and_the_standard_library_only():
    loaded = run(
        "import sys, attnlib\nprint(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    foreign = set(loaded) - set(sys.stdlib_module_names) - {"attnlib", "numpy"}
    # site-packages may put finders of editable installs and the like into every interpreter
    always = set(run("import sys; print(*{name.partition('.')[0] for name in sys.modules})"))
    assert foreign <= always
    assert "numpy" in loaded


def test_import_loads_these_modules_of_its_own_and_no_others():
    """No plots, symbols, explorers, exercises or tasks: they load their libraries when used."""
    loaded = run("import sys, attnlib; print(*(n for n in sys.modules if n.startswith('attnlib')))")
    formula = "attention blocked gradients heads kv_cache masks multihead trace"
    below = "_blas_threads _checks _kernel"
    assert sorted(loaded) == sorted(
        ["attnlib", *(f"attnlib.{name}" for name in f"{formula} {below}".split())]
    )


def test_import_prints_nothing_and_changes_no_random_state():
    assert run(
        "import random, numpy as np\n"
        "np.random.seed(0); random.seed(0)\n"
        "before = np.random.get_state()[1].tolist(), random.getstate(), np.geterr()\n"
        "import attnlib\n"
        "print(before == (np.random.get_state()[1].tolist(), random.getstate(), np.geterr()))"
    ) == ["True"]


def test_every_public_name_is_there_and_its_docstring_tells_the_shapes():
    assert len(set(attnlib.__all__)) == len(attnlib.__all__)
    for name in attnlib.__all__:
        documentation = getattr(attnlib, name).__doc__
        assert re.search(r"shape|append\(", documentation), name
