"""`scaled_dot_product_attention` on 8 heads × 512 tokens × 64 features, float32."""

import numpy as np
from other_ways import matrix_products, one_line, one_line_float32, torch_way
from tables import markdown, verdict
from timing import interleaved, milliseconds, ratio

from attnlib import scaled_dot_product_attention

SHAPE = (8, 512, 64)
OURS = "scaled_dot_product_attention"
UNFUSED, FLOAT64, FLOAT32 = (
    "PyTorch, unfused",
    "one line, np.sqrt(d_k)",
    "one line, float32 constant",
)


def report(rounds=41):
    """Return the results as lines of Markdown."""
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(SHAPE, np.float32) for _ in "QKV"]
    ways = {
        OURS: lambda: scaled_dot_product_attention(*arrays),
        FLOAT32: lambda: one_line_float32(*arrays),
        FLOAT64: lambda: one_line(*arrays),
        UNFUSED: torch_way(*arrays, fused=False),
        "matrix products alone": lambda: matrix_products(*arrays),
    }
    ways = {name: way for name, way in ways.items() if way}
    times = interleaved(ways, rounds, calls=5)
    rows = [[name, milliseconds(times, name), f"{ratio(times, name, OURS):.2f}"] for name in times]
    limits = {UNFUSED: 1.0, FLOAT32: 1 / 1.4, FLOAT64: 1 / 3.5}
    checks = [
        [f"{OURS} / {other}", verdict(ratio(times, OURS, other), limit)]
        for other, limit in limits.items()
        if other in times
    ]
    return [
        f"## {OURS}, {' × '.join(map(str, SHAPE))}, float32",
        "",
        *markdown(["way", "ms", "time / ours"], rows),
        "",
        *markdown(["ratio of times", f"median of {rounds} pairs"], checks),
    ]
