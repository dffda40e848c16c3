"""Where a chapter stands, and how long it takes: said where its reading begins, nowhere else."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from lesson_length import minutes
from manuscript import NOTEBOOKS, read

PLACES = {"en": "{} of {} · {} min", "zh": "第 {} 章，共 {} 章 · {} 分钟"}


@pytest.mark.parametrize("folder", PLACES)
def test_a_chapter_says_its_number(site, folder):
    for number, path in enumerate(NOTEBOOKS, start=1):
        html = (site / folder / "chapters" / f"{path.stem}.html").read_text(encoding="utf-8")
        soup = BeautifulSoup(html, "html.parser")
        assert soup.select_one("article h1").contents[0].get_text() == str(number)
        place = soup.select_one("article .admonition .chapter-place").get_text()
        assert place == PLACES[folder].format(number, len(NOTEBOOKS), minutes(read(path))[0])
        assert not soup.title.get_text().strip().startswith(str(number))
        for link in soup.select("nav a"):
            assert not link.select(".chapter-number, .chapter-place")
