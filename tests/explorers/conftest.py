"""What the tests of labels share."""

from labelled import every_explorer, t, view  # noqa: F401 (fixtures)
