"""How long a chapter takes: the words of its main path, and what there is to do."""

from __future__ import annotations

import re

from book.lesson.side_paths import asides
from manuscript import source

from attnlib.exercises.catalogue import exercise

WORDS_A_MINUTE = 200
# minutes for what is done and not read
QUESTION, EXPLORER, ON_PAPER, IN_CODE = 1, 3, 5, 8
# sections that are done, or read after the chapter
NOT_READ = ("Exercises", "Where to read on")

HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
# formulas, the box of goals, which says what the page says, labels, the lines of directives, and
# where a phrase leads
NO_WORDS = re.compile(
    r"^```\{(?:math|admonition)\}.*?^```|<!--.*?-->|^\([^\n]*\)=$|^:\w+:[^\n]*$|^`{3,}[^\n]*$"
    r"|(?<=\])\(set:[^)]*\)",
    re.M | re.S,
)
FORMULA = re.compile(r"\$[^$]+\$")
WORD = re.compile(r"[^\W_][\w'’.-]*")


def main_path(notebook: dict) -> str:
    """What everybody reads after the box: no side paths, exercises or code; a formula is a word."""
    closed = {*asides(notebook), *NOT_READ}
    kept, skipped = [], 0
    for cell in notebook["cells"]:
        caption = cell["metadata"].get("mystnb", {}).get("figure", {}).get("caption", "")
        text = source(cell) if cell["cell_type"] == "markdown" else caption
        # pieces: text, then for each heading its marks, its words and what follows
        before, *rest = HEADING.split(NO_WORDS.sub("", text))
        pieces = [("", "", before), *zip(rest[::3], rest[1::3], rest[2::3], strict=True)]
        for marks, heading, body in pieces:
            if marks and (not skipped or len(marks) <= skipped):
                skipped = len(marks) if heading in closed else 0
                kept.append(heading)
            if not skipped:
                kept.append(body)
    return FORMULA.sub("x", "\n".join(kept))


def words(notebook: dict) -> int:
    return len(WORD.findall(main_path(notebook)))


def minutes(notebook: dict) -> tuple[int, int]:
    """Minutes in all, to the next five, and those of reading."""
    text = "\n".join(map(source, notebook["cells"]))
    exercises = re.findall(r":label: ex-([a-z]+(?:-[a-z]+)*)", text)
    on_paper = sum(bool(exercise(id_).fields) for id_ in exercises)
    questions = sum("prediction" in cell["metadata"] for cell in notebook["cells"])
    explorers = sum("attn-explorer" in str(cell.get("outputs")) for cell in notebook["cells"])
    doing = questions * QUESTION + explorers * EXPLORER
    doing += on_paper * ON_PAPER + (len(exercises) - on_paper) * IN_CODE
    reading = words(notebook) / WORDS_A_MINUTE
    return 5 * round((reading + doing) / 5), round(reading)
