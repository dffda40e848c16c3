"""Train one head and four heads on the role task from ten starts and store how far they come.

    python tools/role_runs.py

Takes some minutes. On another version of NumPy or another processor the sums of training round
differently; after many steps a count may come out a little different.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from attnlib.tasks import storage
from attnlib.tasks.role_model import BATCH_SIZE, RoleModel
from attnlib.tasks.role_runs import PATH
from attnlib.tasks.roles import Batch, make_sentences
from attnlib.tasks.training import descend

N_HEADS = (1, 4)
SEEDS = range(10)
STEPS = (500, 1000, 2000, 4000, 6000)
LEARNING_RATE = 0.01
KEPT = {"n_heads": 1, "seed": 1, "steps": 2000}  # the run whose model is stored


def new_sentences() -> Batch:
    """The sentences, in no batch of training, on which every run is judged."""
    return make_sentences(np.random.default_rng(2024), 1000)


def follow(n_heads: int, seed: int, steps: tuple[int, ...] = STEPS) -> Iterator[RoleModel]:
    """The model of one run, each time it has taken one of the given numbers of steps.

    It is the model of `train_role_model` with that number of steps, without beginning again.
    """
    rng = np.random.default_rng(seed)
    walk = descend(
        RoleModel.init(rng, n_heads).params,
        lambda params, batch: RoleModel(params, n_heads).loss_and_gradients(batch),
        lambda: make_sentences(rng, BATCH_SIZE),
        LEARNING_RATE,
    )
    for step, (params, _) in enumerate(islice(walk, max(steps)), start=1):
        if step in steps:
            yield RoleModel(params, n_heads)


def right(model: RoleModel) -> list[int]:
    """How many answers to each question are right."""
    batch = new_sentences()
    return np.sum(model.answers(batch) == batch.labels, axis=0).tolist()


def main() -> None:
    """Train, count, write."""
    runs, one_head = [], {}
    for n_heads in N_HEADS:
        counts: dict[int, list] = {steps: [] for steps in STEPS}
        for seed in SEEDS:
            for steps, model in zip(STEPS, follow(n_heads, seed), strict=True):
                counts[steps].append(right(model))
                if {"n_heads": n_heads, "seed": seed, "steps": steps} == KEPT:
                    one_head = storage.packed(model)
            print(f"heads {n_heads}, seed {seed}:", counts[STEPS[-1]][-1], flush=True)
        runs += [
            {"n_heads": n_heads, "steps": steps, "right": rows} for steps, rows in counts.items()
        ]
    made = {
        "command": "python tools/role_runs.py",
        "seeds": list(SEEDS),
        "learning_rate": LEARNING_RATE,
        "batch": BATCH_SIZE,
        "one_head": KEPT,
        "numpy": np.__version__,
    }
    text = storage.to_text({"made": made, "runs": runs, "one_head": one_head})
    PATH.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
