"""The explorer of the first page: one query, which the reader turns, and a word that never wins."""

import math

import numpy as np

from attnlib.attention import attend
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Number
from attnlib.explorers.framework.tables import both, table
from attnlib.explorers.framework.two_features import start

LONGEST = 4.0


class CompassExplorer(Explorer):
    """One query against the five keys of the first page, with two features (Claim 3.4).

    The query is an arrow. Its scores s_j = q k_j / √2 make the weights, and these mix the values.
    The key of the first word is the midpoint of those of the third and the fifth: its weight is
    √(α_3 α_5) whatever the query, so no query brings it to the top.

    Parameters
    ----------
    angle : float
        0 to 360: the direction of the query in degrees, counterclockwise from the first feature.
    length : float
        0 to 4.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "compass"

    angle = Number(0.0, 360.0, 70.0)
    length = Number(0.0, LONGEST, 1.5)

    @property
    def q(self):
        """The query, shape (2,)."""
        turn = math.radians(self.angle)
        return self.length * np.array([math.cos(turn), math.sin(turn)])

    @property
    def trace(self):
        """The `attnlib.AttentionTrace` of this query, n_q = 1, n = 5, d_k = 2, d_v = 2."""
        given = start()
        return attend(self.q[None], given["X"] @ given["W_K"], given["X"] @ given["W_V"])

    @property
    def weights(self):
        """The weights of the five words, shape (5,)."""
        return self.trace.A[0]

    @property
    def lead(self):
        """By how much the largest weight is more than the next."""
        first, second = np.sort(self.weights)[:-3:-1]
        return float(first - second)

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        trace, weights = self.trace, self.weights
        return {
            "lead": self.lead,
            "mean": float(np.sqrt(weights[2] * weights[4])),
            **sentence.entries(
                K=trace.K,
                V=trace.V,
                q=self.q,
                score=trace.S_scaled[0],
                weight=weights,
                z=trace.Z[0],
                sum=np.cumsum(weights[:, None] * trace.V, axis=0),
            ),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        trace, words = self.trace, sentence.words()
        columns = [*trace.K.T, trace.S_scaled[0], self.weights, *trace.V.T]
        rows = [*zip(words, *columns, strict=True)]
        rows.append(("<i>z</i>", "", "", "", float(self.weights.sum()), *trace.Z[0]))
        head = [both("word", "词") + " <i>j</i>"]
        head += [f"<i>K</i><sub><i>j</i>{r}</sub>" for r in "12"]
        head += ["<i>q k<sub>j</sub></i><sup>⊤</sup>/√2", "<i>α<sub>j</sub></i>"]
        head += [f"<i>V</i><sub><i>j</i>{r}</sub>" for r in "12"]
        query = f"<i>q</i> = ({self.q[0]:.2f}, {self.q[1]:.2f})".replace("-", "−")
        return table(both("One query, five words", "一个查询，五个词") + f": {query}", head, rows)
