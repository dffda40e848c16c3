"""The explorer of chapter 6: an entry of Z as the sum of its terms."""

import numpy as np

from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Whole
from attnlib.explorers.framework.tables import both, matrix_table, table


class AggregationExplorer(Explorer):
    """An entry Z_ir = Σ_j α_ij V_jr of the running example, term by term (Claims 6.1 and 6.2).

    Parameters
    ----------
    i : int
        1 to 5: the output position.
    r : int
        1 or 2: the feature.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "aggregation"

    i = Whole(1, 5, 4)
    r = Whole(1, 2, 1)

    @property
    def terms(self):
        """The terms α_ij V_jr of the chosen entry, shape (5,)."""
        head = sentence.head()
        return head.A[self.i - 1] * head.V[:, self.r - 1]

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        head = sentence.head()
        return sentence.entries(
            A=head.A,
            V=head.V,
            Z=head.Z,
            alpha=head.A[self.i - 1],
            value=head.V[:, self.r - 1],
            term=self.terms,
            sum=np.cumsum(self.terms),
        )

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        head, words = sentence.head(), sentence.words()
        i, r = self.i, self.r
        alpha, value = f"<i>α</i><sub>{i}<i>j</i></sub>", f"<i>V</i><sub><i>j</i>{r}</sub>"
        columns = [head.A[i - 1], head.V[:, r - 1], self.terms, np.cumsum(self.terms)]
        return "\n".join(
            [
                matrix_table(both("Weights", "权重") + " <i>A</i>", head.A, words),
                matrix_table(both("Values", "值") + " <i>V</i>", head.V, words),
                matrix_table(both("Outputs", "输出") + " <i>Z</i>", head.Z, words),
                table(
                    both("The terms of", "各项，相加得到") + f" <i>Z</i><sub>{i}{r}</sub>",
                    [
                        both("source", "来源") + " <i>j</i>",
                        alpha,
                        value,
                        alpha + value,
                        both("sum so far", "累加至此"),
                    ],
                    zip(words, *columns, strict=True),
                ),
            ]
        )
