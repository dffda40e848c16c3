// The explorer of chapter 7: which outputs move when one token changes, under several masks.

import { group } from "../framework/controls.js";
import { entryName } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { plane } from "../framework/plane.js";
import { product } from "../framework/provenance.js";
import { SETTINGS } from "../framework/settings.js";
import { table } from "../framework/tables.js";
import { box, formatNumber, line, live, number, panels } from "../framework/ui.js";
import { causalNumbers } from "./numbers.js";
import { hasMoved, isLeak, sentencePicture } from "./sentence.js";
import { timeline } from "./timeline.js";

/** @import { Part } from "../framework/plane.js" */
/** @import { CausalNow as Now } from "./sentence.js" */

export default explorer({
  settings: SETTINGS,
  compute: causalNumbers,

  view(t, controls) {
    const { select, slider, button, grid, reset, words, glossed, matrices } = controls;
    const verdicts = t(["leak", "stays", "may move"], ["泄漏", "不变", "可以变"]);
    /** @type {(j: number) => (now: Now) => string} */
    const verdict = (j) => (now) => verdicts[j >= now.state.token - 1 ? 2 : isLeak(j, now) ? 0 : 1];
    const namesOf = (/** @type {(j: number) => boolean} */ isMeant) =>
      words.filter((_, j) => isMeant(j)).join(t(", ", "、")) || t.none;
    const short = (/** @type {number} */ x) => formatNumber(x, 2);

    const effect = (/** @type {Now} */ now) => {
      const { token, factor } = now.state;
      const outputsOf = (/** @type {typeof isLeak} */ isMeant) =>
        words.flatMap((_, j) => (isMeant(j, now) ? `$z_${j + 1}$` : [])).join(t(", ", "、")) || t.none;
      return t(
        `$x_${token}$ × ${short(factor)} moves ${outputsOf(hasMoved)}. Leaks: ${outputsOf(isLeak)}.`,
        `$x_${token}$ × ${short(factor)}，变化的输出：${outputsOf(hasMoved)}。泄漏：${outputsOf(isLeak)}。`,
      );
    };
    const mixture = (/** @type {Now} */ { state: { i }, numbers: { A_after, after } }) => {
      const terms = A_after[i - 1].flatMap((a, j) => (a > 0 ? `${short(a)}$v_${j + 1}$` : []));
      return `$z_${i}$ = ${terms.join(" + ")} = (${after[i - 1].map(short).join(", ")})`;
    };

    /** @type {(i: number) => Part[]} */
    const moved = (i) => [
      { kind: "line", tone: "output", through: ({ numbers: { Z, after } }) => [Z[i], after[i]] },
      { kind: "dot", tone: "output", at: ({ numbers }) => numbers.Z[i], hollow: () => true },
      {
        kind: "dot",
        tone: "output",
        at: ({ numbers }) => numbers.after[i],
        text: (now) => `${isLeak(i, now) ? "✗ " : ""}${i + 1}`,
      },
    ];
    const caption = t(
      "The outputs before the change, hollow, and after it, filled; ✗ a leak.",
      "空心为改动前的输出，实心为改动后的输出；✗ 为泄漏。",
    );
    const [places, placesNote] = plane(
      caption,
      words.flatMap((_, i) => moved(i)),
    );
    const marks = [...places.querySelectorAll("g")];
    live(places, (/** @type {Now} */ now) => {
      for (const [k, mark] of marks.entries()) mark.classList.toggle("attn-leak", isLeak(Math.floor(k / 3), now));
    });
    const arcsNote = t(
      "Pull a handle at the bottom: $x_t$ times a number. The thicker an arc, the larger the weight; strong ones are those of the token that asks, with its weights in the words.",
      "拖动底部的手柄，$x_t$ 就乘以一个数。弧线越粗，权重越大；颜色深的属于发问的 Token，它的权重写在各词下面。",
    );

    const pick = (/** @type {number} */ i) => ({ i });
    const before = [
      grid("A", t("weights $A$, before", "改动前的权重 $A$"), "weights", { columns: 5, most: 1, pick }),
      grid("V", t("$V$ before", "改动前的 $V$"), "value", { columns: 2 }),
      grid("Z", t("$Z$ before", "改动前的 $Z$"), "output", { columns: 2, pick, from: product("A", "V") }),
    ];
    const of = { weights: { symbol: "A", columns: 5, most: 1, pick }, values: { symbol: "V", columns: 2 } };
    const after = [
      grid("A_after", t("weights after", "改动后的权重"), "weights", of.weights),
      grid("V_after", t("$V$ after", "改动后的 $V$"), "value", of.values),
      grid("after", t("$Z$ after", "改动后的 $Z$"), "output", {
        symbol: "Z",
        columns: 2,
        pick,
        from: product("A_after", "V_after"),
      }),
    ];

    /** @type {(...names: string[]) => [string, ...Node[]][]} */
    const each = (...names) => glossed.map((word, j) => [word, ...names.map((name) => number(entryName(name, j + 1)))]);
    const outputs = table(
      t("What the change does", "改动的影响"),
      t(["output", "weight on $t$", "moves by", ""], ["输出", "对 $t$ 的权重", "变化量", ""]),
      each("onToken", "moved").map((row, j) => [...row, verdict(j)]),
    );
    const note = t(
      "Moves by: the largest change of a feature of $z_i$. Leak: an output before $t$ that moves.",
      "变化量：$z_i$ 各特征变化的最大值。泄漏：$t$ 之前的输出变了。",
    );
    /** @type {[string, ...Node[]]} */
    const sums = [t("sum for $j ≤ i$", "$j ≤ i$ 之和"), number("seen-free"), number("seen-kept")];
    const compared = table(
      t("Row $i$, before the change", "改动前的第 $i$ 行"),
      [t.key, t("no mask", "无掩码"), t("this mask", "当前掩码")],
      [...each("free", "kept"), sums],
    );

    const isWritten = (/** @type {number} */ j, /** @type {Now} */ { state }) => j < state.step;
    const pair = (/** @type {string} */ name, /** @type {number} */ j, isAlways = true) =>
      [1, 2].map((r) => {
        const shown = box("once", number(entryName(name, j + 1, r), 2));
        return live(shown, (/** @type {Now} */ now) => {
          shown.hidden = !isAlways && !isWritten(j, now);
        });
      });
    const same = ["=", "≠", "…"];
    const rows = table(
      t("The same rows, trained and written", "同样的行：训练与生成"),
      t(["row", "trained", "", "written", "", ""], ["行", "训练", "", "生成", "", ""]),
      words.map((word, j) => [
        word,
        ...pair("after", j),
        ...pair("written", j, false),
        (/** @type {Now} */ now) => same[isWritten(j, now) ? (now.numbers.apart[j] > 1e-9 ? 1 : 0) : 2],
      ]),
    );
    rows.classList.add("attn-tight");
    const counts = t(
      "Scores computed: {masked} in one masked product; {cached} in writing so far, with a KV cache ({afresh} without).",
      "算出的分数：一次带掩码的乘积 {masked} 个；逐个生成至此 {cached} 个（用 KV 缓存；不用则 {afresh} 个）。",
    );
    const next = button("next", t("Next step", "下一步"), ({ step }) => ({ step: (step % 5) + 1 }));
    const time = t("Training and writing on one timeline", "训练与生成：同一条时间轴");

    const mask = select("mask", t("what it does", "做法"));
    const token = select("token", t("token $t$", "Token $t$"));
    const factor = slider("factor", t("$x_t$ times", "$x_t$ 乘以"), { step: 0.1 });
    return {
      title: t("which outputs move", "哪些输出会动"),
      nodes: [
        box(
          "controls",
          group(t("Mask", "掩码"), "weights", mask, reset),
          group(t("Change one token", "改动一个 Token"), "output", token, factor),
          group(t("Compare weights", "比较权重"), "weights", select("i", t.row)),
        ),
        box("formula", line("step", effect), line("step", mixture)),
        panels([sentencePicture(t, controls), line("note", arcsNote)], [places, placesNote]),
        panels([matrices(...before), matrices(...after)]),
        panels([outputs, line("note", note)], [compared]),
        box("controls", group(time, "output", slider("step", t("step", "步")), next)),
        panels([timeline(t, words)], [rows, line("note", counts)]),
      ],
      summary: t("Outputs that move: {moving}. Leaks: {leaks}.", "变化的输出：{moving}。泄漏：{leaks}。"),
      values: (now) => ({ moving: namesOf((j) => hasMoved(j, now)), leaks: namesOf((j) => isLeak(j, now)) }),
    };
  },
});
