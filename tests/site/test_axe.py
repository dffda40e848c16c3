"""axe finds nothing on any page: both editions, light and dark, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from accessibility import axe
from browser import opened
from visits import AXE_VIEWS, AXE_VIEWS_OF_FRAME, EDITIONS, ON_EVERY_PAGE


@ON_EVERY_PAGE
def test_axe_finds_nothing(path, visits):
    views = AXE_VIEWS[path.partition("/")[0]] + AXE_VIEWS_OF_FRAME.get(Path(path).stem, [])
    found = visits(path).axe
    assert [one["view"] for one in found] == [f"{width} {theme}" for width, theme in views]
    for one in found:
        assert one["samples"] > 5
        assert one["rules"] >= 20
        assert not one["faults"]


def test_no_edition_is_left_out():
    assert [*EDITIONS] == [*AXE_VIEWS] == ["en", "zh"]


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("document.querySelector('article').append(document.createElement('button'))", "button"),
        ("document.querySelector('article p').style.color = '#999'", "color-contrast: "),
    ],
)
def test_a_fault_is_found(fault, named, browser, origin):
    with opened(browser, f"{origin}/en/chapters/notation.html", color_scheme="light") as (page, _):
        page.evaluate(fault)
        [found] = axe(page, [(1280, "light")])
        assert [fault for fault in found["faults"] if fault.startswith(named)]
