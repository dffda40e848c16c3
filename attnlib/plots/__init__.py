"""The figures of the book, in one style: data in, a picture shown, nothing returned."""

from attnlib.plots.canvas import attention_rows, distributions, lines, matrix, palette
from attnlib.plots.causal import causal_matrices
from attnlib.plots.geometry import mixtures
from attnlib.plots.heads import head_tables
from attnlib.plots.spread import spread
from attnlib.plots.tables import tables
from attnlib.plots.training import runs

__all__ = [
    "attention_rows",
    "causal_matrices",
    "distributions",
    "head_tables",
    "lines",
    "matrix",
    "mixtures",
    "palette",
    "runs",
    "spread",
    "tables",
]
