"""Written answers, judged in Python and in JavaScript."""

from __future__ import annotations

import json
import subprocess
from itertools import chain, combinations, product

import answer_battery
import near_misses
import numpy as np
from book.npm import node_binary
from manuscript import ROOT

from attnlib.exercises.catalogue import exercise, exercise_ids
from attnlib.exercises.exported import exported

WRITTEN = [id_ for id_ in exercise_ids() if exercise(id_).fields]
MOST_COMBINATIONS = 1000
JUDGE = ROOT / "attnlib" / "exercises" / "judge.js"
SCRIPT = """
const { judge } = await import(process.argv[1]);
const { exercises, cases } = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
const judged = cases.map(([id, answer]) => judge(exercises[id], answer));
process.stdout.write(JSON.stringify(judged.map(({ held, right }) => [held, right])));
"""


def catalogued(exercise_id):
    """Every right and wrong answer of the catalogue, and every near miss."""
    yield from answer_battery.RIGHT[exercise_id].values()
    yield from (answer for answer, _ in answer_battery.WRONG[exercise_id].values())
    yield from (answer for _, answer, _ in near_misses.of_exercise(exercise_id))


def values(field):
    """Everything that the field of a choice or a set can hold."""
    if field.kind == "choice":
        return [option.en for option in field.options]
    sizes = range(field.least, len(field.options) + 1)
    subsets = chain.from_iterable(combinations(field.options, size) for size in sizes)
    return [set(subset) for subset in subsets]


def possible(exercise_id):
    """Every answer of choices and sets; where they are many, every field varied by itself."""
    fields = exercise(exercise_id).fields
    right = next(iter(answer_battery.RIGHT[exercise_id].values()))()
    held = {field.name: values(field) for field in fields if field.kind != "numbers"}
    if np.prod([len(each) for each in held.values()], dtype=float) <= MOST_COMBINATIONS:
        found = (dict(zip(held, parts, strict=True)) for parts in product(*held.values()))
    else:
        found = ({name: value} for name, each in held.items() for value in each)
    return [lambda changed=changed: {**right, **changed} for changed in found]


def as_json(exercise_id, answer):
    """An answer as a page has it; the letters of one string are the members of a set."""
    kinds = {field.name: field for field in exercise(exercise_id).fields}

    def plain(name, value):
        if isinstance(value, str) and name in kinds and kinds[name].kind == "set":
            return sorted(set(value.upper()) - set(" ,"))
        return np.asarray(sorted(value) if isinstance(value, set) else value).tolist()

    return {name: plain(name, value) for name, value in answer().items()}


def in_javascript(cases):
    """How many properties hold of each answer, and whether that is all: from one process."""
    given = {"exercises": {id_: exported(id_) for id_ in WRITTEN}, "cases": cases}
    done = subprocess.run(
        [node_binary(), "-e", f"(async () => {{{SCRIPT}}})()", JUDGE.as_uri()],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
