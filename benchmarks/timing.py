"""Time several ways of doing the same work, side by side on a machine that is never quiet."""

from statistics import median
from time import perf_counter, sleep

# after a parallel call the idle threads of BLAS and OpenMP spin for a while: let them fall asleep,
# or they slow down whatever is measured next
PAUSE = 0.05


def interleaved(ways, rounds, calls=1):
    """Return {name: seconds of each round}: every round runs all the ways, one after the other.

    Parameters
    ----------
    ways : dict of str to callable
    rounds : int
        The order is turned round from one to the next, so that no way always follows the same.
    calls : int
        A round's time is the median of so many calls in a row.
    """
    for work in ways.values():
        work()
    times = {name: [] for name in ways}
    order = list(ways)
    for _ in range(rounds):
        for name in order:
            sleep(PAUSE)
            times[name].append(median(_seconds(ways[name]) for _ in range(calls)))
        order.reverse()
    return times


def ratio(times, name, other):
    """Return the median over the rounds of time `name` / time `other`, measured as a pair."""
    return median(a / b for a, b in zip(times[name], times[other], strict=True))


def milliseconds(times, name):
    """Return the median time of one way as text."""
    return f"{1e3 * median(times[name]):.1f}"


def _seconds(work):
    start = perf_counter()
    work()
    return perf_counter() - start
