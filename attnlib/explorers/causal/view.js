// The explorer of chapter 7: which outputs move when one token changes, under several masks.

import { keep, softmax, sum } from "../framework/core.js";
import { EXAMPLE, HEAD, selfAttention } from "../framework/example.js";
import { explorer, group } from "../framework/explorer.js";
import { box, line, number, panels, plane, table } from "../framework/ui.js";

const WEIGH = {
  none: (S) => S.map(softmax),
  causal: (S) => keep(S, 0, -Infinity).map(softmax),
  zero_before: (S) => keep(S, 0, 0).map(softmax),
  zero_after: (S) => keep(S.map(softmax), 0, 0),
  off_by_one: (S) => keep(S, 1, -Infinity).map(softmax),
};

export default explorer({
  ranges: { mask: Object.keys(WEIGH), token: [1, 5, "whole"], factor: [-2, 2], i: [1, 5, "whole"] },

  compute({ mask, token, factor, i }) {
    const changed = EXAMPLE.X.map((row, j) => (j === token - 1 ? row.map((x) => factor * x) : row));
    const { A, Z } = selfAttention(EXAMPLE.X, EXAMPLE, WEIGH[mask]);
    const { Z: after } = selfAttention(changed, EXAMPLE, WEIGH[mask]);
    const [free, kept] = [HEAD.A[i - 1], A[i - 1]];
    const seen = (row) => sum(row.slice(0, i));
    const moved = Z.map((z, j) => Math.max(...z.map((x, r) => Math.abs(after[j][r] - x))));
    const onToken = A.map((row) => row[token - 1]);
    return { numbers: { A, Z, after, onToken, moved, free, kept, "seen-free": seen(free), "seen-kept": seen(kept) } };
  },

  view(t, { select, slider, grid, reset, words }) {
    const moves = (j, v) => v[`moved-${j}`] > 1e-9;
    const verdicts = t(["leak", "stays", "may move"], ["泄漏", "不变", "可以变"]);
    const verdict = (j) => (v) => verdicts[j >= v.token ? 2 : moves(j, v) ? 0 : 1];
    const caption = t(
      "The outputs before the change, hollow, and after it, filled.",
      "空心为改动前的输出，实心为改动后的输出。",
    );
    const picture = plane(caption, (v, { numbers: { Z, after } }) =>
      Z.flatMap((z, i) => [
        { line: [z, after[i]], tone: "output" },
        { at: z, tone: "output", hollow: true },
        { at: after[i], tone: "output", text: i + 1 },
      ]),
    );
    const row = { pick: (i) => ({ i }) };
    const matrices = [
      grid("A", t("weights $A$, before", "改动前的权重 $A$"), 5, "weights", { most: 1, ...row }),
      grid("Z", t("$Z$ before", "改动前的 $Z$"), 2, "output", row),
      grid("after", t("$Z$ after", "改动后的 $Z$"), 2, "output", row),
    ];
    const each = (one, other) => words.map((word, j) => [word, number(`${one}-${j + 1}`), number(`${other}-${j + 1}`)]);
    const outputs = table(
      t("What the change does", "改动的影响"),
      t(["output", "weight on $t$", "moves by", ""], ["输出", "对 $t$ 的权重", "变化量", ""]),
      each("onToken", "moved").map((cells, j) => [...cells, verdict(j + 1)]),
    );
    const note = t(
      "Moves by: the largest change of a feature of $z_i$. Leak: an output before $t$ that moves.",
      "变化量：$z_i$ 各特征变化的最大值。泄漏：$t$ 之前的输出变了。",
    );
    const sums = [t("sum for $j ≤ i$", "$j ≤ i$ 之和"), number("seen-free"), number("seen-kept")];
    const compared = table(
      t("Row $i$, before the change", "改动前的第 $i$ 行"),
      [t.key, t("no mask", "无掩码"), t("this mask", "当前掩码")],
      [...each("free", "kept"), sums],
    );
    const masks = t(
      [
        "no mask",
        "causal: −∞ before softmax",
        "wrong: 0 before softmax",
        "wrong: 0 after softmax",
        "wrong: off by one",
      ],
      ["无掩码", "因果：Softmax 前置 −∞", "错误：Softmax 前置 0", "错误：Softmax 后置 0", "错误：错开一位"],
    );
    const mask = select("mask", t("what it does", "做法"), masks);
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
        panels([box("matrices", ...matrices)]),
        panels([outputs, line("note", note), compared], picture),
      ],
      summary: t("Outputs that move: {moving}. Leaks: {leaks}.", "变化的输出：{moving}。泄漏：{leaks}。"),
      values(v) {
        const moving = words.filter((_, j) => moves(j + 1, v));
        const leaks = moving.filter((word) => parseInt(word) < v.token);
        return { moving: moving.join(", ") || t.none, leaks: leaks.join(", ") || t.none };
      },
    };
  },
});
