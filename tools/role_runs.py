"""Train one head and four heads on the role task from ten starts and store how far they come.

    python tools/role_runs.py

Takes some minutes. On another version of NumPy or another processor the sums of training round
differently; after many steps a count may come out a little different.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from attnlib.tasks.role_model import BATCH_SIZE, RoleModel
from attnlib.tasks.role_runs import PATH
from attnlib.tasks.roles import Batch, make_sentences
from attnlib.tasks.training import AdamState, adam_step

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
    params = RoleModel.init(rng, n_heads).params
    state = AdamState.start(params)
    for step in range(1, max(steps) + 1):
        model = RoleModel(params, n_heads)
        _, gradients = model.loss_and_gradients(make_sentences(rng, BATCH_SIZE))
        params, state = adam_step(params, gradients, state, LEARNING_RATE)
        if step in steps:
            yield RoleModel(params, n_heads)


def right(model: RoleModel) -> list[int]:
    """How many answers to each question are right."""
    batch = new_sentences()
    return np.sum(model.answers(batch) == batch.labels, axis=0).tolist()


def to_text(made: dict, counts: dict, one_head: dict) -> str:
    """The text of the data file: a line for each number of heads and of steps."""
    lines = [f'"made": {_compact(made)}']
    for n_heads, by_steps in counts.items():
        rows = [f' "{steps}": {_compact(rows)}' for steps, rows in by_steps.items()]
        lines.append(f'"right_{n_heads}": {{\n' + ",\n".join(rows) + "\n}")
    lines.append(f'"one_head": {_compact(one_head)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(entry: object) -> str:
    return json.dumps(entry, separators=(",", ":"))


def main() -> None:
    """Train, count, write."""
    counts, one_head = {}, {}
    for n_heads in N_HEADS:
        counts[n_heads] = {steps: [] for steps in STEPS}
        for seed in SEEDS:
            for steps, model in zip(STEPS, follow(n_heads, seed), strict=True):
                counts[n_heads][steps].append(right(model))
                if {"n_heads": n_heads, "seed": seed, "steps": steps} == KEPT:
                    one_head = json.loads(model.to_json(decimals=2))
            print(f"heads {n_heads}, seed {seed}:", counts[n_heads][STEPS[-1]][-1], flush=True)
    made = {
        "command": "python tools/role_runs.py",
        "seeds": list(SEEDS),
        "learning_rate": LEARNING_RATE,
        "batch": BATCH_SIZE,
        "one_head": KEPT,
        "numpy": np.__version__,
    }
    PATH.write_text(to_text(made, counts, one_head), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
