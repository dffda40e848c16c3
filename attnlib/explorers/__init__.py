"""Explorers: widgets in Jupyter, the same on a page without Python.

Importing this package loads nothing; an explorer's libraries load when its class is first used.

A new explorer is a folder. Its ``explorer.py`` has a class derived from `Explorer` that is named
after the folder: ``ScalingExplorer`` of ``scaling``. Its ``view.js`` ends in ``export default
explorer({...})`` (``framework/explorer.js`` says what goes in). Further files that only it needs
may stand beside both. What the reader can set is declared once, in the class. What `numbers` gives
in Python and ``compute`` in JavaScript has the same names, and
``tests/explorers/test_javascript_computes_the_same.py`` holds them together; its truth is held by
a test of its own, ``tests/explorers/test_oracle_<name>.py``.
"""

from importlib import import_module
from pkgutil import iter_modules

_FOLDERS = {
    f"{module.name.capitalize()}Explorer": module.name
    for module in iter_modules(__path__)
    if module.name != "framework"
}

__all__ = sorted(_FOLDERS)


def __getattr__(name):
    if name not in _FOLDERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FOLDERS[name]}.explorer"), name)


def __dir__():
    return sorted({*globals(), *__all__})


def names():
    """Return the names of the explorers there are, in alphabetical order."""
    return sorted(_FOLDERS.values())


def by_name(name):
    """Return the class of the explorer whose element has this name.

    Raises
    ------
    ValueError
        If there is none; the message names those there are.
    """
    if name not in names():
        raise ValueError(f"no explorer is called {name!r}; there are: {', '.join(names())}")
    return __getattr__(f"{name.capitalize()}Explorer")
