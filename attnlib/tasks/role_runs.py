"""What ``tools/role_runs.py`` found: the role task learnt by one head and by four, ten times.

The runs of chapter 8, continued: Adam with the step 0.01, 64 new sentences in every step, the
starts and the sentences of `attnlib.tasks.role_model.train_role_model` with ``default_rng(seed)``.
"""

from pathlib import Path

import numpy as np

from attnlib.tasks import storage

PATH = Path(__file__).with_suffix(".json")


def right_answers(n_heads):
    """Return the stored shares of right answers to 1,000 new sentences (Claim 8.7).

    The sentences are ``make_sentences(default_rng(2024), 1000)``.

    Parameters
    ----------
    n_heads : {1, 4}

    Returns
    -------
    dict of int to ndarray, shape (10, 4)
        By the number of steps; rows are the seeds 0 to 9, columns ``QUESTIONS``.

    Raises
    ------
    ValueError
        If there are no runs with `n_heads`.
    """
    runs = [run for run in storage.read(PATH)["runs"] if run["n_heads"] == n_heads]
    if not runs:
        raise ValueError(f"n_heads is {n_heads!r}; there are runs with 1 and 4 heads")
    return {run["steps"]: np.array(run["right"]) / 1000 for run in runs}


def one_head():
    """Return the `RoleModel` with one head after 2,000 steps from seed 1 (Claim 8.7).

    Its weights are rounded to two decimals.
    """
    return storage.unpacked(storage.read(PATH)["one_head"])
