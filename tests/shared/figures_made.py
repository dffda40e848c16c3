"""The figures that a drawing function makes, and the pictures that it would show."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from matplotlib.figure import Figure

from attnlib.plots import canvas


class Picture(NamedTuple):
    """What is shown of a figure, twice."""

    png: bytes
    svg: str


@pytest.fixture
def shown(monkeypatch):
    """Collect the pictures that would be shown, and the figures they were made from."""
    pictures, made = [], []
    monkeypatch.setattr(canvas, "show", lambda *kinds, width: pictures.append(Picture(*kinds)))
    save = Figure.savefig

    def keep(self, *args, **kwargs):
        if self not in made:
            made.append(self)
        return save(self, *args, **kwargs)

    monkeypatch.setattr(Figure, "savefig", keep)
    return pictures, made


@pytest.fixture
def figures(shown):
    """Collect the figures that are made, and show none."""
    return shown[1]
