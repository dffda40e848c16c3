"""The words of the causal explorer belong to its numbers: each mask does what its option says."""

import re

import numpy as np
import pytest
from labelled import close


@pytest.mark.parametrize("way", ["live", "plain"])
def test_causal_each_mask_does_what_its_option_says(way, view, t):
    which = t("what it does", "做法")
    names = ["none", "causal", "zero_before", "zero_after", "off_by_one"]
    if way == "live":
        options = view.seen().control(which).options
        cases = [(option, view.choose(which, f"^{re.escape(option)}$")) for option in options]
    else:
        plain = [view.plain(mask=name) for name in names]
        title = t("Weights A,", "权重 A,")
        cases = [(now.table(title).caption, now) for now in plain]
    met = set()
    for words, now in cases:
        A = now.table(t("(?i)weights A,", "权重 A")).array
        later = [A[i, i + 1 :] for i in range(4)]
        atol = 1e-9 if way == "live" else 0.02
        whole_rows = np.allclose(A.sum(axis=1), 1, atol=atol)
        hides = not any(row.any() for row in later)
        # a score of 0 has one and the same weight wherever it stands in a row
        alike = all(np.ptp(row) < atol and row.all() for row in later)
        is_wrong = re.search(t("wrong", "错误"), words) is not None
        assert is_wrong == (not (hides and whole_rows) and t("no mask", "无掩码") not in words)
        if re.search(t("−∞ before", "前置 −∞"), words):
            does = "minus infinity before"
            assert hides and whole_rows, words  # noqa: PT018 (one property)
        elif re.search(t("0 before", "前置 0"), words):
            does = "zero before"
            assert alike and whole_rows, words  # noqa: PT018
        elif re.search(t("0 after", "后置 0"), words):
            does = "zero after"
            assert hides and not whole_rows, words  # noqa: PT018
        elif re.search(t("off by one", "错开一位"), words):
            does = "off by one"
            assert [np.count_nonzero(row) for row in A] == [2, 3, 4, 5, 5], words
        else:
            does = "nothing"
            assert t("no mask", "无掩码") in words
            assert A.all() and not alike, words  # noqa: PT018
        met.add(does)
    assert len(met) == 5


def test_causal_before_and_after_and_what_a_change_does(view, t):
    which, token = t("what it does", "做法"), t("token t", "Token t")
    no_mask, this_mask = t("no mask", "无掩码"), t("this mask", "当前掩码")
    weights, before, after = (
        t(words, chinese)
        for words, chinese in [
            ("weights A", "权重 A"), ("Z before", "改动前的 Z"), ("Z after", "改动后的 Z"),
        ]
    )  # fmt: skip
    seen = view.choose(which, t("wrong: 0 before", "错误：Softmax 前置 0"))
    view.choose(token, "^3 ")
    still = view.set(t("xt times", "xt 乘以"), 1)
    for table in (weights, before):
        close(still.table(table).array, seen.table(table).array)
    close(still.table(after).array, seen.table(before).array)
    moved = view.set(t("xt times", "xt 乘以"), -2)
    for table in (weights, before):
        close(moved.table(table).array, seen.table(table).array)
    change = abs(moved.table(after).array - moved.table(before).array).max(axis=1)
    what = moved.table(t("What the change does", "改动的影响"))
    close(what.column(t("moves by", "变化量")), change)
    close(what.column(t("weight on t", "对 t 的权重")), moved.table(weights).array[:, 2])
    says = [
        t("may move", "可以变")
        if i >= 3
        else t("leak", "泄漏")
        if by > 1e-9
        else t("stays", "不变")
        for i, by in enumerate(change, start=1)
    ]
    assert what.column("^$") == says
    assert t("leak", "泄漏") in says
    quiet = view.choose(which, t("^causal", "^因果")).table(t("What the change", "改动的影响"))
    assert quiet.column("^$")[:2] == [t("stays", "不变")] * 2
    # hollow where the outputs were, filled where they are
    seen = view.choose(which, no_mask)
    hollow, filled = (
        np.array([point["at"] for point in seen.points if point["filled"] is is_filled])
        for is_filled in (False, True)
    )
    assert t(
        "before the change, hollow, and after it, filled", "空心为改动前的输出，实心为改动后"
    ) in (seen.line(t("hollow", "空心")))
    for places, table in ((hollow, before), (filled, after)):
        close(places, seen.table(table).array)
    # the row that is compared: without a mask both are alike
    i = t("row i", "第 i 行")
    for plain, now in [
        (False, view.choose(i, "^2 ")),
        (False, view.choose(which, t("off by one", "错开一位"))),
        (True, view.plain(mask="off_by_one", i=2)),
    ]:
        row = now.table(t("^Row", "第 i 行|^行"))
        free, kept = row.numbers(no_mask), row.numbers(this_mask)
        close(kept[:5], now.table(t("(?i)weights A,", "权重 A")).array[1], 0.02 if plain else 1e-9)
        close(free[:5], seen.table(weights).array[1], 0.02 if plain else 1e-9)
        if not plain:
            close(row.row(t("sum for j ≤ i", "j ≤ i 之和")), [sum(free[:2]), sum(kept[:2])])
    assert kept[3] == 0 < free[3]
    now = view.plain(mask="none", token=2, factor=-2.0)
    what = now.table("× −2.00")
    assert what.caption.startswith("x2")
    close(what.column(t("weight on token 2", "权重，对 Token 2")), now.tables[0].array[:, 1], 0.02)
    four = [
        what.column(f"^zi{r} {when}$")
        for when in (t("before", "改动前"), t("after", "改动后"))
        for r in "12"
    ]
    close(np.transpose(four[:2]), seen.table(before).array, 0.02)
    change = abs(np.subtract(four[:2], four[2:])).max(axis=0)
    close(what.column(t("moves by", "变化量")), change, 0.02)
    assert change.max() > 0.2
