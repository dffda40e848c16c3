"""Lead from each claim to its formula, proofs, checks, functions, explorers, exercises and tests.

    python tools/claims.py [NAME ...]

A name is a claim (7.4), a chapter (7), or the name of a thing behind claims: an exercise
(causal-leaks), an explorer, a function, a cell or a test. Without one, every claim is printed.
A star marks the proof, the check and the function to read first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from book.evidence.claims import claims
from book.evidence.places import Place, everything

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("formula", "proof", "check", "text", "function", "explorer", "exercise", "test")
FIRST = ("proof", "check", "function")


def asked_for(id_: str, behind: dict[str, list[Place]], names: list[str]) -> bool:
    own = {place.name for places in behind.values() for place in places}
    own |= {name.rpartition(".")[2] for name in own} | {id_, id_.partition(".")[0]}
    return not names or not own.isdisjoint(names)


def table(id_: str, text: str, behind: dict[str, list[Place]]) -> Iterator[str]:
    yield f"{id_}  {text}"
    for kind in KINDS:
        for number, place in enumerate(behind.get(kind, [])):
            star = "*" if kind in FIRST and number == 0 else " "
            yield f"  {kind:8} {star} {place.name:45} {'  '.join(place.at)}".rstrip()


def main() -> None:
    names = sys.argv[1:]
    behind = everything(ROOT)
    shown = [
        "\n".join(table(claim["id"], claim["text"], behind[claim["id"]]))
        for claim in claims(ROOT / "chapters")
        if asked_for(claim["id"], behind[claim["id"]], names)
    ]
    if not shown:
        sys.exit(f"No claim, and nothing behind one, is called {' or '.join(names)}.")
    print("\n\n".join(shown))


if __name__ == "__main__":
    main()
