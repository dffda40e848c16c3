"""What exercises share whose answer is written down: named numbers, or words."""

from attnlib.exercises.answers import close, near
from attnlib.exercises.machinery import Property
from attnlib.exercises.text import Text

KEEP_THE_CELL = Text(
    "Keep the names and the number of places of the cell as it was, and fill in numbers, without "
    "quotes.",
    "请保留单元格原来的名称和空位个数，只填入数字，不加引号。",
)


def form(says, hint=KEEP_THE_CELL):
    """Return the property that an answer has the form that was asked for."""
    return Property("form", says, hint, lambda f: f() is not None)


def is_right(name, expected, within=None):
    """Return what a property asks of one named result: right, or right to so many decimals."""
    if within is None:
        return lambda f: close(f()[name], expected)
    return lambda f: near(f()[name], expected, within)
