// The explorer of chapter 7: which outputs move when one token changes, under several masks.

import { group } from "../framework/controls.js";
import { entryName, keep, softmax, sum } from "../framework/core.js";
import { EXAMPLE, HEAD, selfAttention } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { plane } from "../framework/plane.js";
import { SETTINGS } from "../framework/settings.js";
import { table } from "../framework/tables.js";
import { box, line, number, panels } from "../framework/ui.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** How each mask makes weights of scaled scores. @type {Record<string, (S: number[][]) => number[][]>} */
const WEIGH = {
  none: (S) => S.map(softmax),
  causal: (S) => keep(S, 0, -Infinity).map(softmax),
  zero_before: (S) => keep(S, 0, 0).map(softmax),
  zero_after: (S) => keep(S.map(softmax), 0, 0),
  off_by_one: (S) => keep(S, 1, -Infinity).map(softmax),
};

/** @param {{mask: string, token: number, factor: number, i: number}} state */
function compute({ mask, token, factor, i }) {
  const changed = EXAMPLE.X.map((row, j) => (j === token - 1 ? row.map((x) => factor * x) : row));
  const { A, Z } = selfAttention(EXAMPLE.X, EXAMPLE, WEIGH[mask]);
  const { Z: after } = selfAttention(changed, EXAMPLE, WEIGH[mask]);
  const [free, kept] = [HEAD.A[i - 1], A[i - 1]];
  const seen = (/** @type {number[]} */ row) => sum(row.slice(0, i));
  const moved = Z.map((z, j) => Math.max(...z.map((x, r) => Math.abs(after[j][r] - x))));
  const onToken = A.map((row) => row[token - 1]);
  return { numbers: { A, Z, after, onToken, moved, free, kept, "seen-free": seen(free), "seen-kept": seen(kept) } };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, slider, grid, reset, words, matrices }) {
    const moves = (/** @type {number} */ j, /** @type {Now} */ { numbers }) => numbers.moved[j - 1] > 1e-9;
    const verdicts = t(["leak", "stays", "may move"], ["泄漏", "不变", "可以变"]);
    /** @type {(j: number) => (now: Now) => string} */
    const verdict = (j) => (now) => verdicts[j >= now.state.token ? 2 : moves(j, now) ? 0 : 1];
    const caption = t(
      "The outputs before the change, hollow, and after it, filled.",
      "空心为改动前的输出，实心为改动后的输出。",
    );
    /** @type {(i: number) => import("../framework/plane.js").Part[]} */
    const moved = (i) => [
      { kind: "line", tone: "output", through: ({ numbers: { Z, after } }) => [Z[i], after[i]] },
      { kind: "dot", tone: "output", at: ({ numbers }) => numbers.Z[i], hollow: () => true },
      { kind: "dot", tone: "output", at: ({ numbers }) => numbers.after[i], text: () => String(i + 1) },
    ];
    const picture = plane(
      caption,
      words.flatMap((_, i) => moved(i)),
    );
    const pick = (/** @type {number} */ i) => ({ i });
    const all = [
      grid("A", t("weights $A$, before", "改动前的权重 $A$"), "weights", { columns: 5, most: 1, pick }),
      grid("Z", t("$Z$ before", "改动前的 $Z$"), "output", { columns: 2, pick }),
      grid("after", t("$Z$ after", "改动后的 $Z$"), "output", { columns: 2, pick }),
    ];
    /** @type {(...names: string[]) => [string, ...Node[]][]} */
    const each = (...names) => words.map((word, j) => [word, ...names.map((name) => number(entryName(name, j + 1)))]);
    const outputs = table(
      t("What the change does", "改动的影响"),
      t(["output", "weight on $t$", "moves by", ""], ["输出", "对 $t$ 的权重", "变化量", ""]),
      each("onToken", "moved").map((row, j) => [...row, verdict(j + 1)]),
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
        panels([matrices(...all)]),
        panels([outputs, line("note", note), compared], picture),
      ],
      summary: t("Outputs that move: {moving}. Leaks: {leaks}.", "变化的输出：{moving}。泄漏：{leaks}。"),
      values(now) {
        const moving = words.filter((_, j) => moves(j + 1, now));
        const leaks = words.filter((_, j) => j + 1 < now.state.token && moves(j + 1, now));
        return { moving: moving.join(", ") || t.none, leaks: leaks.join(", ") || t.none };
      },
    };
  },
});
