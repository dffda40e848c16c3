// The explorer of chapter 7: which outputs move when one token changes, under several masks.

import { entries, keep, softmax, sum } from "./core.js";
import { EXAMPLE, selfAttention } from "./example.js";
import { controlBar, explorer, group } from "./explorer.js";
import { box, digit, h, line, number, panels, plane, table } from "./ui.js";

const ranges = {
  mask: ["none", "causal", "zero_before", "zero_after", "off_by_one"],
  token: [1, 5, "whole"],
  factor: [-2, 2],
  i: [1, 5, "whole"],
};

const WEIGH = {
  none: (S) => S.map(softmax),
  causal: (S) => keep(S, 0, -Infinity).map(softmax),
  zero_before: (S) => keep(S, 0, 0).map(softmax),
  zero_after: (S) => keep(S.map(softmax), 0, 0),
  off_by_one: (S) => keep(S, 1, -Infinity).map(softmax),
};

function compute({ mask, token, factor, i }) {
  const changed = EXAMPLE.X.map((row, j) => (j === token - 1 ? row.map((x) => factor * x) : row));
  const { A, Z } = selfAttention(EXAMPLE.X, EXAMPLE, WEIGH[mask]);
  const { Z: after } = selfAttention(changed, EXAMPLE, WEIGH[mask]);
  const free = selfAttention(EXAMPLE.X, EXAMPLE).A[i - 1];
  const kept = A[i - 1];
  const seen = (row) => sum(row.slice(0, i));
  const moved = Z.map((z, j) => Math.max(...z.map((x, r) => Math.abs(after[j][r] - x))));
  const numbers = { "seen-free": seen(free), "seen-kept": seen(kept) };
  const onToken = A.map((row) => row[token - 1]);
  return { numbers: { ...numbers, ...entries({ A, Z, after, onToken, moved, free, kept }) }, Z, after, token };
}

const texts = {
  en: {
    title: "Explorer: which outputs move",
    theMask: "Mask",
    mask: "what it does",
    masks: ["no mask", "causal: −∞ before softmax", "wrong: 0 before softmax", "wrong: 0 after softmax", "wrong: off by one"],
    change: "Change one token",
    token: "token $t$",
    factor: "$x_t$ times",
    compare: "Compare weights",
    row: "row $i$",
    weights: "weights $A$, before",
    before: "$Z$ before",
    after: "$Z$ after",
    outputs: "What the change does",
    head: ["output", "weight on $t$", "moves by", ""],
    verdicts: ["leak", "stays", "may move"],
    rowCaption: "Row $i$, before the change",
    rowHead: ["key $j$", "no mask", "this mask"],
    seen: "sum for $j ≤ i$",
    picture: "The outputs before the change, hollow, and after it, filled.",
    note: "Moves by: the largest change of a feature of $z_i$. Leak: an output before $t$ that moves. ",
    summary: (moved, leaks) => `Outputs that move: ${moved || "none"}. Leaks: ${leaks || "none"}.`,
  },
  zh: {
    title: "交互演示：哪些输出会变",
    theMask: "掩码",
    mask: "做法",
    masks: ["无掩码", "因果：Softmax 前置 −∞", "错误：Softmax 前置 0", "错误：Softmax 后置 0", "错误：错开一位"],
    change: "改动一个 Token",
    token: "Token $t$",
    factor: "$x_t$ 乘以",
    compare: "比较权重",
    row: "第 $i$ 行",
    weights: "改动前的权重 $A$",
    before: "改动前的 $Z$",
    after: "改动后的 $Z$",
    outputs: "改动的影响",
    head: ["输出", "对 $t$ 的权重", "变化量", ""],
    verdicts: ["泄漏", "不变", "可以变"],
    rowCaption: "改动前的第 $i$ 行",
    rowHead: ["键 $j$", "无掩码", "当前掩码"],
    seen: "$j ≤ i$ 之和",
    picture: "空心为改动前的输出，实心为改动后的输出。",
    note: "变化量：$z_i$ 各维度变化的最大值。泄漏：$t$ 之前的输出变了。",
    summary: (moved, leaks) => `变化的输出：${moved || "无"}。泄漏：${leaks || "无"}。`,
  },
};

function view(t, { select, slider, grid, reset, words, glossed }) {
  const verdicts = words.map(() => h("span"));
  const { node, show: draw } = plane(t.picture);
  const row = { mark: (i, j, state) => i === state.i, pick: (i) => ({ i }) };
  const each = (...names) => words.map((word, j) => [word, ...names.map((name) => number(`${name}-${j + 1}`))]);
  const matrices = [
    grid("A", t.weights, 5, "weights", { most: 1, ...row }),
    grid("Z", t.before, 2, "output", row),
    grid("after", t.after, 2, "output", row),
  ];
  const outputs = table(t.outputs, t.head, each("onToken", "moved").map((cells, i) => [...cells, verdicts[i]]));
  const sums = [t.seen, number("seen-free"), number("seen-kept")];
  const nodes = [
    controlBar(
      group(t.theMask, "weights", select("mask", t.mask, t.masks), reset),
      group(t.change, "output", select("token", t.token, glossed), slider("factor", t.factor, { step: 0.1, decimals: 2 })),
      group(t.compare, "weights", select("i", t.row, glossed)),
    ),
    panels([box("matrices", ...matrices)]),
    panels(
      [
        outputs,
        line("note", t.note, "$t$ = ", digit("token")),
        table(t.rowCaption, t.rowHead, [...each("free", "kept"), sums]),
        line("note", "$i$ = ", digit("i")),
      ],
      [node, line("note", t.picture)],
    ),
  ];

  function show({ numbers, Z, after, token }) {
    draw(
      Z.flatMap((z, i) => [
        { line: [z, after[i]], tone: "output" },
        { at: z, tone: "output", hollow: true },
        { at: after[i], tone: "output", text: String(i + 1) },
      ]),
    );
    verdicts.forEach((place, i) => {
      const moves = numbers[`moved-${i + 1}`] > 1e-9;
      place.textContent = t.verdicts[i + 1 >= token ? 2 : moves ? 0 : 1];
    });
  }

  const summary = (v) => {
    const moving = words.filter((_, i) => v[`moved-${i + 1}`] > 1e-9);
    return t.summary(moving.join(", "), moving.filter((word) => parseInt(word) < v.token).join(", "));
  };
  return { nodes, show, summary };
}

export default explorer({ ranges, texts, compute, view });
