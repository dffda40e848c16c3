"""A label belongs to its value: what stands beside a number is held to what the number does.

Nothing here knows a name of the code. Options, rows, columns and lines are found by what a reader
reads, and the numbers beside them have to be what these words promise, in both languages, where the
explorer lives and in the plain table that stands where no script runs.
"""

import re

import numpy as np
import pytest
from explorer_state import CLASSES
from labelled import View, close, evaluated, formula

from attnlib.example import running_example

LIVE = 1e-9  # numbers in full
PLAIN = 0.02  # as they are written, with two decimals or three


@pytest.mark.parametrize("name", CLASSES)
def test_rows_and_options_that_are_tokens_spell_the_sentence(name, every_explorer):
    tokens = running_example().tokens
    view = View(every_explorer[0], name)
    seen = view.seen()
    tables = seen.tables + view.plain().tables
    lists = [table.labels[:5] for table in tables] + [c["options"] for c in seen.controls]
    for labels in ([label for label in labels if label[:1].isdigit()] for labels in lists):
        if any(token in label for label in labels for token in tokens) and name != "heads":
            numbers, words = zip(*(label.split()[:2] for label in labels), strict=True)
            assert numbers == ("1", "2", "3", "4", "5")
            assert "".join(words) == "小明把书送给小红"


def test_softmax_rows_columns_and_sliders(view, t):
    temperature, shift = t("temperature T", "温度 T"), t("shift c", "平移 c")
    view.set(temperature, 2)
    seen = view.set(shift, 1.5)
    plain = view.plain(temperature=2.0, shift=1.5)
    settings = plain.table(t("Settings", "设置"))
    for now, atol, T, c in [
        (seen, LIVE, seen.value(temperature), seen.value(shift)),
        (plain, PLAIN, settings.row(temperature)[0], settings.row(shift)[0]),
    ]:
        assert (T, c) == (2, 1.5)
        table = now.table(t("Weights", "权重"))
        x = table.numbers("^xj")
        scores = [seen.value(f"^{label[:1]} ") for label in table.labels[:5]]
        close(x, (np.array(scores) + c) / T, atol)
        exp, weights = table.numbers("^exj"), table.numbers(t("weight", "权重"))[:5]
        close(exp[:5], np.exp(x), 0.05 if atol == PLAIN else LIVE)
        close(weights, exp[:5] / sum(exp[:5]), atol)
        close(table.row(t("sum", "和"))[1:], [sum(exp[:5]), 1], 0.05 if atol == PLAIN else LIVE)
    entropy = -(
        weights := seen.table(t("Weights", "权重")).numbers(t("weight", "权重"))[:5]
    ) @ np.log(weights)
    assert f"= {entropy:.3f}" in seen.line(t("^Entropy", "^熵"))
    close(plain.table(t("Weights", "权重")).row(t("entropy", "熵"))[-1], entropy, PLAIN)
    # row j, column t: how weight j answers when the slider of token t moves
    jacobian = seen.table(t("^Jacobian", "^雅可比矩阵")).array
    close(plain.table(t("Jacobian", "雅可比矩阵")).array, jacobian, PLAIN)
    before = seen.value("^2 ")
    moved = view.set("^2 ", before + 0.01).table(t("Weights", "权重")).numbers(t("weight", "权重"))
    close((moved[:5] - weights) / 0.01, jacobian[:, 1], 1e-3)


EQUATIONS = {"pipeline": 8, "projection": 4, "scores": 1, "aggregation": 1}


@pytest.mark.parametrize("name", EQUATIONS)
def test_a_matrix_is_what_the_equation_above_it_says(name, every_explorer):
    view = View(every_explorer[0], name)
    seen = view.seen()
    equations = [formula(table.caption) for table in seen.tables]
    known = seen.by_symbol
    compared = [left for left, right in equations if right]
    assert len(compared) + ("S̃ + M" in known) == EQUATIONS[name]
    for left, right in equations:
        if right:
            close(known[left], evaluated(right, known))
    if "S̃ + M" in known:
        sees = np.tri(5, dtype=bool)
        np.testing.assert_array_equal(np.isneginf(known["S̃ + M"]), ~sees)
        close(known["S̃ + M"][sees], known["S̃"][sees])
    written = view.plain().by_symbol
    assert {left for left, right in equations if right} <= {*written}
    for symbol in known.keys() & written.keys():
        close(written[symbol], known[symbol], PLAIN)


