// The explorer of chapter 1: z_i moves inside the convex hull of the visible values.

import { group } from "../framework/controls.js";
import { entryName, multiply, sum } from "../framework/core.js";
import { HEAD } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { plane } from "../framework/plane.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, table } from "../framework/tables.js";
import { box, line, number, panels } from "../framework/ui.js";
import { hull } from "./hull.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** The shares are numbers. @typedef {{i: number, mask: string, [share: string]: number | string}} State */

const TOKENS = [1, 2, 3, 4, 5];

/** @param {State} state */
const visibleTo = ({ i, mask }) => TOKENS.filter((j) => mask === "none" || j <= i);

/** The row of the example's own weights, in percent. @param {State} state */
function computed(state) {
  const visible = visibleTo(state);
  const weights = HEAD.A[state.i - 1].slice(0, visible.length);
  return Object.fromEntries(visible.map((j) => [`share_${j}`, Math.round((100 * weights[j - 1]) / sum(weights))]));
}

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
  return { numbers: { V, weight, z, corner, total: sum(weight), corners: around.length }, around, visible };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, slider, button, reset, words, glossed }) {
    const caption = t(
      "The values $v_j$, and in orange $z_i$. Shaded: all that $z_i$ can reach; hollow: hidden.",
      "各点为值 $v_j$，橙色为 $z_i$。阴影是 $z_i$ 能到达的全部范围，空心表示不可见。",
    );
    /** @type {import("../framework/plane.js").Part[]} */
    const values = words.map((word, j) => ({
      kind: "dot",
      tone: "value",
      at: ({ numbers: { V } }) => V[j],
      text: () => word,
      hollow: ({ visible }) => !visible.includes(j + 1),
    }));
    const picture = plane(caption, [
      {
        kind: "line",
        tone: "value",
        through: ({ numbers: { V }, around }) => [...around, around[0]].map((j) => V[j]),
      },
      ...values,
      { kind: "dot", tone: "output", size: 6, at: ({ numbers }) => numbers.z, text: () => "z" },
    ]);
    const states = t(["hidden", "inside", "corner"], ["不可见", "内部", "顶点"]);
    /** @type {(j: number) => [string, ...(Node | ((now: Now) => string))[]]} */
    const row = (j) => [
      words[j - 1],
      bar(entryName("weight", j), 1, "weights"),
      number(entryName("V", j, 1), 2),
      number(entryName("V", j, 2), 2),
      ({ numbers, visible }) => states[visible.includes(j) ? 1 + numbers.corner[j - 1] : 0],
    ];
    const head = ["$j$", t("weight $α_{ij}$", "权重 $α_{ij}$"), "$V_{j1}$", "$V_{j2}$", ""];
    const weights = table(t("Weights and values", "权重与值"), head, TOKENS.map(row));
    weights.classList.add("attn-terms");
    const note = t(
      "A weight is a share divided by the sum of the visible ones; if that is 0, all visible tokens count the same.",
      "权重等于份额除以可见份额之和；若总和为 0，则各可见 Token 均分。",
    );
    const sees = select("mask", t("sees", "可见范围"));
    const fill = button("computed", t("Weights that the model computes", "填入模型算出的权重"), computed);
    const shares = TOKENS.map((j) => slider(`share_${j}`, glossed[j - 1]));
    return {
      title: t("mixing the values", "混合各个值"),
      nodes: [
        box(
          "controls",
          group(t("Whose output", "谁的输出"), "output", select("i", t.token), sees, fill, reset),
          group(t("Shares", "份额"), "weights", ...shares),
        ),
        line(
          "formula",
          `$z_i = ∑_jα_{ij}v_j$ = ({z-1}, {z-2}); ${t("the weights add up to", "权重之和为")} {total}; $i$ = {i}`,
        ),
        panels(picture, [weights, line("note", note)]),
      ],
      summary: t(
        "z is ({z-1}, {z-2}); its region has {corners} corners.",
        "z 为 ({z-1}, {z-2})；可达区域有 {corners} 个顶点。",
      ),
    };
  },
});
