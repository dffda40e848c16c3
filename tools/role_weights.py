"""Train the role model that the explorer of chapter 8 shows and store its weights.

    python tools/role_weights.py

Takes some ten seconds. On another version of NumPy or another processor the sums of training round
differently, so the weights may come out different; the explorer only needs that all answers to the
sentences it shows are right, which is checked here.
"""

from __future__ import annotations

import numpy as np

from attnlib.tasks import role_weights, storage
from attnlib.tasks.role_model import train_role_model
from attnlib.tasks.roles import encode_sentences, make_sentences

SEED = 0
STEPS = 2000
N_HEADS = 4


def main() -> None:
    """Train, round, check, write."""
    trained, _ = train_role_model(np.random.default_rng(SEED), N_HEADS, STEPS)
    model = storage.unpacked(storage.packed(trained))
    shown = encode_sentences(role_weights.SENTENCES)
    if not (model.answers(shown) == shown.labels).all():
        raise SystemExit(f"seed {SEED}: an answer to a sentence of the explorer is wrong")
    made = {
        "command": "python tools/role_weights.py",
        "seed": SEED,
        "steps": STEPS,
        "numpy": np.__version__,
    }
    role_weights.PATH.write_text(
        role_weights.to_text(trained, made), encoding="utf-8", newline="\n"
    )
    accuracy = model.accuracy(make_sentences(np.random.default_rng(SEED + 1), 2000))
    print(f"{role_weights.PATH.name}: {role_weights.PATH.stat().st_size} bytes")
    print("right answers on 2,000 new sentences:", *(f"{share:.4f}" for share in accuracy))


if __name__ == "__main__":
    main()
