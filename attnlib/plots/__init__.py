"""The figures of the book, in one style: data in, a picture shown, nothing returned."""

from attnlib.plots.bars import attention_rows, distributions
from attnlib.plots.canvas import palette
from attnlib.plots.curves import lines, runs, spread
from attnlib.plots.geometry import mixtures
from attnlib.plots.levels import level_lines
from attnlib.plots.matrices import causal_tables, head_tables, table, tables
from attnlib.plots.shadows import shadows
from attnlib.plots.stages import head_stages
from attnlib.plots.walks import walks

__all__ = [
    "attention_rows",
    "causal_tables",
    "distributions",
    "head_stages",
    "head_tables",
    "level_lines",
    "lines",
    "mixtures",
    "palette",
    "runs",
    "shadows",
    "spread",
    "table",
    "tables",
    "walks",
]
