"""The 1,000 training steps of the role task, for each number of heads."""

from statistics import median

import numpy as np
from tables import markdown, verdict
from timing import interleaved

from attnlib.tasks.role_model import train_role_model

STEPS = 1000
HEADS = (1, 2, 4)


def report(rounds=3):
    """Return the results as lines of Markdown."""

    def training(n_heads):
        return lambda: train_role_model(np.random.default_rng(0), n_heads, STEPS)

    times = interleaved({n_heads: training(n_heads) for n_heads in HEADS}, rounds)
    rows = [
        [n_heads, f"{1e3 * median(seconds) / STEPS:.2f}", verdict(median(seconds), 10)]
        for n_heads, seconds in times.items()
    ]
    return [
        f"## Training on the role task, {STEPS} steps",
        "",
        *markdown(["heads", "ms per step", f"seconds, median of {rounds}"], rows),
    ]
