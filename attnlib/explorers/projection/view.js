// The explorer of chapter 2: q, k and v of two features, and what a change of X or W reaches.

import { entryName } from "../framework/core.js";
import { selfAttention } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { plane } from "../framework/plane.js";
import { SETTINGS } from "../framework/settings.js";
import { table } from "../framework/tables.js";
import { box, line, number, panels } from "../framework/ui.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** @typedef {{X: number[][], W_Q: number[][], W_K: number[][], W_V: number[][]}} Matrices */
/** @typedef {"Q" | "K" | "V" | "A" | "Z"} Name */

/** @type {Name[]} */
const NAMES = ["Q", "K", "V", "A", "Z"];
const TONES = ["query", "key", "value"];

/** The largest distance of two entries. @param {number[][]} M @param {number[][]} N */
function farthest(M, N) {
  return Math.max(...M.flatMap((row, i) => row.map((x, j) => Math.abs(x - N[i][j]))));
}

/** @param {Matrices & {i: number}} state */
function compute({ i, ...matrices }) {
  const head = selfAttention(matrices.X, matrices);
  const { X, W_Q, W_K, W_V } = SETTINGS;
  const before = selfAttention(X.start, { W_Q: W_Q.start, W_K: W_K.start, W_V: W_V.start });
  const moved = NAMES.map((name) => farthest(head[name], before[name]));
  const movedByName = Object.fromEntries(NAMES.map((name, k) => [entryName("moved", name), moved[k]]));
  const { Q, K, V, A } = head;
  const drawn = {
    x: matrices.X[i - 1],
    now: [Q, K, V].map((M) => M[i - 1]),
    before: [before.Q, before.K, before.V].map((M) => M[i - 1]),
  };
  return { numbers: { ...movedByName, Q, K, V, A }, moved, drawn };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, edit, grid, reset, words, matrices }) {
    const isChanged = (/** @type {number} */ k, /** @type {Now} */ { moved }) => moved[k] > 1e-9;
    const caption = t(
      "Arrows from 0 to x (grey), q (blue), k (vermilion) and v (green) of token i; hollow: where they were at the start.",
      "从 0 出发的箭头：Token i 的 x（灰）、q（蓝）、k（橙红）、v（绿）；空心为初值所在。",
    );
    /** @type {(k: number) => import("../framework/plane.js").Part[]} */
    const projectedTo = (k) => [
      { kind: "dot", tone: TONES[k], at: ({ drawn: { before } }) => before[k], hollow: () => true },
      { kind: "arrow", tone: TONES[k], at: ({ drawn }) => drawn.now[k], text: () => "qkv"[k] },
    ];
    const picture = plane(caption, [
      { kind: "arrow", tone: "scores", at: ({ drawn }) => drawn.x, text: () => "x" },
      ...TONES.flatMap((_, k) => projectedTo(k)),
    ]);
    const states = t(["the same", "changed"], ["未变", "已变"]);
    /** @type {(name: Name, k: number) => [string, Node, (now: Now) => string]} */
    const change = (name, k) => [
      `$${name}$`,
      number(entryName("moved", name)),
      (now) => states[Number(isChanged(k, now))],
    ];
    const changes = table(
      t("Compared with the start", "与初值相比"),
      ["", t("largest change", "最大变化"), ""],
      NAMES.map(change),
    );
    const weights = NAMES.slice(0, 3).map((name, k) => edit(`W_${name}`, TONES[k]));
    const pick = (/** @type {number} */ i) => ({ i });
    const projected = NAMES.slice(0, 3).map((name, k) =>
      grid(name, `$${name} = X W_${name}$`, TONES[k], { columns: 2, pick }),
    );
    return {
      title: t("three projections of one token", "一个 Token 的三种投影"),
      nodes: [
        box("controls", select("i", t.token), reset),
        panels([
          line("heading", t("Your numbers: $X$ and the three matrices", "可改的数：$X$ 与三个矩阵")),
          matrices(edit("X", "scores", words), ...weights),
        ]),
        panels(picture, [changes]),
        panels([matrices(...projected, grid("A", "$A$", "weights", { columns: 5, most: 1, pick }))]),
      ],
      summary: t("Changed: {names}.", "已变：{names}。"),
      values: (now) => ({ names: NAMES.filter((_, k) => isChanged(k, now)).join(", ") || t.none }),
    };
  },
});
