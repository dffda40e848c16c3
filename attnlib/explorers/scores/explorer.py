"""The explorer of chapter 3: a score as a sum of products and as a shadow, in both directions."""

import numpy as np

from attnlib import scores
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Matrix, Whole
from attnlib.explorers.framework.tables import both, matrix_table, table


class ScoresExplorer(Explorer):
    """A score S_ij = Σ_r Q_ir K_jr = ‖q_i‖ ‖k_j‖ cos beside S_ji (Claims 3.1 to 3.3).

    Parameters
    ----------
    i, j : int
        1 to 5: the query and the key.
    Q, K : array_like, shape (5, 3)
        Queries and keys, entries from -3 to 3; at the start those of the running example.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "scores"

    i = Whole(1, 5, 4)
    j = Whole(1, 5, 1)
    Q = Matrix(-3.0, 3.0, sentence.head().Q)
    K = Matrix(-3.0, 3.0, sentence.head().K)

    @property
    def S(self):
        """All scores, shape (5, 5)."""
        return scores(np.array(self.Q), np.array(self.K))

    @property
    def products(self):
        """The products Q_ir K_jr that add up to S_ij, shape (3,)."""
        return np.multiply(self.Q[self.i - 1], self.K[self.j - 1])

    @property
    def products_back(self):
        """The products Q_jr K_ir that add up to S_ji, shape (3,)."""
        return np.multiply(self.Q[self.j - 1], self.K[self.i - 1])

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        arrays = {"S": self.S}
        for prefix, (query, key, products) in self._directions().items():
            shown = {
                "query": query,
                "key": key,
                "product": products,
                "sum": np.cumsum(products),
                **shadow(query, key),
            }
            arrays |= {f"{prefix}{name}": array for name, array in shown.items()}
        return sentence.entries(**arrays)

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        words = sentence.words()
        tables = [
            matrix_table(both("Queries", "查询") + " <i>Q</i>", self.Q, words),
            matrix_table(both("Keys", "键") + " <i>K</i>", self.K, words),
            matrix_table(both("Scores", "分数") + " <i>S</i>", self.S, words),
        ]
        pairs = [(self.i, self.j), (self.j, self.i)]
        lines = []
        for (i, j), columns in zip(pairs, self._directions().values(), strict=True):
            score = f"<i>S</i><sub>{i}{j}</sub>"
            head_cells = ["<i>r</i>", f"<i>Q</i><sub>{i}<i>r</i></sub>"]
            head_cells += [f"<i>K</i><sub>{j}<i>r</i></sub>", both("product", "乘积")]
            rows = zip("123", *columns, np.cumsum(columns[-1]), strict=True)
            caption = both("The products of", "各乘积之和：") + f" {score}"
            tables.append(table(caption, [*head_cells, both("sum so far", "累加至此")], rows))
            lines.append((score, *map(float, shadow(*columns[:2]).values())))
        head_cells = ["", "‖<i>q</i>‖", "‖<i>k</i>‖", both("angle", "夹角") + " (°)", "cos"]
        head_cells.append(both("shadow", "投影"))
        caption = both("The key's shadow on the query", "键在查询上的投影")
        return "\n".join([*tables, table(caption, head_cells, lines)])

    def _directions(self):
        """Query, key and their products, there and back, by the prefix of their names."""
        i, j = self.i - 1, self.j - 1
        return {
            "": (np.array(self.Q[i]), np.array(self.K[j]), self.products),
            "back-": (np.array(self.Q[j]), np.array(self.K[i]), self.products_back),
        }


def shadow(query, key):
    """Return lengths, angle in degrees, its cosine and the shadow of the key, by their names.

    Where one of the two is 0 there is no angle; it counts as 90°.
    """
    lengths = np.linalg.norm(query), np.linalg.norm(key)
    score = query @ key
    across = np.linalg.norm(np.cross(query, key))
    has_angle = lengths[0] > 0 and lengths[1] > 0
    return {
        "query-length": lengths[0],
        "key-length": lengths[1],
        "angle": np.degrees(np.arctan2(across, score)) if has_angle else 90.0,
        "cosine": score / (lengths[0] * lengths[1]) if has_angle else 0.0,
        "shadow": score / lengths[0] if lengths[0] else 0.0,
    }
