"""The figures of the book, in one style: data in, a picture shown, nothing returned."""

from attnlib.plots.bars import attention_rows, distributions
from attnlib.plots.canvas import palette
from attnlib.plots.curves import lines, runs, spread
from attnlib.plots.geometry import mixtures
from attnlib.plots.matrices import causal_tables, head_tables, table, tables
from attnlib.plots.shadows import shadows

__all__ = [
    "attention_rows",
    "causal_tables",
    "distributions",
    "head_tables",
    "lines",
    "mixtures",
    "palette",
    "runs",
    "shadows",
    "spread",
    "table",
    "tables",
]
