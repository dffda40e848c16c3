// The explorer of chapter 5: a row of scores, a temperature and a shift; weights and Jacobian.

import { group } from "../framework/controls.js";
import { entryName } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { term } from "../framework/provenance.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, table } from "../framework/tables.js";
import { box, counted, formatNumber, line, number, panels } from "../framework/ui.js";
import { compute, PLACES } from "./numbers.js";
import { softmaxPicture } from "./picture.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */
/** @typedef {import("../framework/provenance.js").Origin} Origin */

/** How weight j answers to score t. @type {Origin} */
const REACTION = {
  sources: (j, t) => [...new Set([entryName("weight", j), entryName("weight", t)])],
  says(j, t, named) {
    const [a, b] = [j, t].map((at) => formatNumber(Number(named[entryName("weight", at)]), 3));
    return `${j === t ? `${a} × (1 − ${b})` : `−${a} × ${b}`} ÷ ${term(named.temperature)}`;
  },
};

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { slider, grid, hand, reset, words, glossed }) {
    // the place whose arithmetic is written out: the one last taken hold of, at first the largest weight
    let at = -1;
    /** @type {Now} */
    let shown;
    const place = (/** @type {number[]} */ weight) => (at < 0 ? weight.indexOf(Math.max(...weight)) : at);
    const steps = [
      line("step", (/** @type {Now} */ now) => {
        shown = now;
        const j = place(now.numbers.weight);
        const { temperature, shift } = now.state;
        const input = `(${formatNumber(now.drawn.scores[j], 2)} + ${term(shift)}) ÷ ${term(temperature)}`;
        return `$x_${j + 1}$ = ${input} = ${formatNumber(now.numbers.x[j], 3)}`;
      }),
      line("step", (/** @type {Now} */ { numbers: { x, weight, "exp-sum": total } }) => {
        const j = place(weight);
        const power = `$e^{${formatNumber(x[j], 2)}}$`;
        return `$α_${j + 1}$ = ${power} ÷ ${formatNumber(total)} = ${formatNumber(weight[j])}`;
      }),
    ];

    /** Write out the arithmetic of a place. @param {number} j */
    function attendTo(j) {
      at = j;
      for (const step of steps) {
        /** @type {{update: (now: Now) => void}} */ (/** @type {unknown} */ (step.firstElementChild)).update(shown);
      }
    }

    const scores = PLACES.map((j) => {
      const control = slider(`score_${j}`, glossed[j - 1], { step: 0.01 });
      control.addEventListener("focusin", () => attendTo(j - 1));
      return control;
    });
    const temperature = slider("temperature", t("temperature $T$", "温度 $T$"), { step: 0.1 });
    const shift = slider("shift", t("shift $c$", "平移 $c$"), { step: 0.1 });
    const picture = softmaxPicture({
      label: t("Scores, and the weights that answer", "分数，以及随之变化的权重"),
      words,
      titles: [
        t("scores: drag a bar up or down", "分数：上下拖动柱子"),
        t("weights: the darker, the more they react", "权重：颜色越深，响应越大"),
        t("reaction of each to its own score: α(1 − α)/T", "对自己分数的响应：α(1 − α)/T"),
      ],
      take: attendTo,
      handOf: (j) =>
        hand(
          `${t("score", "分数")} ${glossed[j]}`,
          (/** @type {Now} */ { drawn, numbers }) =>
            `${formatNumber(drawn.scores[j], 2)}, ${t("weight", "权重")} ${formatNumber(numbers.weight[j], 3)}`,
          ([, s]) => ({ [`score_${j + 1}`]: s }),
          ([across, up], isFar, /** @type {Now} */ { drawn }) => ({
            [`score_${j + 1}`]: drawn.scores[j] + (across + up) * (isFar ? 1 : 0.1),
          }),
          `score_${j + 1}`,
        ),
    });

    const head = [t.key, "$x_j$", "$e^{x_j}$", t("weight $α_j$", "权重 $α_j$")];
    /** @type {(j: number) => [string, ...Node[]]} */
    const row = (j) => [
      glossed[j - 1],
      number(entryName("x", j)),
      number(entryName("exp", j)),
      bar(entryName("weight", j), 1, "weights"),
    ];
    /** @type {[string, ...(Node | string)[]]} */
    const sums = [t("sum", "和"), "", number("exp-sum"), number("weight-sum")];
    const weights = table(t("Weights", "权重"), head, [...PLACES.map(row), sums]);
    weights.classList.add("attn-terms");
    const rule = line("note", "$x_j = (s_j + c)/T$; $α_j = e^{x_j}/∑_te^{x_t}$");
    const most = t(
      "Entropy $−∑_jα_j ln α_j$ = {entropy}, at most $ln 5$ = 1.609.",
      "熵 $−∑_jα_j ln α_j$ = {entropy}，最大为 $ln 5$ = 1.609。",
    );
    const jacobian = `${t("Jacobian", "雅可比矩阵")} $∂α_j/∂s_t = α_j(δ_{jt} − α_t)/T$`;
    const J = grid("J", jacobian, "weights", { rows: counted(5), columns: 5, most: 0.25, from: REACTION });
    const note = t(
      "Row $j$, column $t$: the rate at which $α_j$ grows with $s_t$. $δ_{jt}$ is 1 where $j = t$, else 0.",
      "第 $j$ 行第 $t$ 列：$α_j$ 随 $s_t$ 的变化率。$j = t$ 时 $δ_{jt}$ 为 1，否则为 0。",
    );
    return {
      title: t("from scores to weights", "从分数到权重"),
      nodes: [
        box(
          "controls attn-softmax-controls",
          group(t("The whole row", "整行"), "weights", temperature, shift),
          box("actions", reset),
        ),
        box("formula", ...steps),
        panels([picture], [weights, rule, line("note", most)]),
        box("controls attn-softmax-scores", group(t("Scores $s_j$ of one row", "一行分数 $s_j$"), "signed", ...scores)),
        panels([J, line("note", note)]),
      ],
      summary: t("Largest weight: {key}, {top}; entropy {entropy}.", "最大权重：{key}，{top}；熵 {entropy}。"),
      values({ numbers: { weight } }) {
        const top = Math.max(...weight);
        return { top, key: glossed[weight.indexOf(top)] };
      },
    };
  },
});
