"""Print the benchmarks as Markdown: `python benchmarks/run.py [short] [long] [memory] [training]`.

Without names all of them run. The machine should be otherwise idle; every comparison is made in
pairs, and medians are given, because it never is.
"""

import os
import sys
from importlib import import_module

TABLES = {
    "short": "short_sequences",
    "long": "long_sequences",
    "memory": "memory",
    "training": "role_training",
}


def main(names):
    """Print the tables of these names, all of them if there are none."""
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        sys.exit(f"no table is called {', '.join(unknown)}; there are: {', '.join(TABLES)}")
    # a kernel of OpenBLAS set by hand and the cache size set for it belong together: both go, and
    # before NumPy is loaded, which is why the tables are imported below
    for setting in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(setting, None)
    machine = import_module("machine")
    print("\n".join(["# Benchmarks of attnlib", "", *machine.description()]))
    for name in names or TABLES:
        print("\n".join(["", *import_module(TABLES[name]).report()]), flush=True)
    print(f"\n{machine.load()}")


if __name__ == "__main__":
    main(sys.argv[1:])
