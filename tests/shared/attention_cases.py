"""Random inputs for attention: every shape, dtype and form of mask that the contract accepts."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

# leading axes of Q, K, V and of the mask; equal, broadcast, missing, empty
LEADING = [
    ((), (), (), ()),
    ((3,), (3,), (3,), (3,)),
    ((2, 1), (3,), (), (2, 1)),
    ((1,), (2, 1), (3,), (1, 3)),
    ((), (), (), (2,)),
    ((0,), (1,), (), ()),
]
MASKS = ["none", "bool", "bool row", "float", "float row", "-inf"]


@dataclass
class Case:
    """Arguments for attention, by name, and whatever made them."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    attn_mask: np.ndarray | None
    is_causal: bool
    scale: float | None

    @property
    def inputs(self):
        return self.Q, self.K, self.V

    @property
    def options(self):
        return {"attn_mask": self.attn_mask, "is_causal": self.is_causal, "scale": self.scale}


def make_mask(kind, leading, n_q, n_k, rng):
    """Return a mask of one of the kinds in MASKS; about a third of it is forbidden."""
    shape = (*leading, 1 if kind.endswith("row") else n_q, n_k)
    allowed = rng.random(shape) < 0.7
    if kind == "none":
        return None
    if kind.startswith("bool"):
        return allowed
    if kind == "-inf":
        return np.where(allowed, 0, -np.inf)
    return np.where(allowed, rng.standard_normal(shape), -np.inf)


@st.composite
def cases(draw, dtype=np.float64, leading=LEADING):
    """Draw a case; its numbers come from a seeded generator, its shapes are all different."""
    n_q, n_k, d_k, d_v = draw(
        st.lists(st.integers(0, 11), min_size=4, max_size=4, unique=True), label="n_q n_k d_k d_v"
    )
    lead_q, lead_k, lead_v, lead_mask = draw(st.sampled_from(leading), label="leading axes")
    kind = draw(st.sampled_from(MASKS), label="mask")
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    Q = rng.standard_normal((*lead_q, n_q, d_k)).astype(dtype)
    K = rng.standard_normal((*lead_k, n_k, d_k)).astype(dtype)
    V = rng.standard_normal((*lead_v, n_k, d_v)).astype(dtype)
    return Case(
        Q,
        K,
        V,
        make_mask(kind, lead_mask, n_q, n_k, rng),
        draw(st.booleans(), label="is_causal"),
        draw(st.sampled_from([None, 0.0, -0.5, 2.0]), label="scale"),
    )
