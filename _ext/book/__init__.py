"""The site's Sphinx extension: one name in ``_config.yml``, one room for each job."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
"""The folder of the project."""

PARTS = (
    "mathematics.katex",
    "colours.sheet",
    "colours.words",
    "figures.inline",
    "explorers.assets",
    "phrases.words",
    "lesson.predictions",
    "lesson.ledger",
    "lesson.assets",
    "boxes.exercise",
    "exercises.forms",
    "exercises.assets",
    "lesson.proof_lines",
    "lesson.side_paths",
    "other_formats.boxes",
    "evidence.formula_index",
    "evidence.stored_outputs",
    "theme.chapter_numbers",
    "theme.mends",
    "theme.one_sheet",
    "theme.one_script",
    "references.author_year",
    "theme.front_door",
    "languages.switch",
    "sharing.head",
    "languages.messages",
    "search.index",
    "languages.downloads",
    "languages.formula_words",
    "languages.captions",
    "languages.chinese_lines",
)


def setup(app: Sphinx) -> dict:
    # the attnlib of this very tree, whatever is installed
    sys.path.insert(0, str(ROOT))
    for part in PARTS:
        app.setup_extension(f"{__name__}.{part}")
    return {"parallel_read_safe": True, "parallel_write_safe": False}
