"""The claims of the book, and how cells and docstrings name them (no extension by itself)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

KINDS = {"P": "proof", "N": "check", "X": "explorer", "E": "exercise", "T": "text"}
TAG = re.compile(r"([PNXET])-(\d+\.\d+)(-main)?")
NAMED = re.compile(r"\b[Cc]laims? (\d+\.\d+(?:(?:,| and| to) \d+\.\d+)*)")
RANGE = re.compile(r"(\d+\.\d+)(?: to (\d+\.\d+))?")


def claims(chapters: Path) -> list[dict]:
    return tomllib.loads((chapters / "claims.toml").read_text(encoding="utf-8"))["claim"]


def tags(cell: dict) -> list[tuple[str, str, bool]]:
    """What a cell declares: kind, claim, and whether it is the one to read first."""
    found = (TAG.fullmatch(tag) for tag in cell["metadata"].get("tags", []))
    return [(match[1], match[2], bool(match[3])) for match in found if match]


def evidence(cell: dict) -> list[tuple[str, str]]:
    """The evidence that a cell declares: pairs of kind and claim, such as ("P", "4.2")."""
    return [(kind, claim) for kind, claim, _ in tags(cell)]


def named(text: str, known: Sequence[str]) -> list[str]:
    """The claims that a docstring names, as in "Claims 4.1, 4.3 to 5.2 and 7.1".

    A range has every known claim between its ends; an end that is not known stands for itself.
    """
    found: list[str] = []
    for match in NAMED.finditer(" ".join(text.split())):
        for first, last in RANGE.findall(match[1]):
            ends = [first, last or first]
            if set(ends) <= set(known):
                found += known[known.index(ends[0]) : known.index(ends[1]) + 1]
            else:
                found += ends
    return list(dict.fromkeys(found))
