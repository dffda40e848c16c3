"""The explorer of chapter 1: an output moves inside the convex hull of the visible values."""

import numpy as np

from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Choice, Whole
from attnlib.explorers.framework.tables import both, table
from attnlib.explorers.mixing.hull import hull
from attnlib.explorers.mixing.pull import most_even, whole_percents


class MixingExplorer(Explorer):
    """The output z_i = Σ_j α_ij v_j of weights that the reader sets (Claims 1.3 to 1.5).

    The weight of a visible token is its share divided by the sum of the visible shares; where
    that sum is 0, all visible tokens have the same weight.

    Parameters
    ----------
    i : int
        1 to 5: whose output.
    mask : {"none", "causal"}
        With "causal" the tokens after i are hidden.
    share_1, share_2, share_3, share_4, share_5 : int
        0 to 100. At the start those that the example's head gives token 4, in percent.
    direction : int
        0 to 359 degrees, counted from the first feature towards the second: how far z reaches this
        way, and how far any mixture can.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "mixing"

    i = Whole(1, 5, 4)
    mask = Choice(
        {
            "none": ("all tokens", "全部 Token"),
            "causal": ("tokens up to i (causal)", "到 i 为止（因果）"),
        },
        start="none",
    )
    share_1 = Whole(0, 100, 34)
    share_2 = Whole(0, 100, 6)
    share_3 = Whole(0, 100, 34)
    share_4 = Whole(0, 100, 6)
    share_5 = Whole(0, 100, 19)
    direction = Whole(0, 359, 0)

    @property
    def visible(self):
        """Which tokens i may attend to, shape (5,), bool."""
        return np.arange(1, 6) <= (self.i if self.mask == "causal" else 5)

    @property
    def weights(self):
        """The weights α_ij, shape (5,): from 0 on, they sum to 1."""
        shares = np.array([getattr(self, f"share_{j}") for j in range(1, 6)]) * self.visible
        return (shares if shares.any() else self.visible) / (shares.sum() or self.visible.sum())

    @property
    def z(self):
        """The output, shape (2,)."""
        return self.weights @ sentence.head().V

    @property
    def corners(self):
        """Which values are corners of the convex hull of the visible ones, shape (5,), bool."""
        corners = np.zeros(5, dtype=bool)
        corners[hull(sentence.head().V[self.visible])] = True
        return corners

    @property
    def heights(self):
        """How far each value reaches in the direction, shape (5,)."""
        turn = np.deg2rad(self.direction)
        return sentence.head().V @ [np.cos(turn), np.sin(turn)]

    @property
    def level(self):
        """How far z reaches in the direction: the values' heights, mixed."""
        return float(self.weights @ self.heights)

    @property
    def border(self):
        """The height that no mixture of the visible values exceeds."""
        return float(self.heights[self.visible].max())

    def pull(self, place):
        """Set the visible shares so that z comes to a place, as far as whole percents tell.

        Of the many mixtures that give the same z it is the most even one, that of largest entropy.
        Rounded to percents it puts z up to 0.03 beside the place; z stops at the border of what it
        can reach. The shares of hidden tokens stay.

        Parameters
        ----------
        place : array_like, shape (2,)
        """
        percents = whole_percents(most_even(sentence.head().V[self.visible], place))
        with self.hold_trait_notifications():
            for j, percent in enumerate(percents, start=1):
                setattr(self, f"share_{j}", percent)

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        return {
            "total": float(self.weights.sum()),
            "corners": int(self.corners.sum()),
            "level": self.level,
            "border": self.border,
            **sentence.entries(
                V=sentence.head().V, weight=self.weights, z=self.z, corner=self.corners
            ),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        states = [
            both("corner", "顶点") if corner else both("inside", "内部")
            if visible else both("hidden", "不可见")
            for corner, visible in zip(self.corners, self.visible, strict=True)
        ]  # fmt: skip
        weight = f"{both('weight', '权重')} <i>α</i><sub>{self.i}<i>j</i></sub>"
        features = [f"<i>V</i><sub><i>j</i>{r}</sub>" for r in "12"]
        columns = [self.weights, *sentence.head().V.T, states]
        rows = [*zip(sentence.words(), *columns, strict=True)]
        z_i = f"<i>z</i><sub>{self.i}</sub>"
        rows.append((z_i, self.weights.sum(), *self.z, ""))
        head = [both("token", "Token") + " <i>j</i>", weight, *features, ""]
        weights = table(both("Weights and values", "权重与值"), head, rows)
        way = both(f"In the direction of {self.direction}°", f"沿 {self.direction}° 方向")
        reach = [
            (z_i, self.level),
            (both("the most that any mixture reaches", "任何混合所能达到的最大值"), self.border),
        ]
        return "\n".join([weights, table(way, ["", both("height", "高度")], reach)])
