"""The trained role model that the explorer of chapter 8 shows, and the sentences it is shown on."""

from functools import lru_cache
from pathlib import Path

import numpy as np

from attnlib.tasks import storage
from attnlib.tasks.roles import (
    DOCUMENT_SENTENCE,
    GLOSSES,
    VERB_SLOT,
    VOCABULARY,
    encode_sentences,
    make_sentences,
    write_out,
)

PATH = Path(__file__).with_suffix(".json")
TENTHS = 10

SENTENCES = {
    DOCUMENT_SENTENCE: "Xiaoming gave Xiaohong, who is revising, the book bought yesterday.",
    (
        *("小红", "把", "昨天", "买的", "书", "送", "给了", "正在复习的", "小明"),
    ): "Xiaohong gave Xiaoming, who is revising, the book bought yesterday.",
    ("小芳", "把", "今早", "蛋糕", "递", "给了", "小华"): (
        "Xiaofang passed Xiaohua this morning’s cake."
    ),
    ("爱笑的", "小丽", "把", "上个月", "选好的", "相机", "卖", "给了", "小强"): (
        "Xiaoli, who likes to laugh, sold Xiaoqiang the camera chosen last month."
    ),
    ("刚回家的", "小梅", "把", "去年", "日历", "留", "给了", "住隔壁的", "小龙"): (
        "Xiaomei, just back home, left Xiaolong from next door last year’s calendar."
    ),
    ("正在排队的", "小军", "把", "今天", "收到的", "邮票", "交", "给了", "新来的", "小雨"): (
        "Xiaojun, who is queueing, handed newly arrived Xiaoyu the stamp received today."
    ),
}
"""The sentences as words, with an English translation; the first is the document's."""


def to_text(model, made):
    """Return the text of the data file, with weights rounded to whole hundredths.

    Parameters
    ----------
    model : RoleModel
    made : dict
        How the model was made: command, seed, steps, NumPy's version.
    """
    batch = encode_sentences(SENTENCES)
    sentences = [
        {
            "tokens": batch.tokens[i][batch.mask[i]].tolist(),
            "verb": int(batch.verb[i]),
            "answers": batch.labels[i].tolist(),
            "zh": write_out(words),
            "en": english,
        }
        for i, (words, english) in enumerate(SENTENCES.items())
    ]
    entries = {
        "made": made,
        "words": VOCABULARY,
        "gloss": [GLOSSES[word] for word in VOCABULARY],
        "verb_slot": VERB_SLOT,
        "sentences": sentences,
    }
    averages = np.rint(TENTHS * _average_shares(model)).astype(int).tolist()
    return storage.to_text(entries | storage.packed(model) | {"averages": averages})


def _average_shares(model):
    """The mean of each head's share over 1,000 sentences, those of chapter 8, (H, d_model)."""
    return model.forward(make_sentences(np.random.default_rng(2024), 1000)).shares.mean(axis=0)


@lru_cache(maxsize=1)
def trained():
    """Return the `RoleModel` of the data file."""
    return storage.unpacked(storage.read(PATH))


def averages():
    """Return the average share of each head, rounded to tenths, (H, d_model) (Claim 8.7)."""
    return np.array(storage.read(PATH)["averages"]) / TENTHS


def exchanged(words):
    """Return the words of a sentence with giver and receiver exchanged, a tuple.

    Parameters
    ----------
    words : sequence of str

    Raises
    ------
    ValueError
        If the sentence does not have the form of the task.
    """
    giver, _, receiver, _ = encode_sentences([words]).where[0]
    other = list(words)
    other[giver], other[receiver] = words[receiver], words[giver]
    return tuple(other)
