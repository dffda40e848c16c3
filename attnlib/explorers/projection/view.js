// The explorer of chapter 2: q, k and v of two features, and what a change of X or W reaches.

import { entryName, sum } from "../framework/core.js";
import { selfAttention } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { plane } from "../framework/plane.js";
import { columnsOf, product } from "../framework/provenance.js";
import { SETTINGS } from "../framework/settings.js";
import { table } from "../framework/tables.js";
import { box, formatNumber, html, line, number, panels } from "../framework/ui.js";
import { pairOf, tipToTail, twoTerms, withRow } from "./arrows.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** @typedef {{X: number[][], W_Q: number[][], W_K: number[][], W_V: number[][]}} Matrices */
/** @typedef {Matrices & {i: number}} State */
/** @typedef {"Q" | "K" | "V" | "A" | "Z"} Name */
/** @typedef {"X" | "W_Q" | "W_K" | "W_V"} Given */
/** @import { Point } from "../framework/hands.js" */
/** @import { Named } from "../framework/ui.js" */

/** @type {Name[]} */
const NAMES = ["Q", "K", "V", "A", "Z"];
/** @type {("Q" | "K" | "V" | "Z")[]} */
const RESULTS = ["Q", "K", "V", "Z"];
/** @type {Given[]} */
const WEIGHTS = ["W_Q", "W_K", "W_V"];
const TONES = ["query", "key", "value"];
const UNITS = [
  [1, 0],
  [0, 1],
];

/** The largest distance of two entries. @param {number[][]} M @param {number[][]} N */
function farthest(M, N) {
  return Math.max(...M.flatMap((row, i) => row.map((x, j) => Math.abs(x - N[i][j]))));
}

/** @param {State} state */
function compute({ i, ...matrices }) {
  const head = selfAttention(matrices.X, matrices);
  const { X, W_Q, W_K, W_V } = SETTINGS;
  const before = selfAttention(X.start, { W_Q: W_Q.start, W_K: W_K.start, W_V: W_V.start });
  const moved = NAMES.map((name) => farthest(head[name], before[name]));
  const movedByName = Object.fromEntries(NAMES.map((name, k) => [entryName("moved", name), moved[k]]));
  const { Q, K, V, A, Z } = head;
  // lists only, which ease
  const drawn = {
    x: matrices.X[i - 1],
    rows: WEIGHTS.map((name) => matrices[name]),
    made: [Q, K, V].map((M) => M[i - 1]),
    before: [before.Q, before.K, before.V].map((M) => M[i - 1]),
  };
  return { numbers: { ...movedByName, Q, K, V, A, Z }, moved, drawn };
}

/** The scores of row i over √d_k, as far as they are needed for a line. @param {Named} named @param {number} i */
function scaledScores(named, i) {
  const features = columnsOf(named, "Q", i);
  const tokens = columnsOf(named, "A", i);
  const score = (/** @type {number} */ j) =>
    sum(features.map((r) => Number(named[entryName("Q", i, r)]) * Number(named[entryName("K", j, r)])));
  return tokens.map((j) => score(j) / Math.sqrt(features.length));
}

