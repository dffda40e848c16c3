"""The explorer of the first page: the whole formula, and which numbers one of its cells needs."""

import numpy as np

from attnlib.attention import self_attention
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.settings import Choice, Switch, Whole
from attnlib.explorers.framework.tables import both, matrix_table, table
from attnlib.explorers.framework.two_features import TwoFeatures

STAGES = {
    "Q": "Q = XW_Q",
    "K": "K = XW_K",
    "V": "V = XW_V",
    "S": "S = QK^⊤",
    "S_scaled": "S̃ = S/√d_k",
    "S_masked": "S̃ + M",
    "A": "A = softmax(S̃ + M)",
    "Z": "Z = AV",
}
GIVEN = ("X", "W_Q", "W_K", "W_V")
SYMBOLS = {
    **{name: f"<i>{name}</i>" for name in ("X", "Q", "K", "V", "S", "A", "Z")},
    **{f"W_{name}": f"<i>W<sub>{name}</sub></i>" for name in "QKV"},
    "S_scaled": "<i>S̃</i>",
    "S_masked": "<i>S̃</i> + <i>M</i>",
}


class PipelineExplorer(TwoFeatures):
    """Every matrix of the formula, and the cells that a chosen one depends on (Claim 6.3).

    Five tokens with two features each, as in `ProjectionExplorer`. A cell is needed if the chosen
    one follows it; where a query sees one key alone, the weight is 1 and needs no score. A view
    that starts from the defaults asks first, and marks nothing until the reader has guessed.

    Parameters
    ----------
    stage : {"Z", "Q", "K", "V", "S", "S_scaled", "S_masked", "A"}
        The matrix with the chosen cell; "S_masked" is the scaled scores plus the mask.
    i : int
        1 to 5: the row of the chosen cell.
    j : int
        1 to 5: its column in the matrices from S to A.
    r : int
        1 or 2: its column in Q, K, V and Z.
    causal : {"on", "off"}
    X : array_like, shape (5, 2)
        Entries from -3 to 3, here and below. Kept as a tuple of row tuples: set a new matrix
        to change an entry.
    W_Q, W_K, W_V : array_like, shape (2, 2)

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "pipeline"

    stage = Choice({name: (formula, formula) for name, formula in STAGES.items()}, start="Z")
    i = Whole(1, 5, 4)
    j = Whole(1, 5, 2)
    r = Whole(1, 2, 1)
    causal = Switch("on")

    @property
    def trace(self):
        """The `attnlib.AttentionTrace` of these matrices."""
        return self_attention(self.X, self.W_Q, self.W_K, self.W_V, is_causal=self.causal == "on")

    @property
    def matrices(self):
        """What is given and every stage, by name, in the order of the formula."""
        trace = self.trace
        visible = True if trace.mask is None else trace.mask
        made = vars(trace) | {"S_masked": np.where(visible, trace.S_scaled, -np.inf)}
        given = {name: np.array(getattr(self, name)) for name in GIVEN}
        return given | {name: made[name] for name in STAGES}

    @property
    def chosen(self):
        """(row, column) of the chosen cell in its matrix, counted from 1."""
        return self.i, self.r if self.stage in ("Q", "K", "V", "Z") else self.j

    @property
    def dependencies(self):
        """For each matrix, which of its entries the chosen cell depends on, bool.

        The chosen cell itself is not among them. A weight that the mask holds at 0 and a score
        that it holds at −∞ depend on nothing, and nothing depends on them.
        """
        needed = {name: np.zeros(M.shape, dtype=bool) for name, M in self.matrices.items()}
        for name, (rows, columns) in self._blocks().items():
            if name != self.stage:
                needed[name][np.ix_(np.subtract(rows, 1), np.subtract(columns, 1))] = True
        return needed

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib.

        The cells that are marked in a matrix, the chosen one or those it depends on, are a block:
        ``rows-A-1`` and so on are its rows, ``columns-A-1`` and so on its columns.
        """
        marked = {}
        for name, (rows, columns) in self._blocks().items():
            marked |= {f"rows-{name}": rows, f"columns-{name}": columns}
        return sentence.entries(**self.matrices, **marked)

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        words = sentence.words()
        matrices = [
            matrix_table(SYMBOLS[name], M, words if len(M) == 5 else "12")
            for name, M in self.matrices.items()
        ]
        row, column = self.chosen
        needed = [
            (SYMBOLS[name], *(", ".join(map(str, part)) for part in block))
            for name, block in self._blocks().items()
            if name != self.stage
        ]
        needs = table(
            f"{SYMBOLS[self.stage]} ({row}, {column}) " + both("depends on", "取决于"),
            ["", both("rows", "行"), both("columns", "列")],
            needed or [(both("nothing", "无"), "", "")],
        )
        return "\n".join([*matrices, needs])

    def _blocks(self):
        """The rows and columns of the chosen cell and of all that it depends on, from Z to X."""
        features, tokens = [1, 2], [1, 2, 3, 4, 5]
        visible = tokens[: self.i] if self.causal == "on" else tokens
        # the weight of a key that is seen alone is 1, whatever the score
        weighed = visible if len(visible) > 1 else []

        def product(left, right, inner):
            return lambda rows, columns: {left: (rows, inner), right: (inner, columns)}

        sources = {
            "Z": product("A", "V", visible),
            "A": lambda rows, keys: {"S_masked": (rows, weighed if keys[0] in visible else [])},
            "S_masked": lambda rows, keys: {"S_scaled": (rows, [j for j in keys if j in visible])},
            "S_scaled": lambda rows, keys: {"S": (rows, keys)},
            "S": lambda rows, keys: {"Q": (rows, features), "K": (keys, features)},
            "V": product("X", "W_V", features),
            "K": product("X", "W_K", features),
            "Q": product("X", "W_Q", features),
        }
        row, column = self.chosen
        found = {self.stage: ([row], [column])}
        for name, read in sources.items():
            for source, (rows, columns) in read(*found[name]).items() if name in found else ():
                if rows and columns:
                    earlier, _ = found.get(source, ([], []))
                    found[source] = sorted({*earlier, *rows}), columns
        return found
