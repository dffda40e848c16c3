"""`blocked_attention` on 8 heads × 4096 tokens × 64 features, float32, plain and causal."""

import numpy as np
from machine import n_cores
from other_ways import matrix_products, torch_way
from tables import markdown, verdict
from timing import interleaved, milliseconds, ratio

from attnlib import blocked_attention, scaled_dot_product_attention

SHAPE = (8, 4096, 64)
OURS, CAUSAL = "blocked_attention", "blocked_attention, causal"
FUSED, FUSED_CAUSAL, UNFUSED = "PyTorch, fused", "PyTorch, fused, causal", "PyTorch, unfused"


def report(rounds=11):
    """Return the results as lines of Markdown."""
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(SHAPE, np.float32) for _ in "QKV"]
    threads = n_cores()
    ways = {
        OURS: lambda: blocked_attention(*arrays, threads=threads),
        FUSED: torch_way(*arrays, fused=True),
        CAUSAL: lambda: blocked_attention(*arrays, is_causal=True, threads=threads),
        FUSED_CAUSAL: torch_way(*arrays, fused=True, is_causal=True),
        UNFUSED: torch_way(*arrays, fused=False),
        "scaled_dot_product_attention": lambda: scaled_dot_product_attention(*arrays),
        "matrix products alone": lambda: matrix_products(*arrays),
    }
    ways = {name: way for name, way in ways.items() if way}
    times = interleaved(ways, rounds)
    rows = [[name, milliseconds(times, name), f"{ratio(times, name, OURS):.2f}"] for name in times]
    limits = [(OURS, FUSED, 2.0), (OURS, UNFUSED, 1.0), (CAUSAL, OURS, 0.75)]
    checks = [
        [f"{name} / {other}", verdict(ratio(times, name, other), limit)]
        for name, other, limit in limits
        if other in times
    ]
    return [
        f"## {OURS}, {' × '.join(map(str, SHAPE))}, float32, threads={threads}",
        "",
        *markdown(["way", "ms", "time / ours"], rows),
        "",
        *markdown(["ratio of times", f"median of {rounds} pairs"], checks),
    ]
