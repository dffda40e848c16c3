"""The explorer of chapter 5: a row of scores, a temperature and a shift; weights and Jacobian."""

import numpy as np

from attnlib.attention import softmax
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Number
from attnlib.explorers.framework.tables import both, matrix_table, table
from attnlib.gradients import softmax_jacobian
from attnlib.tasks import measures


class SoftmaxExplorer(Explorer):
    """Weights softmax((s + c) / T) of one row of five scores (Claims 5.2 to 5.4).

    Parameters
    ----------
    temperature : float
        0.1 to 5.
    shift : float
        -10 to 10: the constant c that is added to every score.
    score_1, score_2, score_3, score_4, score_5 : float
        -5 to 5. At the start the scaled scores of the example's first token, to two decimals.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "softmax"

    temperature = Number(0.1, 5.0, 1.0)
    shift = Number(-10.0, 10.0, 0.0)
    score_1 = Number(-5.0, 5.0, 1.15)
    score_2 = Number(-5.0, 5.0, -0.58)
    score_3 = Number(-5.0, 5.0, 1.15)
    score_4 = Number(-5.0, 5.0, 1.73)
    score_5 = Number(-5.0, 5.0, 0.58)

    @property
    def x(self):
        """What softmax is taken of, (s + c) / T, shape (5,)."""
        scores = np.array([getattr(self, f"score_{j}") for j in range(1, 6)])
        return (scores + self.shift) / self.temperature

    @property
    def weights(self):
        """The weights, shape (5,)."""
        return softmax(self.x)

    @property
    def jacobian(self):
        """The derivative of weight j by score t at row j, column t, shape (5, 5)."""
        return softmax_jacobian(self.weights) / self.temperature

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        exp = np.exp(self.x)
        return {
            "exp-sum": float(exp.sum()),
            "weight-sum": float(self.weights.sum()),
            "entropy": float(measures.entropy(self.weights)),
            **sentence.entries(x=self.x, exp=exp, weight=self.weights, J=self.jacobian),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        words, n = sentence.words(), self.numbers
        rows = [*zip(words, self.x, np.exp(self.x), self.weights, strict=True)]
        rows.append((both("sum", "和"), "", n["exp-sum"], n["weight-sum"]))
        rows.append((both("entropy", "熵"), "", "", n["entropy"]))
        settings = [
            (both("temperature", "温度") + " <i>T</i>", self.temperature),
            (both("shift", "平移") + " <i>c</i>", self.shift),
        ]
        head = [
            both("key", "键") + " <i>j</i>",
            "<i>x<sub>j</sub></i> = (<i>s<sub>j</sub></i> + <i>c</i>) / <i>T</i>",
        ]
        head += [
            "<i>e<sup>x<sub>j</sub></sup></i>",
            both("weight", "权重") + " <i>α<sub>j</sub></i>",
        ]
        jacobian = both("Jacobian", "雅可比矩阵") + " ∂<i>α<sub>j</sub></i>/∂<i>s<sub>t</sub></i>"
        return "\n".join(
            [
                table(both("Settings", "设置"), ["", both("value", "数值")], settings),
                table(both("Weights", "权重"), head, rows),
                matrix_table(jacobian, self.jacobian, words),
            ]
        )
