"""Contract, processes and threads: a child of a process at work can use all of attnlib.

The parents are interpreters of their own: a fork copies every thread's locks, and this one has
threads of the test runner. Each waits for its child and ends it if it is stuck.
"""

import os
import subprocess
import sys
import textwrap

import pytest

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

PREAMBLE = """
import os, signal, sys, threading, time, warnings
# Python warns of a fork beside threads, the thing that is tried here
warnings.simplefilter("ignore", DeprecationWarning)
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits
import attnlib as al
from attnlib import blocked

Q, K, V = (np.random.default_rng(seed).standard_normal((40, 3)) for seed in range(3))
expected = al.scaled_dot_product_attention(Q, K, V, is_causal=True)


def with_threads():
    return al.blocked_attention(Q, K, V, is_causal=True, block_size=8, threads=2)


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def everything():
    assert np.allclose(with_threads(), expected)
    assert np.allclose(al.blocked_attention(Q, K, V, is_causal=True, block_size=8), expected)
    mha = al.MultiHeadAttention.init(4, 2, np.random.default_rng(0))
    trace = mha.trace(np.ones((5, 4)))
    mha.backward(trace, trace.O)
    cache = al.KVCache()
    cache.append(K, V)
    assert np.allclose(cache.attend(Q), expected)


def run_in_child(work):
    '''Fork, do the work there, and say how it ended: "done", "failed" or "stuck".'''
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    for _ in range(300):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return "done" if status == 0 else "failed"
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "stuck"


class AtWork:
    '''Another thread is in the middle of `with_threads` for as long as the block lasts.'''

    def __enter__(self):
        self.inside, self.may_go_on = threading.Event(), threading.Event()
        whole = blocked.output_of_tiles

        def pause(*args):
            self.inside.set()
            self.may_go_on.wait()
            return whole(*args)

        blocked.output_of_tiles = pause
        self.result = []
        self.thread = threading.Thread(target=lambda: self.result.append(with_threads()))
        self.thread.start()
        self.inside.wait()
        # what is called from here on does not pause
        blocked.output_of_tiles = whole
        return self

    def __exit__(self, *error):
        self.may_go_on.set()
        self.thread.join()
        assert np.allclose(self.result[0], expected)
"""


def run(code):
    """Run code after the preamble in a fresh interpreter and return the words that it prints."""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", PREAMBLE + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        # far beyond what it takes: a fork that waits for ever is a fault, too
        timeout=240,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.split()


def test_a_child_of_a_process_at_work_can_use_everything():
    assert run("""
        with AtWork():
            print(run_in_child(everything))
        print(run_in_child(everything))
        everything()
    """) == ["done", "done"]


def test_a_child_and_its_parent_have_the_blas_threads_of_before():
    assert run("""
        def look():
            # nobody is at work here
            assert blas_threads() == {2}, blas_threads()
            np.ones((300, 300)) @ np.ones((300, 300))
            with_threads()
            assert blas_threads() == {2}, blas_threads()

        with threadpool_limits(2, "blas"):
            with AtWork():
                print(run_in_child(look))
                print(*blas_threads())
            look()
    """) == ["done", "1"]


@FORKS
def test_a_child_that_is_forked_in_the_middle_of_a_call_can_call_again():
    # by a handler of a signal, say, which runs wherever the main thread happens to be
    assert run("""
        from attnlib._blas_threads import one_blas_thread

        def leave_and_look():
            call.__exit__(None, None, None)
            assert blas_threads() == {2}, blas_threads()
            everything()

        with threadpool_limits(2, "blas"):
            call = one_blas_thread()
            call.__enter__()
            print(run_in_child(leave_and_look))
            print(*blas_threads())
            call.__exit__(None, None, None)
            print(*blas_threads())
    """) == ["done", "1", "2"]


@FORKS
def test_children_forked_at_any_moment_come_to_an_end():
    assert run("""
        stop = False

        def work():
            while not stop:
                with_threads()

        workers = [threading.Thread(target=work) for _ in range(2)]
        for worker in workers:
            worker.start()
        ends = [run_in_child(everything) for _ in range(12)]
        stop = True
        for worker in workers:
            worker.join()
        print(*sorted(set(ends)))
    """) == ["done"]
