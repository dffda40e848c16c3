"""The memory, the work and the threads that blocked attention promises."""

import threading
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose
from threadpoolctl import threadpool_info, threadpool_limits

from attnlib import _blas_threads, _kernel, blocked
from attnlib._blas_threads import one_blas_thread
from attnlib.blocked import blocked_attention


def normal(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_never_holds_the_matrix_of_scores():
    n, dtype = 1500, np.float64
    Q, K, V = normal(n, 4), normal(n, 4, seed=1), normal(n, 4, seed=2)
    mask = np.broadcast_to(normal(1, n, seed=3), (n, n))
    for options in [{}, {"is_causal": True}, {"attn_mask": mask}, {"threads": 2}]:
        tracemalloc.start()
        blocked_attention(Q, K, V, **options, block_size=64)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < n * n * dtype().itemsize / 20


@pytest.mark.parametrize(("n_q", "n_k"), [(20, 20), (13, 20), (20, 13)])
@pytest.mark.parametrize("block_size", [1, 4, 7, 32])
def test_computes_no_tile_that_is_all_above_the_diagonal(monkeypatch, n_q, n_k, block_size):
    computed = []

    def record(*args):
        S = scaled_scores(*args)
        computed.append(S.shape)
        return S

    scaled_scores = _kernel.scaled_scores
    monkeypatch.setattr(_kernel, "scaled_scores", record)
    arrays = normal(n_q, 3), normal(n_k, 3), normal(n_k, 2)
    blocked_attention(*arrays, is_causal=True, block_size=block_size)
    cells = sum(rows * keys for rows, keys in computed)
    visible_pairs = np.tri(n_q, n_k, n_k - n_q).sum()
    # beyond the visible pairs only the upper triangles of the diagonal tiles
    assert visible_pairs <= cells <= visible_pairs + n_q * (block_size - 1) / 2
    assert max(max(shape) for shape in computed) <= block_size


@pytest.fixture
def blas_with_two_threads():
    with threadpool_limits(2, "blas"):
        yield


@pytest.mark.usefixtures("blas_with_two_threads")
@pytest.mark.parametrize(("threads", "inside"), [(None, 2), (1, 1), (3, 1)])
def test_blas_threads_are_left_alone_unless_threads_is_given(monkeypatch, threads, inside):
    seen, workers = [], set()

    def record(*args):
        seen.extend(blas_threads())
        workers.add(threading.get_ident())
        return output_of_tiles(*args)

    output_of_tiles = blocked.output_of_tiles
    monkeypatch.setattr(blocked, "output_of_tiles", record)
    blocked_attention(normal(2, 9, 3), normal(9, 3), normal(9, 3), block_size=4, threads=threads)
    assert set(seen) == {inside}
    assert (threading.get_ident() in workers) == (threads is None)
    assert len(workers) <= (threads or 1)
    assert set(blas_threads()) == {2}


@pytest.mark.usefixtures("blas_with_two_threads")
def test_an_error_in_a_worker_is_raised_and_blas_gets_its_threads_back(monkeypatch):
    def fail(*args):
        raise MemoryError("no room for a tile")

    monkeypatch.setattr(blocked, "output_of_tiles", fail)
    with pytest.raises(MemoryError, match="no room"):
        blocked_attention(normal(9, 3), normal(9, 3), normal(9, 3), block_size=4, threads=2)
    assert set(blas_threads()) == {2}


@pytest.mark.usefixtures("blas_with_two_threads")
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_calls_with_threads_may_overlap_and_the_last_to_end_gives_blas_its_threads_back(
    monkeypatch, order
):
    """Two that each restored what the other had lowered would leave it low, or too early high."""
    inside, may_end = ([threading.Event() for _ in range(2)] for _ in range(2))
    results = [None, None]

    def pause(Q, K, V, *args):
        number = int(V[0, 0])
        inside[number].set()
        may_end[number].wait()
        return output_of_tiles(Q, K, V, *args)

    def attend(number):
        V = np.full((6, 2), float(number))
        results[number] = blocked_attention(normal(5, 3), normal(6, 3), V, threads=2)

    output_of_tiles = blocked.output_of_tiles
    monkeypatch.setattr(blocked, "output_of_tiles", pause)
    calls = [threading.Thread(target=attend, args=(number,)) for number in range(2)]
    try:
        for call, is_inside in zip(calls, inside, strict=True):
            call.start()
            is_inside.wait()
            assert set(blas_threads()) == {1}
        for number, left in zip(order, [1, 2], strict=True):
            may_end[number].set()
            calls[number].join()
            assert set(blas_threads()) == {left}
            assert_allclose(results[number], np.full((5, 2), number), rtol=1e-12)
    finally:
        for event in may_end:
            event.set()


@pytest.mark.usefixtures("blas_with_two_threads")
def test_a_forked_process_starts_with_nobody_at_work():
    # what a fork calls on its way; the test of processes forks
    with one_blas_thread():
        _blas_threads._lock.acquire()
        _blas_threads._start_afresh()
        assert set(blas_threads()) == {2}
        with one_blas_thread():
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {2}
    assert set(blas_threads()) == {2}
