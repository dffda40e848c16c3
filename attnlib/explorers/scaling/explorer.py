"""The explorer of chapter 4: what d_k and the divisor do to scores and to a row of softmax."""

import math

import numpy as np

import attnlib
from attnlib.explorers.framework.base import Explorer
from attnlib.explorers.framework.settings import Choice, Number, Whole
from attnlib.explorers.scaling.sample import KEYS, ROWS, sample
from attnlib.explorers.scaling.table import plain_table
from attnlib.gradients import softmax_jacobian
from attnlib.tasks import measures

BINS = 32
# a weight that reacts to its own score by less is stuck, in the words of chapter 4
STUCK = 0.001


class ScalingExplorer(Explorer):
    """Scores of random queries and keys, divided by √d_k, by nothing or by d_k (Claims 4.2 to 4.6).

    100 queries each meet 8 keys of their own. Features are jointly normal: those of a query have
    mean `mu_q` and deviation `sigma_q`, those of a key `mu_k` and `sigma_k`; feature r of a key
    has correlation `rho` with feature r of its query. Different features are independent, and
    so are different queries and, given their query, different keys. What is called derived holds
    for normal features: `rho` brings in E[q⁴], and other distributions have another one.

    Parameters
    ----------
    d_k : int
        1 to 512.
    scaling : {"sqrt_d_k", "none", "d_k"}
        What the scores are divided by.
    mu_q, mu_k : float
        -2 to 2.
    sigma_q, sigma_k : float
        0.25 to 2.
    rho : float
        -1 to 1.
    seed : int
        0 to 9999: which sample is drawn.

    Raises
    ------
    traitlets.TraitError
        If a trait is unknown or its value out of range.
    """

    name = "scaling"

    d_k = Whole(1, 512, 64)
    scaling = Choice(
        {
            "none": ("nothing", "不缩放"),
            "sqrt_d_k": ("√d_k", "除以 √d_k"),
            "d_k": ("d_k", "除以 d_k"),
        },
        start="sqrt_d_k",
    )
    mu_q = Number(-2.0, 2.0, 0.0)
    mu_k = Number(-2.0, 2.0, 0.0)
    sigma_q = Number(0.25, 2.0, 1.0)
    sigma_k = Number(0.25, 2.0, 1.0)
    rho = Number(-1.0, 1.0, 0.0)
    seed = Whole(0, 9999, 1)

    @property
    def divisors(self):
        """The three divisors, by the name of their option: 1, √d_k and d_k."""
        d_k = float(self.d_k)
        return {"none": 1.0, "sqrt_d_k": math.sqrt(d_k), "d_k": d_k}

    @property
    def divisor(self):
        """What the scores are divided by: 1, √d_k or d_k (Claims 4.1 and 4.6)."""
        return self.divisors[self.scaling]

    @property
    def scale(self):
        """The factor of the scores, 1 / `divisor`."""
        return 1 / self.divisor

    @property
    def variance_per_feature(self):
        """Derived variance of one product q_r k_r of normal features (Claims 4.2 and 4.5).

        σ_q² σ_k² (1 + ρ²) + σ_q² μ_k² + σ_k² μ_q² + 2 ρ σ_q σ_k μ_q μ_k
        """
        s_q, s_k = self.sigma_q * self.sigma_q, self.sigma_k * self.sigma_k
        m_q, m_k = self.mu_q * self.mu_q, self.mu_k * self.mu_k
        cross = self.rho * self.sigma_q * self.sigma_k * self.mu_q * self.mu_k
        return s_q * s_k * (1 + self.rho * self.rho) + s_q * m_k + s_k * m_q + 2 * cross

    @property
    def mean_per_feature(self):
        """Derived mean of one product q_r k_r: μ_q μ_k + ρ σ_q σ_k."""
        return self.mu_q * self.mu_k + self.rho * self.sigma_q * self.sigma_k

    @property
    def unscaled_variance(self):
        """Derived variance of a score q·k: d_k · `variance_per_feature`."""
        return self.d_k * self.variance_per_feature

    @property
    def variance(self):
        """Derived variance of a scaled score: scale² · `unscaled_variance` (Claim 4.4)."""
        return self.scale * self.scale * self.unscaled_variance

    @property
    def sd(self):
        """Derived standard deviation of a scaled score."""
        return math.sqrt(self.variance)

    @property
    def mean(self):
        """Derived mean of a scaled score: scale · d_k · `mean_per_feature`."""
        return self.scale * (self.d_k * self.mean_per_feature)

    @property
    def row_sd(self):
        """Derived spread within a row, root mean square over queries (Claim 4.5).

        Given q, the variance of its scores is scale² σ_k² (1 − ρ²) ‖q‖², and the mean of ‖q‖² is
        d_k (σ_q² + μ_q²). A key mean is not in it.
        """
        s_q, s_k = self.sigma_q * self.sigma_q, self.sigma_k * self.sigma_k
        squared_norm = self.d_k * (s_q + self.mu_q * self.mu_q)
        return self.scale * math.sqrt(s_k * (1 - self.rho * self.rho) * squared_norm)

    @property
    def Q(self):
        """The queries, shape (100, d_k)."""
        return self._sample()[0]

    @property
    def K(self):
        """The keys of each query, shape (100, 8, d_k)."""
        return self._sample()[1]

    @property
    def all_sums(self):
        """Scores q·k of every query before the division, shape (100, 8)."""
        return attnlib.scores(self.Q[:, None, :], self.K)[:, 0, :]

    @property
    def all_scores(self):
        """Scaled scores of every query, shape (100, 8)."""
        return self.all_sums * self.scale

    @property
    def all_weights(self):
        """Attention weights of every query, shape (100, 8)."""
        return self._divided_by(self.divisor)

    @property
    def scores(self):
        """Scaled scores of the first query, shape (8,)."""
        return self.all_scores[0]

    @property
    def weights(self):
        """Attention weights of the first query, shape (8,)."""
        return self.all_weights[0]

    @property
    def reactions(self):
        """How each of `weights` reacts to its own scaled score: α (1 − α), shape (8,)."""
        return np.diagonal(softmax_jacobian(self.weights))

    @property
    def typical(self):
        """Medians of 100 rows: of the largest weight of a row, of the second one, …; shape (8,)."""
        return np.median(-np.sort(-self.all_weights, axis=1), axis=0)

    @property
    def entropy(self):
        """Entropy of `weights`, at most ln 8."""
        return float(measures.entropy(self.weights))

    @property
    def jacobian_norm(self):
        """Frobenius norm of ∂α/∂s̃ = diag(α) − αᵀα at α = `weights`."""
        return float(measures.jacobian_norm(self.weights))

    @property
    def measured_mean(self):
        """Mean of all 800 scaled scores."""
        return float(self.all_scores.mean())

    @property
    def measured_variance(self):
        """Sample variance of all 800 scaled scores."""
        return float(self.all_scores.var(ddof=1))

    @property
    def measured_row_sd(self):
        """Root mean square of the spread within each row."""
        return float(np.sqrt(self.all_scores.var(axis=1, ddof=1).mean()))

    @property
    def reach(self):
        """Half the width of the histogram around `mean`: fixed while only d_k changes."""
        reach, fits = (64.0 if self.scaling == "none" else 4.0), 2.25
        while self.variance_per_feature > fits:
            reach, fits = 2 * reach, 4 * fits
        return reach

    @property
    def counts(self):
        """How many of the 800 scores fall into each of the 32 bars of the histogram."""
        width = 2 * self.reach / BINS
        bins = np.floor((self.all_scores - (self.mean - self.reach)) / width)
        return np.bincount(bins[(bins >= 0) & (bins < BINS)].astype(int), minlength=BINS)

    @property
    def numbers(self):
        """Every number that is shown, by the name it has in the page, computed by attnlib."""
        weights, reactions = self.all_weights, self.reactions
        rows = {
            "sums": self.all_sums[0],
            "scores": self.scores,
            "weights": self.weights,
            "reactions": reactions,
            "typical": self.typical,
            # the same row, were it divided by another divisor
            **{f"weights-{of}": self._divided_by(by)[0] for of, by in self.divisors.items()},
        }
        row = {
            f"{name}-{j}": float(value)
            for name, values in rows.items()
            for j, value in enumerate(values, start=1)
        }
        return {
            "divisor": self.divisor,
            "scale": self.scale,
            "mean": self.mean,
            "measured-mean": self.measured_mean,
            "mean-per-feature": self.mean_per_feature,
            "variance-per-feature": self.variance_per_feature,
            "unscaled-sd": math.sqrt(self.unscaled_variance),
            "measured-unscaled-sd": float(self.all_sums.std(ddof=1)),
            "unscaled-variance": self.unscaled_variance,
            "variance": self.variance,
            "measured-variance": self.measured_variance,
            "sd": self.sd,
            "measured-sd": math.sqrt(self.measured_variance),
            "row-sd": self.row_sd,
            "measured-row-sd": self.measured_row_sd,
            "tallest": int(self.counts.max()),
            "outside": 1 - int(self.counts.sum()) / (ROWS * KEYS),
            **row,
            "stuck": int((reactions < STUCK).sum()),
            "entropy": self.entropy,
            "mean-entropy": float(measures.entropy(weights).mean()),
            "jacobian-norm": self.jacobian_norm,
            "mean-jacobian-norm": float(measures.jacobian_norm(weights).mean()),
        }

    def plain_table(self):
        """HTML of the same content for a page without scripts, in both languages."""
        return plain_table(self)

    def _divided_by(self, divisor):
        """Attention weights of every query, its scores divided by this, shape (100, 8)."""
        queries = self.Q[:, None, :]
        return attnlib.attention_weights(queries, self.K, scale=1 / divisor)[:, 0, :]

    def _sample(self):
        state = self.state
        del state["scaling"]
        return sample(**state)
