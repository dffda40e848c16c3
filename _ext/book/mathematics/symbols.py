"""Symbols of a formula in the colour of what they stand for (no extension by itself).

KaTeX marks a letter of a formula by its classes. Those of a letter on the line are exactly two; an
index, as in W_Q, has one more, and so has a transpose. MathML and the TeX in it stay as they are.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

ROLES = {
    "query": "Qq",
    "key": "Kk",
    "value": "Vv",
    "signed": "S",
    "weights": "Aα",
    "output": "ZzO",
}
ROLE_OF = {letter: role for role, letters in ROLES.items() for letter in letters}
SYMBOL = re.compile(
    rf'(?<=<span class="mord mathnormal)("(?: style="[^"]*")?>)(?=([{"".join(ROLE_OF)}])</span>)'
)


@cache
def other_meanings() -> dict[str, set[str]]:
    """The formulas of each page in which a letter stands for something else."""
    text = Path(__file__).with_name("other_meanings.toml").read_text(encoding="utf-8")
    return {page: set(formulas) for page, formulas in tomllib.loads(text).items()}


def coloured(html: str, tex: str, page: str) -> str:
    """KaTeX's HTML with the role of each symbol among its classes."""
    if tex in other_meanings().get(page, ()):
        return html
    return SYMBOL.sub(lambda symbol: f" attn-{ROLE_OF[symbol[2]]}{symbol[1]}", html)
