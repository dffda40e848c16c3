"""Explorers: widgets in Jupyter, the same on a page without Python.

Importing this package loads nothing; an explorer's libraries load when its class is first used.
"""

from importlib import import_module

_HOME = {"ScalingExplorer": "scaling"}

__all__ = ["ScalingExplorer"]  # noqa: F822 (made by __getattr__)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__():
    return sorted([*globals(), *_HOME])
