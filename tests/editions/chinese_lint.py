"""What a Chinese text of the book must not contain, and what it must share with the English.

    python tests/editions/chinese_lint.py CATALOGUE ...

prints every fault of the catalogues; ``test_translations.py`` holds all of them to it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from babel.messages.pofile import read_po
from markdown_it import MarkdownIt

HAN = r"[\u3400-\u9fff]"
# a formula, a piece of code and a role count as one letter each
LETTER = "\ue000"
LATIN = rf"[A-Za-z0-9{LETTER}]"
WIDE = "（“‘《「，。；：？！、）”’》」"

CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
ROLE = re.compile(r"\{([\w:-]+)\}`([^`]+)`")
ROLE_TARGET = re.compile(r".*<")
MATH = re.compile(r"(?<!\\)\$([^$]+)\$")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TEXT_IN_TEX = re.compile(r"\\(?:text|textbf|textit|mbox)\{[^{}]*\}")
# the tokens of the example stand apart, as the model sees them
EXAMPLE = re.compile(r"小明 把|把 书|书 送给|送给 小红")
COMMONMARK = MarkdownIt("commonmark")


def protected(text: str) -> Counter[tuple[str, str]]:
    """What a translation must keep: roles, code, formulas without their words, targets of links."""
    found: Counter[tuple[str, str]] = Counter()
    rest = text
    for kind, pattern in (("role", ROLE), ("code", CODE), ("formula", MATH), ("link", LINK)):
        for match in pattern.finditer(rest):
            parts = ":".join(match.groups())
            if kind == "role":
                # the words of a link may change, its target may not
                parts = f"{match[1]}:{ROLE_TARGET.sub('', match[2]).rstrip('>')}"
            if kind == "formula":
                parts = TEXT_IN_TEX.sub("TEXT", parts)
            found[kind, parts] += 1
        rest = pattern.sub(" ", rest)
    return found


def is_display(text: str) -> bool:
    """Whether a message is the TeX of a displayed formula."""
    return "\\" in text and "$" not in text and not re.search(r"[A-Za-z]{3,} [a-z]{2,} ", text)


RULES = (
    (rf"{HAN}{LATIN}|{LATIN}{HAN}", "no space between Chinese and Latin"),
    (rf"{HAN} +{HAN}", "a space between Chinese characters"),
    (rf"[{WIDE}] | [{WIDE}]", "a space beside a full-width mark"),
    (rf"{HAN}[,;:?!()]|[,;:?!()]{HAN}|{HAN}\.(?!\w)", "a half-width mark beside a character"),
    (rf"\"{HAN}|{HAN}\"", "straight quotes beside a Chinese character"),
    (r"[。，；：、]{2,}", "two full-width marks in a row"),
)


def lettered(text: str) -> str:
    """The text with one letter for each formula, piece of code and role."""
    for pattern in (ROLE, CODE, MATH):
        text = pattern.sub(LETTER, text)
    return text


def faults_of_text(text: str) -> list[str]:
    """What is wrong with a Chinese text by itself."""
    found = ["a line break, which shows as a space"] if "\n" in text else []
    shown = re.sub(r"[\[\]*]", "", LINK.sub("]", lettered(text)))
    for pattern, fault in RULES:
        for match in re.finditer(pattern, shown):
            around = shown[max(0, match.start() - 8) : match.end() + 8]
            if not EXAMPLE.search(around):
                found.append(f"{fault}: …{around}…")
    return found + faults_of_marks(text)


def faults_of_marks(text: str) -> list[str]:
    """Italics, and asterisks that stay asterisks for the character beside them, unescaped."""
    shown, slanted, depth = "", "", 0
    for token in COMMONMARK.parse(lettered(text).replace(r"\*", LETTER)):
        for child in token.children or []:
            depth += {"em_open": 1, "em_close": -1}.get(child.type, 0)
            if child.type == "text":
                shown += child.content
                slanted += child.content if depth else ""
    if re.search(HAN, slanted):
        return [f"Chinese has no italics, make it bold: {slanted}"]
    if "*" not in shown:
        return []
    return [f"emphasis that does not close: …{shown[max(0, shown.index('*') - 12) :][:30]}…"]


def faults(english: str, chinese: str) -> list[str]:
    """What is wrong with the translation of one message."""
    if is_display(english):
        same = TEXT_IN_TEX.sub("TEXT", english).split() == TEXT_IN_TEX.sub("TEXT", chinese).split()
        return [] if same else ["the formula differs"]
    left, right = protected(english), protected(chinese)
    lost = [f"lost {kind} {what!r}" for kind, what in (left - right).elements()]
    added = [f"added {kind} {what!r}" for kind, what in (right - left).elements()]
    return lost + added + faults_of_text(chinese)


def main(paths: list[str]) -> int:
    count = 0
    for path in map(Path, paths):
        with path.open("rb") as file:
            for message in read_po(file):
                if message.id and message.string:
                    for fault in faults(str(message.id), str(message.string)):
                        count += 1
                        print(f"{path.name}: {fault}\n    {str(message.string)[:90]!r}")
    print(f"{count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