/** What a weight is made of: a query and all keys. @type {import("../framework/provenance.js").Origin} */
const WEIGHT_FROM = {
  sources(i, _, named) {
    const features = columnsOf(named, "Q", i);
    const keys = columnsOf(named, "A", i).flatMap((j) => features.map((r) => entryName("K", j, r)));
    return [...features.map((r) => entryName("Q", i, r)), ...keys];
  },
  says(i, j, named) {
    const powers = scaledScores(named, i).map((s) => `$e^{${formatNumber(s, 2)}}$`);
    return `${powers[j - 1]} ÷ (${powers.join(" + ")})`;
  },
};

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, edit, grid, hand, reset, glossed, matrices }) {
    const isChanged = (/** @type {number} */ k, /** @type {Now} */ { moved }) => moved[k] > 1e-9;
    const keys = t("arrow keys move it by tenths, with Shift by halves", "方向键移动 0.1，按住 Shift 移动 0.5");

    /** A hand on row r, counted from 0, of a matrix. */
    /** @type {(label: string, name: Given, rowOf: (state: State) => number) => import("../framework/hands.js").Hand} */
    const row = (label, name, rowOf) =>
      hand(
        `${label}${t(": ", "：")}${keys}`,
        (/** @type {Now} */ { state }) => pairOf(state[name][rowOf(state)]),
        (to, /** @type {Now} */ { state }) => ({ [name]: withRow(state[name], rowOf(state), to) }),
        (by, isFar, /** @type {Now} */ { state }) => {
          const at = state[name][rowOf(state)];
          const moved = at.map((x, r) => x + (isFar ? 0.5 : 0.1) * by[r]);
          return { [name]: withRow(state[name], rowOf(state), moved) };
        },
      );

    const ofX = plane(t("$x_i$: pull its tip. Dashed: its two numbers.", "$x_i$：按住尖端拖动。虚线是它的两个数。"), [
      ...twoTerms(({ drawn: { x } }) => ({ rows: UNITS, by: x, whole: x }), "scores", ["", ""]),
      {
        kind: "arrow",
        tone: "scores attn-whole",
        at: ({ drawn }) => drawn.x,
        text: () => "x",
        hand: row(t("tip of x", "x 的尖端"), "X", ({ i }) => i - 1),
      },
    ]);

    /** @type {(k: number) => HTMLElement} */
    const projectedTo = (k) => {
      const [name, tone, letter] = [WEIGHTS[k], TONES[k], "qkv"[k]];
      const symbol = name.replace("_", "");
      const arrows = (/** @type {Now} */ { drawn: { x, rows, made } }) => ({ rows: rows[k], by: x, whole: made[k] });
      const equation = `$${letter}_i = X_{i1}w_1 + X_{i2}w_2$`;
      const caption = t(
        `${equation}: pull the rows $w_1$, $w_2$ of $${name}$.`,
        `${equation}：拖动 $${name}$ 的行 $w_1$、$w_2$。`,
      );
      const [svg, note] = plane(caption, [
        { kind: "dot", tone, at: ({ drawn }) => drawn.before[k], hollow: () => true },
        ...twoTerms(arrows, tone, [" w₁", " w₂"]),
        { kind: "arrow", tone: `${tone} attn-whole`, at: (now) => arrows(now).whole, text: () => letter },
        ...[0, 1].map((r) => ({
          kind: /** @type {const} */ ("arrow"),
          tone,
          at: (/** @type {Now} */ now) => arrows(now).rows[r],
          text: () => `w${"₁₂"[r]}`,
          hand: row(t(`row ${r + 1} of ${symbol}`, `${symbol} 第 ${r + 1} 行`), name, () => r),
        })),
      ]);
      const arithmetic = line("step", (/** @type {Now} */ now) => `$${letter}_i$ = ${tipToTail(arrows(now))}`);
      return html("div", { class: "attn-arrow-card" }, svg, note, arithmetic, edit(name, tone));
    };

    /** @param {"Q" | "K" | "V" | "Z"} name */
    const result = (name) =>
      line("step", (/** @type {Now} */ { numbers, state: { i } }) => {
        return `$${name.toLowerCase()}_${i}$ = ${pairOf(numbers[name][i - 1])}`;
      });
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
    changes.classList.add("attn-changes");
    const pick = (/** @type {number} */ i) => ({ i });
    const projected = NAMES.slice(0, 3).map((name, k) =>
      grid(name, `$${name} = X W_${name}$`, TONES[k], { columns: 2, pick, from: product("X", WEIGHTS[k]) }),
    );
    const weights = grid("A", "$A$", "weights", { columns: 5, most: 1, pick, from: WEIGHT_FROM });
    const outputs = grid("Z", "$Z = A V$", "output", { columns: 2, pick, from: product("A", "V") });
    const arrows = t(
      "Arrows from 0: x (grey), q (blue), k (vermilion), v (green) of token $i$. What has a disc can be pulled. Dashed: the rows, each as often as $x_i$ says, laid tip to tail. Hollow: at the start.",
      "从 0 出发的箭头：Token $i$ 的 x（灰）、q（蓝）、k（橙红）、v（绿）。带圆盘的可以拖动。虚线：各行按 $x_i$ 的数伸缩后首尾相接。空心为初值所在。",
    );
    return {
      title: t("three projections of one token", "一个 Token 的三种投影"),
      nodes: [
        box("controls", select("i", t.token), reset),
        box("formula attn-results", ...RESULTS.map(result)),
        panels([
          box(
            "arrows",
            html("div", { class: "attn-arrow-card attn-of-x" }, ...ofX, edit("X", "scores", glossed)),
            matrices(...[0, 1, 2].map(projectedTo)),
          ),
          line("note", arrows),
        ]),
        panels([matrices(...projected, weights, outputs), changes]),
      ],
      summary: t("Changed: {names}.", "已变：{names}。"),
      values: (now) => ({ names: NAMES.filter((_, k) => isChanged(k, now)).join(", ") || t.none }),
    };
  },
});
