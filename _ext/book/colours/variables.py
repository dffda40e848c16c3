"""The library's colours as variables of a style sheet (no extension by itself)."""

from __future__ import annotations

import json

from book import ROOT

THEMES = ("light", "dark")
# the roles, and what is none of them
FILES = {"--attn-": "attnlib/palette.json", "--attn-grey-": "attnlib/plots/greys.json"}


def variables() -> dict[str, dict[str, str]]:
    """Each variable with its colour in each theme."""
    return {
        f"{prefix}{name.replace('_', '-')}": {theme: shades[theme] for theme in THEMES}
        for prefix, file in FILES.items()
        for name, shades in json.loads((ROOT / file).read_text(encoding="utf-8")).items()
    }


def variable_of(colour: str) -> str | None:
    """The variable whose colour on a light page is this one."""
    for name, shades in variables().items():
        if shades["light"].upper() == colour.upper():
            return name
    return None
