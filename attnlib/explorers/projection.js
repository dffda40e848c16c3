// The explorer of chapter 2: q, k and v of two features, and what a change of X or W reaches.

import { entries } from "./core.js";
import { TWO_FEATURES, matrixRanges, selfAttention } from "./example.js";
import { controlBar, explorer } from "./explorer.js";
import { box, digit, h, line, number, panels, plane, table } from "./ui.js";

const ranges = { i: [1, 5, "whole"], ...matrixRanges(TWO_FEATURES) };
const NAMES = ["Q", "K", "V", "A", "Z"];
const TONES = ["query", "key", "value", "weights", "output"];

function compute({ i, ...state }) {
  const head = selfAttention(state.X, state);
  const before = selfAttention(TWO_FEATURES.X, TWO_FEATURES);
  const distance = (M, N) => Math.max(...M.flatMap((row, k) => row.map((x, l) => Math.abs(x - N[k][l]))));
  const moved = Object.fromEntries(NAMES.map((name) => [`moved-${name}`, distance(head[name], before[name])]));
  const { Q, K, V, A } = head;
  const row = Object.fromEntries(["Q", "K", "V"].map((name) => [name, [before[name][i - 1], head[name][i - 1]]]));
  return { numbers: { ...moved, ...entries({ Q, K, V, A }) }, x: state.X[i - 1], row };
}

const texts = {
  en: {
    title: "Explorer: three projections of one token",
    token: "token $i$",
    set: "Your numbers: $X$ and the three matrices",
    changed: "Compared with the start",
    head: ["", "largest change", ""],
    states: ["the same", "changed"],
    picture: "Arrows from 0 to x (grey), q (blue), k (vermilion) and v (green) of token i; hollow: where they were at the start.",
    summary: (names) => `Changed: ${names || "nothing"}.`,
  },
  zh: {
    title: "交互演示：一个 Token 的三种投影",
    token: "Token $i$",
    set: "可改的数：$X$ 与三个矩阵",
    changed: "与初值相比",
    head: ["", "最大变化", ""],
    states: ["未变", "已变"],
    picture: "从 0 出发的箭头：Token i 的 x（灰）、q（蓝）、k（橙红）、v（绿）；空心为初值所在。",
    summary: (names) => `已变：${names || "无"}。`,
  },
};

function view(t, { select, edit, grid, reset, words, glossed }) {
  const states = NAMES.map(() => h("span"));
  const { node, show: draw } = plane(t.picture);
  const row = { mark: (i, j, state) => i === state.i, pick: (i) => ({ i }) };
  const weights = ["Q", "K", "V"].map((name, k) => edit(`W_${name}`, `$W_${name}$`, TONES[k]));
  const nodes = [
    controlBar(select("i", t.token, glossed), reset),
    panels([line("heading", t.set), box("matrices", edit("X", "$X$", "scores", words), ...weights)]),
    panels(
      [node, line("note", t.picture, " i = ", digit("i"))],
      [table(t.changed, t.head, NAMES.map((name, k) => [`$${name}$`, number(`moved-${name}`), states[k]]))],
    ),
    panels([
      box(
        "matrices",
        grid("Q", "$Q = X W_Q$", 2, "query", row),
        grid("K", "$K = X W_K$", 2, "key", row),
        grid("V", "$V = X W_V$", 2, "value", row),
        grid("A", "$A$", 5, "weights", { most: 1, ...row }),
      ),
    ]),
  ];

  const changed = (numbers) => NAMES.map((name) => numbers[`moved-${name}`] > 1e-9);

  function show({ numbers, x, row }) {
    const arrow = (at, tone, text) => [{ line: [[0, 0], at], tone }, { at, tone, text }];
    const projected = Object.entries(row).flatMap(([name, [before, now]], k) => [
      { at: before, tone: TONES[k], hollow: true },
      ...arrow(now, TONES[k], name.toLowerCase()),
    ]);
    draw([...arrow(x, "scores", "x"), ...projected]);
    changed(numbers).forEach((is, k) => (states[k].textContent = t.states[Number(is)]));
  }

  const summary = (v) => t.summary(NAMES.filter((_, k) => changed(v)[k]).join(", "));
  return { nodes, show, summary };
}

export default explorer({ ranges, texts, compute, view });
