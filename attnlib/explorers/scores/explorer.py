"""The explorer of chapter 3: a score as the sum of its products, in both directions."""

import numpy as np

from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Whole
from attnlib.explorers.framework.tables import both, matrix_table, table


class ScoresExplorer(Explorer):
    """A score S_ij = Σ_r Q_ir K_jr of the running example beside S_ji (Claims 3.1 to 3.3).

    Parameters
    ----------
    i, j : int
        1 to 5: the query and the key.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "scores"

    i = Whole(1, 5, 4)
    j = Whole(1, 5, 1)

    @property
    def products(self):
        """The products Q_ir K_jr that add up to S_ij, shape (3,)."""
        head = sentence.head()
        return head.Q[self.i - 1] * head.K[self.j - 1]

    @property
    def products_back(self):
        """The products Q_jr K_ir that add up to S_ji, shape (3,)."""
        head = sentence.head()
        return head.Q[self.j - 1] * head.K[self.i - 1]

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        head = sentence.head()
        arrays = {"Q": head.Q, "K": head.K, "S": head.S}
        for prefix, (query, key, products) in self._directions().items():
            arrays[f"{prefix}query"] = query
            arrays[f"{prefix}key"] = key
            arrays[f"{prefix}product"] = products
            arrays[f"{prefix}sum"] = np.cumsum(products)
        return sentence.entries(**arrays)

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        head, words = sentence.head(), sentence.words()
        tables = [
            matrix_table(both("Queries", "查询") + " <i>Q</i>", head.Q, words),
            matrix_table(both("Keys", "键") + " <i>K</i>", head.K, words),
            matrix_table(both("Scores", "分数") + " <i>S</i>", head.S, words),
        ]
        pairs = [(self.i, self.j), (self.j, self.i)]
        for (i, j), columns in zip(pairs, self._directions().values(), strict=True):
            head_cells = ["<i>r</i>", f"<i>Q</i><sub>{i}<i>r</i></sub>"]
            head_cells += [f"<i>K</i><sub>{j}<i>r</i></sub>", both("product", "乘积")]
            rows = zip("123", *columns, np.cumsum(columns[-1]), strict=True)
            caption = both("The products of", "各乘积之和：") + f" <i>S</i><sub>{i}{j}</sub>"
            tables.append(table(caption, [*head_cells, both("sum so far", "累加至此")], rows))
        return "\n".join(tables)

    def _directions(self):
        """Query, key and their products, there and back, by the prefix of their names."""
        head = sentence.head()
        i, j = self.i - 1, self.j - 1
        return {
            "": (head.Q[i], head.K[j], self.products),
            "back-": (head.Q[j], head.K[i], self.products_back),
        }
