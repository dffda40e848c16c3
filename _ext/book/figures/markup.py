"""The SVG that a notebook stores, as a part of a page (no extension by itself)."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

from book.colours.variables import variable_of

TEXT = re.compile(r"(<text\b[^>]*>)([^<]*)(?=</text>)")
SIZE = re.compile(r'<svg\b[^>]* viewBox="(0 0 \S+ \S+)"[^>]*>')
IDENTITY = re.compile(r'((?:\bid="|\bhref="#|\burl\(#))(\w+)')
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
DROP = 2.5  # of the 11 that a letter is high
# two letters make a word, unless they are a name of mathematics
WORD = re.compile(r"(?!softmax\b)\b[A-Za-z]{2,}")


class StrangeColourError(ValueError):
    """A figure has a colour that is neither of a role nor one of the greys."""


def words(svg: str) -> list[str]:
    """The texts of a figure that have words in them, each once."""
    texts = (unescape(text) for _, text in TEXT.findall(svg))
    return [text for text in dict.fromkeys(texts) if WORD.search(text)]


def translated(svg: str, translate: Callable[[str], str]) -> str:
    """The figure as a notebook stores it, its texts with words translated."""

    def replace(text: re.Match[str]) -> str:
        said = unescape(text[2])
        return text[1] + escape(translate(said) if WORD.search(said) else said, quote=False)

    return TEXT.sub(replace, svg)


def on_a_page(svg: str, name: str, label: str, translate: Callable[[str], str]) -> str:
    """A figure without its ground, in the colours and the words of the page.

    It is a group with a name, so that what stands in it can be read, too.
    """
    size = SIZE.match(svg)
    if not size:
        raise ValueError(f"{name} is no SVG with a size")
    _ground, *shapes = translated(svg, translate)[size.end() :].strip().split("\n")
    inside = IDENTITY.sub(rf"\g<1>{name}-\g<2>", "\n".join(shapes))
    inside = COLOUR.sub(of_theme, inside)
    inside = TEXT.sub(lambda text: text[1] + written(text[2]), inside)
    start = f'<svg viewBox="{size[1]}" role="group" aria-label="{escape(label)}">'
    return f'<div class="attn-figure">{start}\n{inside}</div>'


def written(text: str) -> str:
    """A text as a page shows it: what follows an underscore stands lower."""
    first, *lowered = text.split("_")
    return first + "".join(
        f'<tspan class="attn-sub" dy="{DROP}">{part[0]}</tspan>'
        + (f'<tspan dy="-{DROP}">{part[1:]}</tspan>' if part[1:] else "")
        for part in lowered
    )


def of_theme(colour: re.Match[str]) -> str:
    """The variable for a colour of a light page."""
    variable = variable_of(colour[0])
    if variable is None:
        raise StrangeColourError(f"{colour[0]} is a colour of no role and none of the greys")
    return f"var({variable})"
