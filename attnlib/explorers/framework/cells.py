"""Close what an earlier run of the same notebook cell made.

ipywidgets keeps every widget, and its line to the page, until it is closed; running a cell again
makes new widgets and forgets the old ones. So a widget that is made in a cell ends when that cell
runs again.
"""

import sys
from weakref import WeakSet

_made = {}


def running_cell():
    """Return (id of the cell, id of this run), or None outside a notebook's cell."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell = (request.get("metadata") or {}).get("cellId")
    return (cell, request["header"]["msg_id"]) if cell else None


def adopt(widget):
    """Remember `widget` for the running cell; close those of the cell's earlier runs."""
    running = running_cell()
    if running is None:
        return
    cell, run = running
    earlier_run, widgets = _made.get(cell, (run, WeakSet()))
    if earlier_run != run:
        for old in list(widgets):
            old.close()
        widgets = WeakSet()
    widgets.add(widget)
    _made[cell] = (run, widgets)
