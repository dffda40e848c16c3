"""The explorer of chapter 7: which outputs move when one token changes, under several masks."""

import numpy as np

from attnlib.attention import attend, softmax
from attnlib.example import running_example
from attnlib.explorers.framework import sentence
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Choice, Number, Whole
from attnlib.explorers.framework.tables import both, format_number, matrix_table, table
from attnlib.kv_cache import KVCache
from attnlib.masks import causal_mask

MASKS = {
    "none": ("no mask", "无掩码"),
    "causal": ("causal: −∞ before softmax", "因果：Softmax 前置 −∞"),
    "zero_before": ("wrong: 0 before softmax", "错误：Softmax 前置 0"),
    "zero_after": ("wrong: 0 after softmax", "错误：Softmax 后置 0"),
    "off_by_one": ("wrong: off by one", "错误：错开一位"),
}


class CausalExplorer(Explorer):
    """The running example before and after one of its tokens changes (Claims 7.1, 7.3 and 7.4).

    Beside it what training computes of the changed sentence, all rows at once under the mask, and
    what a model has that writes the same tokens one by one, when no later one is there yet.

    Parameters
    ----------
    mask : {"causal", "none", "zero_before", "zero_after", "off_by_one"}
        The last three are wrong: scores set to 0 before softmax, weights set to 0 after it, and
        a mask that lets query i attend to key i + 1.
    token : int
        1 to 5: which row of X changes.
    factor : float
        -2 to 2: what this row is multiplied by.
    i : int
        1 to 5: the row of A that is compared with the one without a mask.
    step : int
        1 to 5: how many rows have been written.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "causal"

    mask = Choice(MASKS, start="causal")
    token = Whole(1, 5, 5)
    factor = Number(-2.0, 2.0, -1.0)
    i = Whole(1, 5, 4)
    step = Whole(1, 5, 1)

    @property
    def A(self):
        """Weights under the mask, before the change, shape (5, 5)."""
        return self._head(running_example().X)[1]

    @property
    def Z(self):
        """Outputs before the change, shape (5, 2)."""
        return self._head(running_example().X)[2]

    @property
    def Z_after(self):
        """Outputs after the change, shape (5, 2)."""
        return self._head(self._changed())[2]

    @property
    def moved(self):
        """The largest change of a feature of each output, shape (5,)."""
        return np.abs(self.Z_after - self.Z).max(axis=-1)

    @property
    def written(self):
        """Outputs of the changed sentence, its tokens read one by one, shape (5, 2)."""
        example, cache = running_example(), KVCache()
        rows = []
        for x in self._changed()[:, None]:
            cache.append(x @ example.W_K, x @ example.W_V)
            rows.append(cache.attend(x @ example.W_Q)[0])
        return np.array(rows)

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        V, A, Z = self._head(running_example().X)
        V_after, A_after, Z_after = self._head(self._changed())
        free, i, written = sentence.head().A, self.i, self.written
        rows = np.arange(1, self.step + 1)
        return {
            "seen-free": float(free[i - 1, :i].sum()),
            "seen-kept": float(A[i - 1, :i].sum()),
            "masked": 5 * 5,
            "cached": int(rows.sum()),
            "afresh": int((rows**2).sum()),
            **sentence.entries(
                V=V,
                A=A,
                Z=Z,
                V_after=V_after,
                A_after=A_after,
                after=Z_after,
                written=written,
                apart=np.abs(Z_after - written).max(axis=-1),
                onToken=A[:, self.token - 1],
                moved=self.moved,
                free=free[i - 1],
                kept=A[i - 1],
            ),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        words, t, A = sentence.words(), self.token, self.A
        weights = f"{both('Weights', '权重')} <i>A</i>, {both(*MASKS[self.mask])}"
        x_t = f"<i>x</i><sub>{t}</sub>"
        columns = [A[:, t - 1], *self.Z.T, *self.Z_after.T, self.moved]
        before, after = both("before", "改动前"), both("after", "改动后")
        features = [
            f"<i>z</i><sub><i>i</i>{r}</sub> {when}" for when in (before, after) for r in "12"
        ]
        return "\n".join(
            [
                matrix_table(weights, A, words),
                table(
                    f"{x_t} × {format_number(self.factor, 2)}",
                    [
                        both("output", "输出"),
                        both("weight on token", "权重，对 Token") + f" {t}",
                        *features,
                        both("moves by", "变化量"),
                    ],
                    zip(words, *columns, strict=True),
                ),
                table(
                    both("Row", "行") + f" {self.i}",
                    [
                        both("key", "键") + " <i>j</i>",
                        both("no mask", "无掩码"),
                        both("this mask", "当前掩码"),
                    ],
                    zip(words, sentence.head().A[self.i - 1], A[self.i - 1], strict=True),
                ),
                table(
                    both("Training and writing", "训练与逐个生成"),
                    [
                        both("output", "输出"),
                        *(
                            f"<i>z</i><sub><i>i</i>{r}</sub> {when}"
                            for when in (both("trained", "训练"), both("written", "生成"))
                            for r in "12"
                        ),
                    ],
                    zip(words, *self.Z_after.T, *self.written.T, strict=True),
                ),
            ]
        )

    def _changed(self):
        X = running_example().X
        X[self.token - 1] *= self.factor
        return X

    def _head(self, X):
        """Values, weights and outputs of an input under the mask."""
        example, past = running_example(), causal_mask(5)
        Q, K, V = X @ example.W_Q, X @ example.W_K, X @ example.W_V
        allowed = {"causal": past, "off_by_one": causal_mask(5, offset=1)}.get(self.mask)
        trace = attend(Q, K, V, attn_mask=allowed)
        if self.mask == "zero_before":
            A = softmax(np.where(past, trace.S_scaled, 0))
        elif self.mask == "zero_after":
            A = np.where(past, trace.A, 0)
        else:
            return V, trace.A, trace.Z
        return V, A, A @ V
