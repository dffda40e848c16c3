"""Which exercises there are: the folders know, ``causal/by_hand.py`` is ``causal-by-hand``."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

FOLDER = Path(__file__).parent
PACKAGE = __package__


def exercise(exercise_id):
    """Return the `EXERCISE` of the module whose place the id is.

    Raises
    ------
    KeyError
        If there is no such exercise; the message lists those there are.
    """
    modules = _modules()
    if exercise_id not in modules:
        raise KeyError(f"no exercise {exercise_id!r}; there are: {', '.join(modules)}")
    return import_module(modules[exercise_id]).EXERCISE


def exercise_ids():
    """Return the ids of all exercises, in the order of the alphabet."""
    return tuple(_modules())


def _modules():
    """Return the module of each exercise by its id: every module in the folder of a chapter."""
    found = {
        f"{chapter}-{module.name}".replace("_", "-"): f"{PACKAGE}.{chapter}.{module.name}"
        for chapter in (package.name for package in iter_modules([str(FOLDER)]) if package.ispkg)
        for module in iter_modules([str(FOLDER / chapter)])
    }
    return dict(sorted(found.items()))
