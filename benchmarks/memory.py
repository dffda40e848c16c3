"""What `blocked_attention` allocates besides its result, as the sequence grows."""

import tracemalloc

import numpy as np
from machine import n_cores
from tables import markdown, verdict

from attnlib import blocked_attention

LENGTHS = (1024, 2048, 4096, 8192, 16384)
HEADS, FEATURES = 8, 64
MB = 1e6


def report():
    """Return the results as lines of Markdown."""
    threads = n_cores()
    peaks, rows = {}, []
    for n in LENGTHS:
        peaks[n], result = _peak(n, threads)
        scores = HEADS * n * n * 4
        rows.append(
            [n, *(f"{size / MB:.1f}" for size in (peaks[n], result, peaks[n] - result, scores))]
        )
    growth = peaks[LENGTHS[-1]] / peaks[LENGTHS[0]]
    return [
        f"## Memory of blocked_attention, {HEADS} × n × {FEATURES}, float32, threads={threads}",
        "",
        *markdown(["n", "peak MB", "result MB", "besides MB", "all scores would be MB"], rows),
        "",
        *markdown(
            ["check", "value"],
            [
                [f"peak MB at n = {LENGTHS[-1]}", verdict(peaks[LENGTHS[-1]] / MB, 64)],
                [
                    f"growth of the peak, n × {LENGTHS[-1] // LENGTHS[0]}",
                    verdict(growth, LENGTHS[-1] / LENGTHS[0]),
                ],
            ],
        ),
    ]


def _peak(n, threads):
    """Return (largest number of bytes allocated at once, bytes of the result)."""
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal((HEADS, n, FEATURES), np.float32) for _ in "QKV"]
    tracemalloc.start()
    try:
        result = blocked_attention(*arrays, threads=threads)
        return tracemalloc.get_traced_memory()[1], result.nbytes
    finally:
        tracemalloc.stop()
