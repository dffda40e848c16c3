// The explorer of chapter 1: z_i moves inside the convex hull of the visible values.

import { group } from "../framework/controls.js";
import { entryName, multiply, sum, transpose } from "../framework/core.js";
import { HEAD } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { hull } from "../framework/hull.js";
import { mixed } from "../framework/motion.js";
import { plane } from "../framework/plane.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, table } from "../framework/tables.js";
import { box, formatNumber, line, number, panels } from "../framework/ui.js";
import { degreesOf, levelLine, wayOf } from "./lines.js";
import { sharesAt } from "./pull.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */
/** @typedef {import("../framework/hull.js").Point} Point */

/** The shares are numbers. @typedef {{i: number, mask: string, direction: number, [share: string]: number | string}} State */

const TOKENS = [1, 2, 3, 4, 5];
// a pull shorter than this has no direction yet
const PULL = 0.2;
const ARROW = 0.9;

/** @param {State} state */
const visibleTo = ({ i, mask }) => TOKENS.filter((j) => mask === "none" || j <= i);

/** The row of the example's own weights, in percent. @param {State} state */
function computed(state) {
  const visible = visibleTo(state);
  const weights = HEAD.A[state.i - 1].slice(0, visible.length);
  return Object.fromEntries(visible.map((j) => [`share_${j}`, Math.round((100 * weights[j - 1]) / sum(weights))]));
}

/**
 * What changes when z is pulled from one place to another: the shares of the visible tokens, and the
 * direction.
 * @param {State} state @param {Point} from @param {Point} to
 */
function pulled(state, from, to) {
  const percents = sharesAt(HEAD.V.slice(0, visibleTo(state).length), to);
  const shares = percents.map((percent, k) => [`share_${k + 1}`, percent]);
  const isFar = Math.hypot(to[0] - from[0], to[1] - from[1]) > PULL;
  return { ...Object.fromEntries(shares), direction: isFar ? degreesOf(from, to) : state.direction };
}

/** Where z is moved by an arrow key: to the next tenths. @param {Point} z @param {Point} by @param {number} size */
const nextTo = (z, by, size) => z.map((x, r) => Math.round(10 * (x + size * by[r])) / 10);

