// The explorer of chapter 6: an output as the sum of its terms, entry by entry and tip to tail.

import { group } from "../framework/controls.js";
import { multiply, partialSums, sum } from "../framework/core.js";
import { HEAD } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { plane } from "../framework/plane.js";
import { product } from "../framework/provenance.js";
import { SETTINGS } from "../framework/settings.js";
import { runningSum } from "../framework/tables.js";
import { box, counted, formatNumber, line, live, panels, spoken } from "../framework/ui.js";
import { weightBars } from "./bars.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */
/** @typedef {import("../framework/plane.js").Part} Part */

const STEP = 0.01;
const FAR = 0.1;

/** @param {{i: number, r: number, source: number, weight: number}} state */
function compute({ i, r, source, weight }) {
  const { V } = HEAD;
  const computed = HEAD.A[i - 1];
  const factor = source ? (1 - weight) / (1 - computed[source - 1]) : 1;
  const alpha = computed.map((share, j) => (j + 1 === source ? weight : share * factor));
  const A = HEAD.A.map((row, k) => (k + 1 === i ? alpha : row));
  const value = V.map((row) => row[r - 1]);
  const terms = alpha.map((share, j) => share * value[j]);
  const ways = V[0].map((_, feature) => partialSums(alpha.map((share, j) => share * V[j][feature])));
  const path = alpha.map((_, j) => ways.map((way) => way[j]));
  const sums = partialSums(terms);
  return {
    numbers: {
      A,
      V,
      Z: multiply(A, V),
      computed,
      alpha,
      value,
      term: terms,
      sum: sums,
      path,
      factor,
      total: sum(alpha),
    },
  };
}

