"""What a cell measured: the lines for the reader, the values by name, and both rounded alike."""

from __future__ import annotations

import json

import numpy as np

from attnlib.measured import FORMAT, Measured


def test_the_lines_and_the_values_say_the_same():
    bundle = Measured({"share": np.float64(0.4049), "of all": 1}, decimals=2)._repr_mimebundle_()
    assert bundle["text/plain"] == "share   0.40\nof all  1"
    assert bundle[FORMAT] == {"share": 0.4, "of all": 1}


def test_values_are_plain_whatever_they_were():
    given = {"table": [np.array([True, False])], "yes": np.True_, "word": "gives", "near 0": -1e-9}
    bundle = Measured(given)._repr_mimebundle_()
    assert json.loads(json.dumps(bundle[FORMAT])) == {
        "table": [[True, False]],
        "yes": True,
        "word": "gives",
        "near 0": 0.0,
    }
    assert bundle["text/plain"].splitlines() == [
        "table   yes no",
        "yes     yes",
        "word    gives",
        "near 0  0.00",
    ]


def test_rows_of_a_table_are_parted():
    assert repr(Measured({"t": [[True], [False]]})) == "t  yes / no"


def test_a_cell_may_say_it_in_its_own_lines():
    bundle = Measured({"x": 1.0}, says=["one line", "another"])._repr_mimebundle_()
    assert bundle == {"text/plain": "one line\nanother", FORMAT: {"x": 1.0}}