def test_pipeline_stage_row_column_and_mask(view, t):
    choices = view.seen().control(t("matrix", "矩阵")).options
    row, column = t("row i", "第 i 行"), t("column", "列")
    view.choose(row, "^3 ")
    for option in choices:
        seen = view.choose(t("matrix", "矩阵"), f"^{re.escape(option)}$")
        options = seen.control(column).options
        seen = view.choose(column, f"^{options[1]}$")
        (chosen,) = [table for table in seen.tables if "location" in str(table.marks)]
        places = [
            (i, j)
            for i, marks in enumerate(chosen.marks)
            for j, m in enumerate(marks)
            if m == "location"
        ]
        assert chosen.caption == option.replace("_", "")
        ((i, j),) = places
        assert (chosen.labels[i], chosen.head[j]) == ("3", options[1].split()[0])
        # the line below names the cell and ends with its value
        left, _, value = seen.line(r"^\(?S?[A-Z]?̃?.* = .* = ").rpartition(" = ")
        symbol = formula(chosen.caption)[0]
        assert left.partition(" = ")[0].strip("()") in (f"{symbol}32", f"{symbol})32")
        close(float(value.replace("−", "-").replace("∞", "inf")), chosen.array[i, j], PLAIN)
        # and the words name the matrices that the equation multiplies
        says = seen.lines[0]
        for factor in re.findall("^[XQA]|W_.", formula(option)[1]):
            assert factor.replace("_", "") in says, (option, says)
    known = view.press(t("^causal$", "^因果掩码$")).by_symbol
    assert known["A"].all()
    close(known["S̃ + M"], known["S̃"])
    needs = view.plain(stage="Z", i=4, r=1).table(t("depends on", "取决于"))
    assert needs.caption.startswith("Z (4, 1)")
    assert (needs.at("^A$", t("rows", "行")), needs.at("^V$", t("columns", "列"))) == (4, 1)
    assert needs.at("^A$", t("columns", "列")) == needs.at("^V$", t("rows", "行")) == "1, 2, 3, 4"


@pytest.mark.parametrize(("typed", "reached"), [("X", "QKVAZ"), ("WQ", "QAZ"), ("WV", "VZ")])
def test_projection_changes_are_those_of_the_named_matrix(typed, reached, view, t):
    start = view.seen().by_symbol
    seen = view.type(typed, 1, 0, 2.5)
    changes = seen.table(t("Compared with the start", "与初值相比"))
    for name in "QKVAZ":
        change = abs(seen.by_symbol[name] - start[name]).max()
        close(changes.at(f"^{name}$", t("largest change", "最大变化")), change)
    says = {True: t("changed", "已变"), False: t("the same", "未变")}
    assert changes.column("^$") == [says[name in reached] for name in changes.labels]
    plain = view.plain(
        **{typed[0] + "_" * (len(typed) - 1) + typed[1:]: seen.by_symbol[typed].tolist()}
    )
    written = plain.table(t("Compared with the start", "与初值相比"))
    assert written.labels == changes.labels
    column = t("largest change", "最大变化")
    close(written.column(column), changes.column(column), PLAIN)