/** @param {State} state */
function compute(state) {
  const { V } = HEAD;
  const visible = visibleTo(state);
  const shareOf = (/** @type {number} */ j) => Number(state[`share_${j}`]);
  const total = sum(visible.map(shareOf));
  const share = (/** @type {number} */ j) => (total ? shareOf(j) / total : 1 / visible.length);
  const weight = TOKENS.map((j) => (visible.includes(j) ? share(j) : 0));
  const [z] = multiply([weight], V);
  const around = hull(V.slice(0, visible.length));
  const corner = TOKENS.map((j) => Number(around.includes(j - 1)));
  const way = wayOf(state.direction);
  const [heights] = multiply([way], transpose(V));
  const level = sum(weight.map((a, j) => a * heights[j]));
  const border = Math.max(...visible.map((j) => heights[j - 1]));
  const numbers = { V, weight, z, corner, total: sum(weight), corners: around.length, level, border };
  const drawn = { way, level: levelLine(way, level), border: levelLine(way, border) };
  return { numbers, drawn, around, visible };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, slider, button, hand, reset, words, glossed }) {
    const caption = t(
      "The values $v_j$ (squares; hollow: hidden), and in orange $z_i$: take hold of it and pull. Shaded: all that $z_i$ can reach. Dashed: all that lies as far along the arrow as $z_i$; the line in front of it: as far as any mixture reaches.",
      "方块为值 $v_j$（空心表示不可见），橙色为 $z_i$，可按住拖动。阴影是 $z_i$ 能到达的全部范围。虚线：沿箭头方向与 $z_i$ 一样远的点；前方实线：任何混合所能到达的最远处。",
    );
    /** @type {import("../framework/plane.js").Part[]} */
    const values = words.map((word, j) => ({
      kind: "square",
      tone: "value",
      at: ({ numbers: { V } }) => V[j],
      text: () => word,
      hollow: ({ visible }) => !visible.includes(j + 1),
    }));
    const point = (/** @type {Point} */ z) => `(${z.map((x) => formatNumber(x, 2)).join(", ")})`;
    const pull = hand(
      t("output z: arrow keys move it by tenths, with Shift by halves", "输出 z：方向键移动 0.1，按住 Shift 移动 0.5"),
      (/** @type {Now} */ { numbers: { z, weight } }) =>
        `z ${point(z)}${t("; weights ", "；权重 ")}${weight.map((a) => formatNumber(a, 2)).join(", ")}`,
      (to, /** @type {Now} */ { state, numbers: { z } }, from = z) => pulled(state, from, to),
      (by, isFar, /** @type {Now} */ { state, numbers: { z } }) => ({
        ...pulled(state, z, nextTo(z, by, isFar ? 0.5 : 0.1)),
        direction: degreesOf([0, 0], by),
      }),
    );
    /** @type {(name: "level" | "border", tone: string, place: number) => import("../framework/plane.js").Part[]} */
    const across = (name, tone, place) => [
      { kind: "line", tone, through: ({ drawn }) => drawn[name], dashed: name === "level" },
      // its height, beside one of its ends
      {
        kind: "dot",
        tone: "scores",
        size: 0,
        at: ({ drawn }) => [0, 1].map((r) => mixed(drawn[name][0][r], drawn[name][1][r], place)),
        text: ({ numbers }) => formatNumber(numbers[name], 2),
      },
    ];
    const picture = plane(caption, [
      {
        kind: "line",
        tone: "value",
        through: ({ numbers: { V }, around }) => [...around, around[0]].map((j) => V[j]),
      },
      ...across("border", "scores", 0.08),
      ...across("level", "output", 0.92),
      ...values,
      {
        kind: "arrow",
        tone: "scores",
        from: ({ numbers }) => numbers.z,
        at: (/** @type {Now} */ { numbers: { z }, drawn: { way } }) => z.map((x, r) => x + ARROW * way[r]),
      },
      { kind: "diamond", tone: "output", size: 5, at: ({ numbers }) => numbers.z, text: () => "z", hand: pull },
    ]);
    const states = t(["hidden", "inside", "corner"], ["不可见", "内部", "顶点"]);
    /** @type {(j: number) => [string, ...(Node | ((now: Now) => string))[]]} */
    const row = (j) => [
      glossed[j - 1],
      bar(entryName("weight", j), 1, "weights"),
      number(entryName("V", j, 1), 2),
      number(entryName("V", j, 2), 2),
      ({ numbers, visible }) => states[visible.includes(j) ? 1 + numbers.corner[j - 1] : 0],
    ];
    const head = ["$j$", t("weight $α_{ij}$", "权重 $α_{ij}$"), "$V_{j1}$", "$V_{j2}$", ""];
    const weights = table(t("Weights and values", "权重与值"), head, TOKENS.map(row));
    weights.classList.add("attn-terms");
    const note = t(
      "A weight is a share divided by the sum of the visible ones; if that is 0, all visible tokens count the same. Many mixtures give the same $z_i$: a pull takes the most even of them (the largest entropy) and keeps it in whole percents; $z_i$ stands where these put it, at most on the border.",
      "权重等于份额除以可见份额之和；若总和为 0，则各可见 Token 均分。同一个 $z_i$ 可由许多种混合得到：拖动时取其中最均匀的一种（熵最大），并化为整数百分比；$z_i$ 就落在这些百分比所给的位置，最远到边界为止。",
    );
    const sees = select("mask", t("sees", "可见范围"));
    const fill = button("computed", t("Weights that the model computes", "填入模型算出的权重"), computed);
    const turn = slider("direction", t("direction of the arrow, in degrees", "箭头方向（度）"));
    const shares = TOKENS.map((j) => slider(`share_${j}`, glossed[j - 1]));
    return {
      title: t("mixing the values", "混合各个值"),
      nodes: [
        box(
          "controls",
          group(t("Whose output", "谁的输出"), "output", select("i", t.token), sees, turn, fill, reset),
          group(t("Shares", "份额"), "weights", ...shares),
        ),
        box(
          "formula",
          line("step", `$z_i = ∑_jα_{ij}v_j$ = ({z-1}, {z-2})${t(", ", "，")}$i$ = {i}`),
          // a line of its own: the picture must not move under the hand when numbers get longer
          line("step", t("along the arrow {level} of at most {border}", "沿箭头为 {level}，最大 {border}")),
          line("note", t("The weights add up to {total}.", "权重之和为 {total}。")),
        ),
        panels(picture, [weights, line("note", note)]),
      ],
      summary: t(
        "z is ({z-1}, {z-2}); its region has {corners} corners. Along the arrow z is at {level} of at most {border}.",
        "z 为 ({z-1}, {z-2})；可达区域有 {corners} 个顶点。沿箭头 z 在 {level}，最大 {border}。",
      ),
    };
  },
});