/** The values, the terms one after the other, and where they end. @param {string[]} words @returns {Part[]} */
function partsOf(words) {
  const values = words.map((word, j) => ({
    kind: /** @type {const} */ ("square"),
    tone: "value",
    size: 3,
    at: (/** @type {Now} */ { numbers }) => numbers.V[j],
    text: () => word,
  }));
  const terms = words.map((_, j) => ({
    kind: /** @type {const} */ ("arrow"),
    tone: "value attn-tail",
    size: 2.5,
    from: (/** @type {Now} */ { numbers }) => (j ? numbers.path[j - 1] : [0, 0]),
    at: (/** @type {Now} */ { numbers }) => numbers.path[j],
    hollow: (/** @type {Now} */ { state }) => state.source === j + 1,
  }));
  return [
    {
      // the weight set by hand leads z along this line
      kind: "line",
      tone: "output",
      dashed: true,
      through({ numbers: { path, V }, state: { source } }) {
        return [path[4], source ? V[source - 1] : path[4]];
      },
    },
    ...values,
    ...terms,
    { kind: "diamond", tone: "output", at: ({ numbers }) => numbers.path[4], text: () => "z" },
  ];
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, slider, button, grid, hand, reset, words, glossed, matrices }) {
    const terms = runningSum({
      caption: t("The terms of $Z_{ir}$", "$Z_{ir}$ 的各项"),
      head: [
        t("source $j$", "来源 $j$"),
        t("weight $α_{ij}$", "权重 $α_{ij}$"),
        t("value $V_{jr}$", "值 $V_{jr}$"),
        "$α_{ij}V_{jr}$",
        t.soFar,
      ],
      rows: glossed,
      parts: ["alpha", "value", "term", "sum"],
      most: 3,
      decimals: 3,
      tone: "output",
    });
    const Z = grid("Z", t("outputs $Z = AV$", "输出 $Z = AV$"), "output", {
      columns: 2,
      pick: (i, r) => ({ i, r }),
      from: product("A", "V"),
    });
    const caption = t("weights $A$", "权重 $A$");
    const A = grid("A", caption, "weights", { columns: 5, most: 1, pick: (i) => ({ i }) });
    // one line for each token where there is room for it
    A.classList.add("attn-wrap");
    const all = matrices(A, grid("V", t("values $V$", "值 $V$"), "value", { columns: 2, pick: (_, r) => ({ r }) }), Z);
    const note = t(
      "Striped: a term below 0. A click on an entry of $Z$ chooses it.",
      "斜纹表示该项小于 0。点击 $Z$ 的元素也可选取。",
    );
    const hands = glossed.map((word, k) => {
      const weightOf = (/** @type {Now} */ { numbers }) => numbers.alpha[k];
      return hand(
        t(`weight of ${word}, arrow keys change it`, `${word} 的权重，用方向键改变`),
        (now) => formatNumber(weightOf(now), 2),
        ([, weight]) => ({ source: k + 1, weight }),
        ([right, up], isFar, now) => ({
          source: k + 1,
          weight: weightOf(now) + (isFar ? FAR : STEP) * (right + up),
        }),
      );
    });
    const bars = weightBars({
      caption: t(
        "The weights $α_{ij}$ of row $i$. Take hold of a bar: the others keep their proportions, and the row its sum, 1. Dashed: as computed.",
        "第 $i$ 行的权重 $α_{ij}$。可拖动任一条：其余权重保持比例，整行之和仍为 1。虚线为算出的权重。",
      ),
      name: "alpha",
      before: "computed",
      labels: words,
      hands,
      chosen: ({ state }) => state.source,
    });
    const says = t(
      "Arrows: the terms $α_{ij}v_j$, tip to tail in the order of $j$, end at $z_i$. Squares: the values $v_j$. A weight of 1 leads $z_i$ to its value, along the dashed line.",
      "箭头：各项 $α_{ij}v_j$，按 $j$ 的顺序首尾相接，终点为 $z_i$。方块：各个值 $v_j$。权重增大到 1，$z_i$ 就沿虚线到达对应的值。",
    );
    const [picture, under] = plane(says, partsOf(words));
    live(picture, (/** @type {Now} */ { numbers: { path } }) => {
      const ends = path.map((end, j) => `${words[j]} (${end.map((x) => formatNumber(x, 2)).join(", ")})`);
      picture.ariaLabel = `${t("Terms end at", "各项的终点")}: ${ends.join("; ")}`;
    });
    /** @param {Now} now */
    const arithmetic = ({ state: { i, r }, numbers }) => {
      const products = numbers.alpha.map((weight, j) => `${formatNumber(weight, 3)} × ${bracketed(numbers.value[j])}`);
      return `$Z_{${i}${r}}$ = ${products.join(" + ")} = ${formatNumber(numbers.sum[4], 3)}`;
    };
    /** @param {Now} now */
    const rescaled = ({ state: { i, source }, numbers: { computed, factor, total } }) => {
      if (!source) return t("All weights are as the head computes them.", "所有权重均为该头算出的值。");
      const was = formatNumber(computed[source - 1], 2);
      return t(
        `By hand: $α_{${i}${source}}$, computed ${was}. The others × ${formatNumber(factor, 2)}, so that the sum is ${formatNumber(total, 2)}.`,
        `手动设定：$α_{${i}${source}}$（算出的是 ${was}）。其余权重都乘以 ${formatNumber(factor, 2)}，整行之和为 ${formatNumber(total, 2)}。`,
      );
    };
    const position = select("i", t("output position $i$", "输出位置 $i$"));
    const feature = select("r", t("feature $r$", "特征 $r$"), counted(2));
    const source = select("source", t("set by hand", "手动设定"), [t.none, ...glossed]);
    const weight = slider("weight", t("its weight", "其权重"), { step: STEP });
    const input = /** @type {HTMLInputElement} */ (weight.querySelector("input"));
    live(weight, (/** @type {Now} */ { state }) => {
      input.disabled = !state.source;
    });
    const back = button("computed", t("As computed", "恢复算出的权重"), () => ({ source: 0 }));
    return {
      title: t("adding up an entry of Z", "Z 的一个元素如何累加"),
      nodes: [
        box(
          "controls",
          group(t("Entry of $Z$", "$Z$ 的元素"), "output", position, feature, reset),
          group(t("A weight", "一个权重"), "weights", source, weight, back),
        ),
        line("formula", arithmetic),
        panels([...bars, line("step attn-rescaled", rescaled), picture, under], [terms, line("note", note)]),
        panels([all]),
      ],
      summary: t(
        "Z {i}, {r} is {sum-5}; term farthest from 0: source {source}, {top}.",
        "Z 第 {i} 行第 {r} 列为 {sum-5}；离 0 最远的一项来自 {source}：{top}。",
      ),
      values({ numbers: { term: all } }) {
        const top = all.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
        return { top, source: glossed[all.indexOf(top)] };
      },
    };
  },
});

/** A value as a factor: in brackets below 0. @param {number} x */
const bracketed = (x) => (x < 0 ? `(${spoken(x)})` : spoken(x));
