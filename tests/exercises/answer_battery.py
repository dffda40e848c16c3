"""Every exercise against right answers in every style, and against its near misses: one table.

python tests/exercises/answer_battery.py
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import answer_styles
import near_misses

from attnlib.exercises.catalogue import exercise, exercise_ids
from attnlib.exercises.machinery import judge

CATALOGUES = [
    import_module(path.stem) for path in sorted(Path(__file__).parent.glob("wrong_answers_*.py"))
]
RIGHT = {id_: answers for catalogue in CATALOGUES for id_, answers in catalogue.RIGHT.items()}
WRONG = {id_: answers for catalogue in CATALOGUES for id_, answers in catalogue.WRONG.items()}
SPOILERS = {id_: words for catalogue in CATALOGUES for id_, words in catalogue.SPOILERS.items()}


def styled(exercise_id):
    """Every right answer in every style: what it is called, and the answer."""
    for written, answer in RIGHT[exercise_id].items():
        yield written, answer
        for style, restyle in answer_styles.styles(exercise_id).items():
            yield f"{written}, {style}", restyle(answer)


def main():
    for exercise_id in exercise_ids():
        judged = exercise(exercise_id)
        right = [judge(judged, answer).failed for _, answer in styled(exercise_id)]
        print(f"{exercise_id}: {right.count(None)} of {len(right)} right answers accepted")
        rejected = {}
        for name, (answer, _) in WRONG[exercise_id].items():
            failed = judge(judged, answer).failed
            rejected.setdefault(failed and failed.key, []).append(name)
        for name, answer, _ in near_misses.of_exercise(exercise_id):
            failed = judge(judged, answer).failed
            rejected.setdefault(failed and failed.key, []).append(name)
        for key in [prop.key for prop in judged.properties] + [None]:
            if key in rejected:
                what = f"by '{key}'" if key else "not, for they are right"
                print(f"  rejected {what}: {len(rejected[key])}: {'; '.join(rejected[key])}")


if __name__ == "__main__":
    main()
