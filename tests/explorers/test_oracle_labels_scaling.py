"""The words of the scaling explorer belong to its numbers: derived, measured, divided."""

import re

import numpy as np
import pytest
from labelled import close

KEYS = 8


def numbers_in(line):
    """The numbers of a line, in order."""
    plain = line.replace("×10", "e").translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", plain)]


@pytest.fixture
def rows(t):
    """What the rows of the comparison are called."""
    return {
        "mean": t("^mean", "^均值"),
        "variance": t("^variance", "^方差"),
        "sd": t("deviation", "^标准差"),
        "row": t("within", "同一行内"),
    }


def compared(now, t):
    return now.table(t("^Derived and measured|800 scaled", "^推导与实测|800 个"))


def test_scaling_another_sample_moves_what_is_measured_and_nothing_that_is_derived(view, t, rows):
    view.set("μq", 1, t("Query", "查询"))
    first = compared(view.set("μk", -0.5, t("Key", "键")), t)
    now = view.press(t("Draw again", "重新抽样"))
    second = compared(now, t)
    derived, measured = t("^derived", "推导"), t("^measured", "^实测")
    assert first.column(derived) == second.column(derived)
    assert not {*first.column(measured)} & {*second.column(measured)}
    for column in (derived, measured):
        at = {name: second.at(words, column) for name, words in rows.items()}
        close(at["sd"] ** 2, at["variance"])
        assert at["row"] < at["sd"]
        assert abs(at["mean"] - 64 * 1 * -0.5 / 8) < 0.5  # d_k μ_q μ_k ÷ √d_k
    # the two brackets of the picture, and how the picture is read aloud
    notes = [note for note in now.notes if "±" in note]
    for words, column in zip(notes, (derived, measured), strict=True):
        assert re.match(column, words)
        close(numbers_in(words), [second.at(rows["sd"], column)], 0.001)
    # the bars hold all scores but those outside
    note = now.line(t("^Sample", "^样本"))
    sample, tallest, outside = numbers_in(note)
    assert sample == 2
    counts = np.array(now.heights) / max(now.heights) * tallest
    close(counts, counts.round(), 1e-6)
    close(counts.sum(), 800 * (1 - outside), 0.5)


def test_scaling_the_formula_holds_for_the_sliders_that_are_named(view, t):
    query, key = t("^Query", "^查询"), t("^Key", "^键")
    for name, legend, x in [
        ("μq", query, 1),
        ("σq", query, 2),
        ("μk", key, -1.5),
        ("σk", key, 0.5),
    ]:
        view.set(name, x, legend)
    now = view.set("ρ", 0.25, key)
    mq, sq, mk, sk, rho = (now.value(name) for name in ("μq", "σq", "μk", "σk", "ρ"))
    assert (mq, sq, mk, sk, rho) == (1, 2, -1.5, 0.5, 0.25)
    per_feature = sq**2 * sk**2 * (1 + rho**2) + sq**2 * mk**2 + sk**2 * mq**2
    per_feature += 2 * rho * sq * sk * mq * mk
    names = t(
        ("mean μq", "mean μk", "deviation σq", "deviation σk", "correlation ρ"),
        ("均值 μq", "均值 μk", "标准差 σq", "标准差 σk", "相关系数 ρ"),
    )
    assert [now.value(f"^{name}$") for name in names] == [mq, mk, sq, sk, rho]
    options = now.control(t("divided by", "缩放")).options
    for option in options:
        now = view.choose(t("divided by", "缩放"), f"^{re.escape(option)}$")
        d_k = now.value(t("features", "特征个数"))
        divisor = d_k**0.5 if "√d_k" in option else d_k if "d_k" in option else 1
        product, scaled = now.line(r"^Var\(q·k\) = \d.* × "), now.line(r"^Var\(s̃\)")
        close(numbers_in(product), [d_k, per_feature, d_k * per_feature], 0.06)
        unscaled, shown, result = numbers_in(scaled.replace("²", ""))
        close([unscaled, shown, result], [d_k * per_feature, divisor, unscaled / shown**2], 0.06)
        close(compared(now, t).at(t("^variance", "^方差"), t("^derived", "推导")), result, 0.06)
        # the plain table names the divisor, too
        name = {1: "none", d_k: "d_k"}.get(divisor, "sqrt_d_k")
        settings = view.plain(scaling=name, mu_q=-1.0, sigma_k=0.5).table(t("^Settings", "^设置"))
        words = {1: " 1$", d_k: " dk$"}.get(divisor, " √dk$")
        close(settings.row(f"^{t('scores divided by', '分数除以')}{words}"), [divisor], 0.001)
        close(settings.row("^μq") + settings.row("^σk"), [-1, 0.5])


def test_scaling_a_mean_moves_the_mean_and_a_deviation_does_not(view, t, rows):
    derived = t("^derived", "推导")

    def mean(now):
        return compared(now, t).at(rows["mean"], derived)

    view.set(t("deviation σq", "标准差 σq"), 2)
    assert mean(view.set(t("deviation σk", "标准差 σk"), 2)) == 0
    view.set(t("mean μq", "均值 μq"), 1)
    assert mean(view.set(t("mean μk", "均值 μk"), 1)) == 8
    # at correlation 1 nothing is left to scatter within a row
    now = compared(view.set(t("correlation", "相关系数"), 1), t)
    assert now.at(rows["row"], derived) == 0 < now.at(rows["sd"], derived)


@pytest.mark.parametrize("way", ["live", "plain"])
def test_scaling_one_row_and_its_saturation(way, view, t):
    live = view.seen()
    now, atol = (live, 1e-9) if way == "live" else (view.plain(), 0.005)
    row = now.table(t("^One row", "其中一行"))
    assert row.labels == [str(j) for j in range(1, KEYS + 1)]
    score, weight = row.numbers(t("^score", "^分数")), row.numbers(t("^weight", "^权重"))
    close(weight, np.exp(score) / sum(np.exp(score)), atol)
    saturation = now.table(t("^Saturation", "^饱和"))
    one, all_rows = t("this row", "这一行"), t("average|mean of 100", "平均")
    entropy, jacobian = t("[Ee]ntropy", "熵"), t("Jacobian", "雅可比")
    close(saturation.at(entropy, one), -weight @ np.log(weight), atol)
    J = np.diag(weight) - np.outer(weight, weight)
    close(saturation.at(jacobian, one), np.linalg.norm(J), atol)
    assert saturation.at(entropy, all_rows) != saturation.at(entropy, one)
    if way == "live":
        most = re.search(r"ln 8 = (\d\.\d+)", now.line(t("at most", "最大为")))
        close(float(most[1]), np.log(KEYS), 0.001)
        # with equal weights every row has the entropy that is said to be the most
        now = view.set(t("correlation", "相关系数"), 1).table(t("^Saturation", "^饱和"))
        close(now.row(entropy), [np.log(KEYS)] * 2)
    else:
        measured = compared(now, t)
        column = t("^measured", "^实测")
        close(measured.column(column), compared(live, t).column(column), atol)
        derived = t("^derived", "推导")
        close(measured.column(derived), compared(live, t).column(derived), atol)
