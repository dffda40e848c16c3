"""What stands at every exercise of the site, and how a symbol in plain words is set."""

from __future__ import annotations

import re
from html import escape

WORDS = {
    "en": {
        "check": "Check",
        "clear": "Clear",
        "solution": "Open the solution",
        "none": "none",
        "nth": "{label}, {place} of {size}",
        "asked": "What is checked, one after the other:",
        "where": "The check runs in the notebook, which has a cell for your function: ",
        "notebook": "download this chapter",
        "stop": ".",
    },
    "zh": {
        "check": "检查",
        "clear": "清除",
        "solution": "打开解答",
        "none": "一个也没有",
        "nth": "{label}，第 {place} 个，共 {size} 个",
        "asked": "依次检查下面各项：",
        "where": "检查在笔记本中运行，那里有填写函数的单元格：",
        "notebook": "下载本章",
        "stop": "。",
    },
}
SYMBOL = re.compile(r"(?<![\w])([A-Za-z])_(\w+)", re.ASCII)


def typeset(text: str) -> str:
    """HTML of plain words, in which ``z_1`` is a symbol; so is a letter that stands alone."""
    if len(text) == 1 and text.isalpha():
        return f'<i class="symbol">{escape(text)}</i>'
    return SYMBOL.sub(symbol, escape(text, quote=False))


def symbol(found: re.Match[str]) -> str:
    below = f"<i>{found[2]}</i>" if found[2].isalpha() and len(found[2]) == 1 else found[2]
    return f'<i class="symbol">{found[1]}</i><sub>{below}</sub>'


def spoken(text: str) -> str:
    """Words for an attribute, in which a symbol is read letter by letter."""
    return escape(text.replace("_", " "))
