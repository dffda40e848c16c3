"""The wheel that the site carries is attnlib, whole: the tests themselves run the source tree."""

from __future__ import annotations

from zipfile import ZipFile

from manuscript import ROOT

import attnlib


def test_the_wheel_beside_the_site_has_every_file_of_the_library(site):
    wheel = site / f"attnlib-{attnlib.__version__}-py3-none-any.whl"
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("attnlib/")}
        texts = {name: archive.read(name) for name in packed}
    there = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "attnlib").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "attnlib/palette.json" in there
    assert packed == there.keys()
    assert texts == there
