"""Hold what an explorer shows, in Python and in JavaScript, to oracles that are neither.

An oracle takes a state and gives the numbers of one kind: `A` stands for A-1-1 to A-5-5. Where two
sides agree both may be wrong; an oracle reaches the same number on a way of its own.
"""

import json
import math
import re
import subprocess

from book.npm import node_binary
from explorer_state import CLASSES

NODE = node_binary()
TOLERANCE = 1e-11
TOKENS = range(1, 6)


def kind(name):
    """What a number is: its name without the places in its array."""
    return re.sub(r"(-\d+)+$", "", name)


def named(kind, value):
    """The numbers of an array by the names that they have in the page, places counted from 1."""
    if not isinstance(value, list | tuple):
        return {kind: float(value)}
    parts = [named(f"{kind}-{place}", part) for place, part in enumerate(value, start=1)]
    return {name: x for part in parts for name, x in part.items()}


def in_javascript(name, states):
    """The numbers of many states, from one process."""
    script = "const result = data.map((state) => TESTED.compute(state).numbers);"
    results = in_node(name, script, states)
    return [{name: float(x) for name, x in numbers.items()} for numbers in results]


def in_node(name, script, data, module=None):
    """What `script` leaves in `result`, given `data`, among the definitions of an explorer.

    The module is that which Jupyter gets, where no other is given.
    """
    named = re.sub(r"\bexport default ", "const TESTED = ", module or CLASSES[name]._esm)
    script = f"""{named}
      const plain = (key, x) => (Math.abs(x) === Infinity ? String(x) : x);
      const data = {json.dumps(data)};
      {script}
      console.log(JSON.stringify(result, plain));"""
    done = subprocess.run(
        [NODE, "--input-type=module", "-"],
        input=script,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def in_python(name, states):
    """The numbers of many states, from one explorer that is led through them."""
    explorer = CLASSES[name]()
    found = []
    for state in states:
        with explorer.hold_trait_notifications():
            for trait, value in state.items():
                setattr(explorer, trait, value)
        found.append({name: float(x) for name, x in explorer.numbers.items()})
    explorer.close()
    return found


SIDES = {"Python": in_python, "JavaScript": in_javascript}


def started(name, states):
    """Whole states, from what differs from the start."""
    explorer = CLASSES[name]()
    start = explorer.state
    explorer.close()
    return [{**start, **state} for state in states]


def assert_held(name, states, oracles):
    """Hold every number of these states, on both sides, to the oracle of its kind."""
    states = started(name, states)
    expected = [
        {n: x for kind, oracle in oracles.items() for n, x in named(kind, oracle(state)).items()}
        for state in states
    ]
    for side, numbers_of in SIDES.items():
        for state, numbers, oracle in zip(states, numbers_of(name, states), expected, strict=True):
            without = {kind(n) for n in numbers} - {*oracles}
            assert not without, f"{name} shows {sorted(without)}, for which there is no oracle"
            assert numbers.keys() == oracle.keys(), (side, state)
            wrong = {n: (x, oracle[n]) for n, x in numbers.items() if not close(x, oracle[n])}
            assert not wrong, f"{side} shows (first), the oracle says (second): {wrong}; {state}"


def close(x, y):
    """Absolute below 1, relative above; what is not finite is close to itself."""
    return x == y or math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