def test_scores_who_asks_and_who_answers(view, t):
    view.choose(t("query i", "查询 i"), "^4 ")
    seen = view.choose(t("key j", "键 j"), "^1 ")
    chosen = {"i": 3, "j": 0}
    known = seen.by_symbol
    running = t("sum so far", "累加至此")
    asks = t(r"(\w) asks, (\w) answers", r"(\w) 查询，(\w) 作答")
    tables = [(table, re.search(asks, table.caption)) for table in seen.tables]
    tables = [(table, *found.groups()) for table, found in tables if found]
    assert [pair for _, *pair in tables] == [["i", "j"], ["j", "i"]]
    for table, query, key in tables:
        assert table.caption.startswith(f"S{query}{key}")
        q, k = table.numbers(f"^Q{query}r$"), table.numbers(f"^K{key}r$")
        close(q, known["Q"][chosen[query]])
        close(k, known["K"][chosen[key]])
        close(table.numbers(t("product", "乘积")), q * k)
        close(table.numbers(running), np.cumsum(q * k))
        score = known["S"][chosen[query], chosen[key]]
        close(table.numbers(running)[-1], score)
        # the line above the picture: two lengths, the cosine of the angle, the shadow
        i, j = (chosen[index] + 1 for index in (query, key))
        line = seen.line(rf"^S{i}{j} = ‖")
        assert line.startswith(f"S{i}{j} = ‖q{i}‖ ‖k{j}‖ cos")
        angle, *lengths = [*map(float, re.findall(r"\d+\.\d+", line))]
        lengths_of_both = np.linalg.norm([q, k], axis=1)
        cosine = score / np.prod(lengths_of_both)
        close(np.cos(np.radians(angle)), cosine, PLAIN)
        close(lengths[:3], [*lengths_of_both, cosine], PLAIN)
        close(lengths[3:], [lengths_of_both[0], lengths_of_both[1] * cosine, score], PLAIN)
        # and both arrows as they are
        (at_q,) = [p["at"] for p in seen.points if p["text"].startswith(f"q {i}")]
        (at_k,) = [p["at"] for p in seen.points if p["text"].startswith(f"k {j}")]
        close([np.dot(at_q, at_q), np.dot(at_k, at_k), np.dot(at_q, at_k)], [q @ q, k @ k, score])
    plain = view.plain(i=4, j=1)
    for query, key in [(4, 1), (1, 4)]:
        table = plain.table(f"S{query}{key}$")
        q, k = table.numbers(f"^Q{query}r$"), table.numbers(f"^K{key}r$")
        close([q, k], [known["Q"][query - 1], known["K"][key - 1]], PLAIN)
        close(table.numbers(t("product", "乘积")), q * k, PLAIN)
        close(table.numbers(running)[-1], known["S"][query - 1, key - 1], PLAIN)
        row = plain.table(t("shadow", "投影")).row(f"S{query}{key}$")
        close(row[:2], np.linalg.norm([q, k], axis=1), PLAIN)
        close(row[3] * row[0] * row[1], q @ k, PLAIN)
        close(np.cos(np.radians(row[2])), row[3], PLAIN)
        close(row[4] * row[0], q @ k, PLAIN)


def test_aggregation_terms(view, t):
    view.choose(t("output position", "输出位置"), "^2 ")
    seen = view.choose(t("feature", "特征"), "^2$")
    known = seen.by_symbol
    names = {
        t("weights A", "权重 A"): "A",
        t("values V", "值 V"): "V",
        t("outputs Z", "输出 Z"): "Z",
    }
    for words, symbol in names.items():
        close(seen.table(f"^{words}").array, known[symbol])
    live = [t("weight", "权重"), t("value", "值 V"), "^αijVjr$", t("sum so far", "累加至此")]
    plain = ["^α2j$", "^Vj2$", "^α2jVj2$", t("sum so far", "累加至此")]
    now = view.plain(i=2, r=2)
    for table, columns, atol in [
        (seen.table(t("terms", "各项")), live, LIVE),
        (now.table(t("terms", "各项")), plain, PLAIN),
    ]:
        weight, value, term, so_far = (table.numbers(words) for words in columns)
        close([weight, value], [known["A"][1], known["V"][:, 1]], atol)
        close([term, so_far], [weight * value, np.cumsum(weight * value)], atol)
        close(so_far[-1], known["Z"][1, 1], atol)
    assert "Z22" in now.table(t("terms", "各项")).caption
    ends = now.table(t("Tip to tail", "首尾相接"))
    close(ends.array, np.cumsum(known["A"][1][:, None] * known["V"], axis=0), PLAIN)
    # a weight by hand: which one, what it was, what happens to the others
    view.choose(t("set by hand", "手动设定"), "^3 ")
    seen = view.set(t("its weight", "其权重"), 0.7)
    row, was = seen.by_symbol["A"][1], known["A"][1]
    said = seen.line(t("^By hand: α23", "^手动设定：α23"))
    computed, factor, total = map(float, re.findall(r"\d\.\d+", said))
    close([row[2], computed, factor, total], [0.7, was[2], row[0] / was[0], row.sum()], PLAIN)
    close([*map(float, [n for n in seen.notes if re.fullmatch(r"\d\.\d\d", n)])], row, PLAIN)
    (z,) = [point for point in seen.points if point["text"] == "z"]
    close(z["at"], row @ known["V"])
    plain = view.plain(i=2, r=2, source=3, weight=0.7)
    close(plain.table(t("terms", "各项")).numbers("^α2j$"), row, PLAIN)


def is_corner(V, j, seen):
    """Whether value j lies alone on one side of some line: on that side all others are missing."""
    angles = np.linspace(0, 2 * np.pi, 3600)
    ahead = V[seen] @ [np.cos(angles), np.sin(angles)]
    return bool((ahead.argmax(axis=0) == seen.index(j)).any())


