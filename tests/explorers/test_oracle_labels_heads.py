"""The words of the heads explorer belong to its numbers: who gives in the sentence is the giver."""

import re

import numpy as np
import pytest
from labelled import close


def asked(sentence, t):
    """Who and when by the grammar of the sentence: giver 把 time … receiver."""
    giver, time, receiver = re.search(r"(小.)把(上?[^上].).*(小.)。$", sentence).groups()
    questions = t(("giver", "time", "receiver"), ("给予者", "时间词", "接受者"))
    return dict(zip(questions, (giver, time, receiver), strict=True))


@pytest.mark.parametrize("number", range(1, 7))
def test_heads_sentence_words_and_answers(number, view, t):
    seen = view.choose(t("choose one", "选一句"), f"^{number} ")
    sentence = seen.line(r"^\S*小\S把\S+给了\S+。$")
    giver, receiver = seen.control(t("choose one", "选一句")).chosen.split()[1::2]
    assert sentence.index(giver) < sentence.index(receiver)
    weights = seen.table(t("^Weights", "权重$"))
    *labels, sums = weights.labels
    assert sums == t("sum", "和")
    words = [label.split()[0] for label in labels]
    assert "".join(words).replace("的", "") + "。" == sentence.replace("的", "")
    (verb,) = [k for k, label in enumerate(labels) if label.endswith("←")]
    assert words[verb + 1] == "给了"
    close(weights.array[:-1].sum(axis=0), weights.array[-1])
    plain = view.plain(sentence=number)
    answers = t("^Answers", "答案$")
    for question, word in asked(sentence, t).items():
        for now in (seen.table(answers), plain.table(answers)):
            (label,) = [label for label in now.labels if label.startswith(question)]
            assert word in label, (label, sentence)
            assert now.at(f"^{question}", t("most likely", "最可能")) == f"✓ {word}"
            assert now.at(f"^{question}", t("its probability", "其概率")) > 0.5
    written = plain.table(t("^Weights", "权重$"))
    assert [label.split()[0] for label in written.labels] == words
    close(written.array, weights.array[:-1], 0.02)


def test_heads_switches_columns_and_shares(view, t):
    off, feature = t("off", "关"), t("feature", "特征")
    before = view.seen()
    view.press(t("^head 3$", "^头 3$"))
    now = view.set(feature, 5)
    weights = t("^Weights", "权重$")
    assert now.table(weights).head == ["1", "2", f"3 {off}", "4"]
    close(now.table(weights).array, before.table(weights).array)
    shares = now.table(t("^Shares", "份额"))
    norm, share, so_far = t("^norm", "^范数"), feature, t("^sum so far", "^累加")
    assert shares.row(t("^head 3$", "^头 3$"))[:2] == [0, 0]
    close(shares.numbers(so_far), np.cumsum(shares.numbers(share)))
    assert (shares.numbers(norm) >= abs(shares.numbers(share))).all()
    assert np.count_nonzero(shares.numbers(norm)) == 3
    # every feature in turn: their squares add up to the square of the norm
    squares = np.zeros(4)
    for r in range(1, 17):
        column = view.set(feature, r).table(t("^Shares", "份额"))
        squares += column.numbers(share) ** 2
    close(squares, shares.numbers(norm) ** 2)
    line = view.set(feature, 5).line(t("^All heads", "^所有头"))
    said = [float(x) for x in re.findall(r"-?\d+\.\d+", line.replace("−", "-"))]
    total = shares.numbers(so_far)[-1]
    assert said[0] > abs(total)
    close(said[1:], [total, total], 0.01)
    plain = view.plain(head_3="off", feature=5)
    written = plain.table(t("^Shares", "份额"))
    heads = [t(f"head {h}", f"头 {h}") + (f" {off}" if h == 3 else "") for h in range(1, 5)]
    assert written.labels == [*heads, "O"]
    assert plain.table(weights).head == heads
    assert f"{feature} 5" in written.head
    for words in (norm, share, so_far):
        close(written.numbers(words)[:4], shares.numbers(words), 0.02)
    close(written.row("^O$"), said, 0.02)
    # an answer that is lost is said to be wrong, and is not the likeliest word
    answers = now.table(t("^Answers", "答案$"))
    likely = answers.numbers(t("its probability", "其概率"))
    for label, word, p in zip(
        answers.labels, answers.column(t("most", "最可能")), likely, strict=True
    ):
        is_right = label.split(t(": ", "："))[1].split()[0] == word.split()[1]
        assert word.startswith("✓" if is_right else "✗")
        assert is_right or p < 0.5
    assert "✗" in "".join(answers.column(t("most", "最可能")))
