"""Hold each notebook cell to its stored outputs where nbval is content with less.

nbval compares nothing for a cell without an execution count, and leaves images out. It has just
run the cell, so its outputs need only be counted. (This file lies here, and not among the tests,
because it watches the items of ``chapters/``.)
"""

from __future__ import annotations

import pytest
from nbval.plugin import IPyNbCell

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def kinds(outputs) -> list[str]:
    """What a cell put out, in order: the name of a stream, the formats of anything else."""
    found: list[str] = []
    for output in outputs:
        if output.output_type != "stream":
            found.append(" ".join(sorted({*output.get("data", {})} - {WIDGET_VIEW})))
        elif output.name not in found:
            found.append(output.name)
    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    result = yield
    if isinstance(item, IPyNbCell):
        if item.cell.execution_count is None:
            item.raise_cell_error("The stored cell was never run: python -m nox -s notebooks")
        stored, now = kinds(item.cell.outputs), kinds(item.test_outputs)
        if stored != now:
            item.raise_cell_error(f"The stored outputs are {stored}, those of this run {now}")
    return result
