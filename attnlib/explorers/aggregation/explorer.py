"""The explorer of chapter 6: an output as the sum of its terms, entry by entry and tip to tail."""

import numpy as np

from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Number, Whole
from attnlib.explorers.framework.tables import both, matrix_table, table


class AggregationExplorer(Explorer):
    """An entry Z_ir = Σ_j α_ij V_jr of the running example, term by term (Claims 6.1 and 6.2).

    One weight of row i may be set by hand. The others of the row keep their proportions: all are
    multiplied by the same factor, so that the row still sums to 1.

    Parameters
    ----------
    i : int
        1 to 5: the output position.
    r : int
        1 or 2: the feature.
    source : int
        1 to 5: the token whose weight in row i is set by hand; 0: the row is as computed.
    weight : float
        0 to 1: that weight.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "aggregation"

    i = Whole(1, 5, 4)
    r = Whole(1, 2, 1)
    source = Whole(0, 5, 0)
    weight = Number(0.0, 1.0, 0.5)

    @property
    def factor(self):
        """By what the other weights of row i are multiplied; 1 where none is set by hand."""
        if self.source == 0:
            return 1.0
        return (1 - self.weight) / (1 - sentence.head().A[self.i - 1, self.source - 1])

    @property
    def A(self):
        """The weights, shape (5, 5): those of the example, row i with the weight set by hand."""
        A = sentence.head().A.copy()
        if self.source:
            A[self.i - 1] *= self.factor
            A[self.i - 1, self.source - 1] = self.weight
        return A

    @property
    def Z(self):
        """The outputs, shape (5, 2)."""
        return self.A @ sentence.head().V

    @property
    def terms(self):
        """The terms α_ij V_jr of the chosen entry, shape (5,)."""
        return self.A[self.i - 1] * sentence.head().V[:, self.r - 1]

    @property
    def path(self):
        """Where the terms α_ij v_j end that are laid tip to tail, shape (5, 2): the last is z_i."""
        return np.cumsum(self.A[self.i - 1][:, None] * sentence.head().V, axis=0)

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        head = sentence.head()
        return {
            "factor": self.factor,
            "total": float(self.A[self.i - 1].sum()),
            **sentence.entries(
                A=self.A,
                V=head.V,
                Z=self.Z,
                computed=head.A[self.i - 1],
                alpha=self.A[self.i - 1],
                value=head.V[:, self.r - 1],
                term=self.terms,
                sum=np.cumsum(self.terms),
                path=self.path,
            ),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        head, words = sentence.head(), sentence.words()
        i, r = self.i, self.r
        alpha, value = f"<i>α</i><sub>{i}<i>j</i></sub>", f"<i>V</i><sub><i>j</i>{r}</sub>"
        columns = [self.A[i - 1], head.V[:, r - 1], self.terms, np.cumsum(self.terms)]
        source = both("source", "来源") + " <i>j</i>"
        ends = [both(f"feature {r}", f"特征 {r}") for r in "12"]
        return "\n".join(
            [
                matrix_table(both("Weights", "权重") + " <i>A</i>", self.A, words),
                matrix_table(both("Values", "值") + " <i>V</i>", head.V, words),
                matrix_table(both("Outputs", "输出") + " <i>Z</i>", self.Z, words),
                table(
                    both("The terms of", "各项，相加得到") + f" <i>Z</i><sub>{i}{r}</sub>",
                    [source, alpha, value, alpha + value, both("sum so far", "累加至此")],
                    zip(words, *columns, strict=True),
                ),
                table(
                    both("Tip to tail, up to", "首尾相接，直到") + f" <i>z</i><sub>{i}</sub>",
                    [source, *ends],
                    [(word, *map(float, end)) for word, end in zip(words, self.path, strict=True)],
                ),
            ]
        )
