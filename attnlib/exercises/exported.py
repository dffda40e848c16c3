"""An exercise as JSON can hold it: what a page asks for, judges by and says, in both languages."""

from dataclasses import asdict

import numpy as np

from attnlib.exercises.catalogue import exercise


def exported(exercise_id):
    """Return the fields of an exercise and its properties with their rules and words.

    An exercise that judges a function has no fields, and its properties no rules.
    """
    found = exercise(exercise_id)
    return {
        "id": exercise_id,
        "fields": [
            {"name": field.name, "kind": field.kind, **asdict(field)} for field in found.fields
        ],
        "properties": [
            {
                "key": prop.key,
                "says": asdict(prop.says),
                "hint": asdict(prop.hint),
                **({"rule": _rule(prop.rule)} if prop.rule else {}),
            }
            for prop in found.properties
        ],
    }


def _rule(rule):
    expected = rule.expected
    plain = sorted(expected) if isinstance(expected, set) else np.asarray(expected).tolist()
    return {"kind": rule.kind, "field": rule.field, "expected": plain, "within": rule.within}