def test_mixing_shares_states_and_what_is_seen(view, t):
    title, weight = t("Weights and values", "权重与值"), t("weight", "权重")
    hidden, inside, corner = t("hidden", "不可见"), t("inside", "内部"), t("corner", "顶点")
    view.choose(t("token i", "Token i"), "^3 ")
    for option, last in [(t("all tokens", "全部 Token"), 5), (t("up to i", "到 i 为止"), 3)]:
        now = view.choose(t("sees", "可见范围"), option)
        plain = view.plain(i=3, mask="causal" if last == 3 else "none")
        table = now.table(title)
        V = np.transpose([table.numbers("^Vj1$"), table.numbers("^Vj2$")])
        seen = [*range(last)]
        states = [corner if is_corner(V, j, seen) else inside for j in seen] + [hidden] * (5 - last)
        assert table.column("^$") == states
        assert [w > 0 for w in table.numbers(weight)] == [s != hidden for s in states]
        z = table.numbers(weight) @ V
        for degrees, r in [(90, 1), (0, 0)]:
            turned = view.set(t("direction", "箭头方向"), degrees)
            reach = re.search(
                t("arrow (.*) of at most (.*)$", "箭头为 (.*)，最大 (.*)$"), turned.lines[1]
            )
            at, most = (float(x.replace("−", "-")) for x in reach.groups())
            close([at, most], [z[r], V[seen, r].max()], PLAIN)
        said = re.search(r"\((.*), (.*)\)", now.lines[0].replace("−", "-")).groups()
        close([*map(float, said)], z, PLAIN)
        written = plain.table(title)
        reach = plain.table(t("In the direction of 0°", "沿 0° 方向"))
        farthest = V[seen, 0].max()
        close(reach.column(t("height", "高度")), [written.row("^z3$")[1], farthest], PLAIN)
        assert written.column("^$")[:5] == states
        close(written.row("^z3$")[:3], [1, *written.numbers(weight)[:5] @ V], PLAIN)
        close([written.numbers("^Vj1$")[:5], written.numbers("^Vj2$")[:5]], V.T, PLAIN)
    hollow = [point["text"] for point in now.points if not point["filled"]]
    assert hollow == [" ".join(label.split()[:2]) for label in table.labels[3:]]
    assert t("hollow: hidden", "空心表示不可见") in now.line(t("Shaded", "阴影"))
    # the slider of a token moves the weight of that token, and nobody else's share
    view.choose(t("sees", "可见范围"), t("all tokens", "全部 Token"))
    for j in range(1, 6):
        view.set(f"^{j} ", 100 if j == 4 else 0)
    now = view.seen()
    assert now.table(title).at("^4 ", weight) == 1
    (z,) = [point for point in now.points if point["text"] == "z"]
    (v,) = [point for point in now.points if point["text"].startswith("4 ")]
    close(z["at"], v["at"])
    filled = view.press(t("model computes", "模型算出")).table(title).numbers(weight)
    assert sum(filled > 0) == 5


def test_compass_words_have_their_own_weights_keys_and_values(view, t):
    example = running_example()
    now = view.set(t("length of q", "q 的长度"), 2.5)
    plain = view.plain(angle=70.0, length=2.5)
    table = plain.table(t("One query", "一个查询"))
    weights = table.numbers("^αj$")[:5]
    V = np.array([table.numbers("^Vj1$")[:5], table.numbers("^Vj2$")[:5]]).T
    z = [table.numbers("^Vj1$")[5], table.numbers("^Vj2$")[5]]
    close(weights @ V, z, PLAIN)
    # a weight is what its score makes of it, and a score what the query makes of its key
    turn = np.radians(now.value(t("direction of q", "q 的方向")))
    q = now.value(t("length of q", "q 的长度")) * np.array([np.cos(turn), np.sin(turn)])
    K = np.array([table.numbers("^Kj1$"), table.numbers("^Kj2$")]).T
    scores = table.numbers("^q kj⊤/√2$")
    close(K @ q / 2**0.5, scores, PLAIN)
    close(np.exp(scores) / np.exp(scores).sum(), weights, PLAIN)
    # each button has the word, its English in English, and its share; the line has the shares again
    buttons = [c["label"] for c in now.controls if "%" in c["label"]]
    for button, token, gloss, weight in zip(
        buttons, example.tokens, example.gloss, weights, strict=True
    ):
        assert button == t(gloss, token) + f"{100 * weight:.0f} %"
    said = [float(x) for x in re.findall(r"[\d.]+(?= v)", now.line(r"^z = 0"))]
    close(said, weights, PLAIN)
    close(eval(now.line(r"^z = 0").rpartition("= ")[2].replace("−", "-")), z, PLAIN)
