"""The explorer of chapter 2: q, k and v of two features, and what a change of X or W reaches."""

import numpy as np

from attnlib.attention import self_attention
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.settings import Whole
from attnlib.explorers.framework.tables import both, matrix_table, table
from attnlib.explorers.framework.two_features import TwoFeatures, start

NAMES = ("Q", "K", "V", "A", "Z")


class ProjectionExplorer(TwoFeatures):
    """Q, K and V of five tokens with two features each, to be drawn (Claims 2.2 and 2.4).

    At the start these are features 1 and 4 of the running example, and features 1 and 3 of its
    queries and keys.

    Parameters
    ----------
    i : int
        1 to 5: the token whose row is drawn.
    X : array_like, shape (5, 2)
        Entries from -3 to 3, here and below. Kept as a tuple of row tuples: set a new matrix
        to change an entry.
    W_Q, W_K, W_V : array_like, shape (2, 2)

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "projection"

    i = Whole(1, 5, 4)

    @property
    def head(self):
        """The `attnlib.AttentionTrace` of these matrices."""
        return self_attention(self.X, self.W_Q, self.W_K, self.W_V)

    @property
    def moved(self):
        """The largest change of an entry of Q, K, V, A and Z since the start, by name."""
        head, before = self.head, self_attention(**start())
        return {
            name: float(np.abs(getattr(head, name) - getattr(before, name)).max()) for name in NAMES
        }

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        head = self.head
        return {
            **{f"moved-{name}": change for name, change in self.moved.items()},
            **sentence.entries(Q=head.Q, K=head.K, V=head.V, A=head.A, Z=head.Z),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        head, words = self.head, sentence.words()
        given = [matrix_table("<i>X</i>", self.X, words)]
        given += [
            matrix_table(f"<i>W<sub>{name}</sub></i>", getattr(self, f"W_{name}"), "12")
            for name in "QKV"
        ]
        made = [matrix_table(f"<i>{n}</i>", getattr(head, n), words) for n in "QKVAZ"]
        changes = table(
            both("Compared with the start", "与初值相比"),
            ["", both("largest change", "最大变化")],
            [(f"<i>{name}</i>", change) for name, change in self.moved.items()],
        )
        return "\n".join([*given, *made, changes])
