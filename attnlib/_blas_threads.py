"""BLAS held to one thread while the threads of a caller do the work.

BLAS has one number of threads for the whole process, and callers may overlap: the first lowers the
number, the last gives it back. The lock is held for the moment of the change, not for the work; a
fork waits for that moment, and the child starts with nobody at work.
"""

import os
from contextlib import contextmanager, suppress
from threading import RLock

# taken again where a signal stops its owner and the handler forks
_lock = RLock()
_callers = set()
# [(library, number of threads that it had)]
_lowered = []


@contextmanager
def one_blas_thread():
    """Hold BLAS to one thread in the whole process, until the last caller has left."""
    caller = object()
    with _lock:
        if not _callers:
            _lower()
        _callers.add(caller)
    try:
        yield
    finally:
        with _lock:
            _callers.discard(caller)
            if not _callers:
                _give_back()


def _lower():
    # found here and not at the top: `import attnlib` loads nothing but NumPy
    from threadpoolctl import ThreadpoolController

    for library in ThreadpoolController().select(user_api="blas").lib_controllers:
        _lowered.append((library, library.num_threads))
        _set_threads(library, 1)


def _give_back():
    while _lowered:
        _set_threads(*_lowered.pop())


def _set_threads(library, number):
    # newer threadpoolctl lets one thread change the number and ignores the others while it lives:
    # the last caller may be another thread than the first
    let_any_thread = getattr(library, "clear_controlling_thread", lambda **_: None)
    let_any_thread(force=True)
    library.set_num_threads(number)
    let_any_thread(force=True)


def _start_afresh():
    """Forget, in a process that was just forked, the callers that went on in its parent."""
    _callers.clear()
    _give_back()
    _lock.release()


# Windows, for one, has no fork
with suppress(AttributeError):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_start_afresh
    )
