"""What the text of a check must not say, for each of its properties: it would be the answer."""

from __future__ import annotations

import re

from answer_battery import SPOILERS
from near_numbers import PREDICT

# The words of the predictions, as a Chinese hint would give them away.
IN_CHINESE = {
    "same": "不变",
    "changed": "改变",
    "doubled": "两倍",
    "shifted": "平移",
    "other": "其他",
    "sharper": "更集中",
    "flatter": "更平坦",
    "reversed": "颠倒",
    "one row": "一行",
    "one column": "一列",
    "all": "全部",
    "all but row 2 and column 2": "其余",
    "nothing": "没有",
}


def patterns(exercise_id, prop):
    """What to look for: the spoilers of the exercise; in a prediction the right answer."""
    if exercise_id not in PREDICT:
        return [re.escape(spoiler) for spoiler in SPOILERS[exercise_id]]
    answer = PREDICT[exercise_id]()()[prop.key]
    if isinstance(answer, set):
        return [r"\b" + r"[, 、]*".join(map(str, sorted(answer))) + r"\b"]
    if answer in IN_CHINESE:
        return [rf"\b{answer}\b", IN_CHINESE[answer]]
    return [r"(?:[, 、]|and|和)*".join(rf"\b{letter}\b" for letter in answer.split())]


def found(exercise_id, prop, text):
    """The spoilers that a text contains."""
    return [p for p in patterns(exercise_id, prop) if re.search(p, text)]
