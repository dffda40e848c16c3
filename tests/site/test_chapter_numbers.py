"""Where a chapter stands, and how long it takes: said where its reading begins, nowhere else."""

from __future__ import annotations

import pytest
from html_pages import tree
from lesson_length import minutes
from manuscript import NOTEBOOKS, read

PLACES = {"en": "{} of {} · {} min", "zh": "第 {} 章，共 {} 章 · {} 分钟"}


@pytest.mark.parametrize("folder", PLACES)
def test_a_chapter_says_its_number(site, folder):
    for number, path in enumerate(NOTEBOOKS, start=1):
        soup = tree(site / folder / "chapters" / f"{path.stem}.html")
        assert soup.cssselect("article h1")[0][0].text_content() == str(number)
        place = soup.cssselect("article .admonition .chapter-place")[0].text_content()
        assert place == PLACES[folder].format(number, len(NOTEBOOKS), minutes(read(path))[0])
        assert not soup.findtext(".//title").strip().startswith(str(number))
        assert soup.cssselect("nav a")
        assert not soup.cssselect("nav a :is(.chapter-number, .chapter-place)")
