// The explorer of chapter 2: q, k and v of two features, and what a change of X or W reaches.

import { TWO_FEATURES, TWO_FEATURES_RANGES, selfAttention } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { box, line, number, panels, plane, table } from "../framework/ui.js";

const NAMES = ["Q", "K", "V", "A", "Z"];
const TONES = ["query", "key", "value"];

export default explorer({
  ranges: { i: [1, 5, "whole"], ...TWO_FEATURES_RANGES },

  compute({ i, ...state }) {
    const head = selfAttention(state.X, state);
    const before = selfAttention(TWO_FEATURES.X, TWO_FEATURES);
    const distance = (M, N) => Math.max(...M.flatMap((row, k) => row.map((x, l) => Math.abs(x - N[k][l]))));
    const moved = Object.fromEntries(NAMES.map((name) => [`moved-${name}`, distance(head[name], before[name])]));
    const { Q, K, V, A } = head;
    const row = (name) => [before[name][i - 1], head[name][i - 1]];
    return { numbers: { ...moved, Q, K, V, A }, x: state.X[i - 1], rows: [row("Q"), row("K"), row("V")] };
  },

  view(t, { select, edit, grid, reset, words }) {
    const changed = (name, v) => v[`moved-${name}`] > 1e-9;
    const arrow = (at, tone, text) => [
      { line: [[0, 0], at], tone },
      { at, tone, text },
    ];
    const caption = t(
      "Arrows from 0 to x (grey), q (blue), k (vermilion) and v (green) of token i; hollow: where they were at the start.",
      "从 0 出发的箭头：Token i 的 x（灰）、q（蓝）、k（橙红）、v（绿）；空心为初值所在。",
    );
    const picture = plane(caption, (v, { x, rows }) => [
      ...arrow(x, "scores", "x"),
      ...rows.flatMap(([at, now], k) => [{ at, tone: TONES[k], hollow: true }, ...arrow(now, TONES[k], "qkv"[k])]),
    ]);
    const states = t(["the same", "changed"], ["未变", "已变"]);
    const lines = NAMES.map((name) => [`$${name}$`, number(`moved-${name}`), (v) => states[Number(changed(name, v))]]);
    const changes = table(t("Compared with the start", "与初值相比"), ["", t("largest change", "最大变化"), ""], lines);
    const weights = NAMES.slice(0, 3).map((name, k) => edit(`W_${name}`, TONES[k]));
    const row = { pick: (i) => ({ i }) };
    const projected = NAMES.slice(0, 3).map((name, k) => grid(name, `$${name} = X W_${name}$`, 2, TONES[k], row));
    return {
      title: t("three projections of one token", "一个 Token 的三种投影"),
      nodes: [
        box("controls", select("i", t.token), reset),
        panels([
          line("heading", t("Your numbers: $X$ and the three matrices", "可改的数：$X$ 与三个矩阵")),
          box("matrices", edit("X", "scores", words), ...weights),
        ]),
        panels(picture, [changes]),
        panels([box("matrices", ...projected, grid("A", "$A$", 5, "weights", { most: 1, ...row }))]),
      ],
      summary: t("Changed: {names}.", "已变：{names}。"),
      values: (v) => ({ names: NAMES.filter((name) => changed(name, v)).join(", ") || t.none }),
    };
  },
});
