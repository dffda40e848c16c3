"""What concerns the notebooks' cells too: which worker runs what, and the outputs that are stored.

nbval compares nothing for a cell without an execution count, and leaves images out. It has just
run the cell, so its outputs need only be counted. (This file lies here, and not among the tests,
because it watches the items of ``chapters/``.)
"""

from __future__ import annotations

import re

import pytest
from nbval.plugin import IPyNbCell
from xdist.scheduler import LoadScopeScheduling

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


class ByFile(LoadScopeScheduling):
    """Give a file to one worker; and a page of the site, whose tests share one visit."""

    def _split_scope(self, nodeid):
        page = re.search(r"\[(\w+/[\w/]+\.html)\]$", nodeid)
        return page[1] if page else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return ByFile(config, log) if config.getvalue("dist") == "load" else None


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
