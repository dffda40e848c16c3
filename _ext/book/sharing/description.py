"""One sentence or two on what a page is about, from the page itself (no extension by itself).

A chapter begins with a box that says what its reader will be able to do, any other page with a
paragraph. Both are translated with the page.
"""

from __future__ import annotations

import re

from docutils import nodes

from book.plain_text import plain, said

# a line of a result holds about so many characters; Chinese ones are twice as wide
LONGEST = {"zh": 80}
LONGEST_ELSEWHERE = 160
SAID = (nodes.paragraph, nodes.math_block)


def description(document: nodes.document, language: str) -> str:
    """The beginning of what a page says, cut at the end of a word."""
    longest = LONGEST.get(language.partition("_")[0], LONGEST_ELSEWHERE)
    text = ""
    for node in document.findall(lambda n: isinstance(n, SAID)):
        line = said(node) if isinstance(node, nodes.paragraph) else plain(node.astext())
        text = f"{text} {line}".strip()
        if len(text) > longest / 2:
            break
    return cut(text, longest).rstrip(",;，；、")


def cut(text: str, longest: int) -> str:
    """The text as it is, or as much of it as fits, with dots behind it."""
    if len(text) <= longest:
        return text
    ends = [found.end() for found in re.finditer(r"[,;，；、。]|\S(?=\s)", text[:longest])]
    return text[: ends[-1] if ends else longest].rstrip(" ,;，；、") + "…"
