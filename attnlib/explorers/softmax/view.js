// The explorer of chapter 5: a row of scores, a temperature and a shift; weights and Jacobian.

import { group } from "../framework/controls.js";
import { entropy, entryName, softmax, softmaxJacobian, sum } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, table } from "../framework/tables.js";
import { box, counted, line, number, panels } from "../framework/ui.js";

const KEYS = [1, 2, 3, 4, 5];

/** The scores are numbers, too. @param {{temperature: number, shift: number, [score: string]: number}} state */
function compute({ temperature, shift, ...scores }) {
  const x = KEYS.map((j) => (scores[`score_${j}`] + shift) / temperature);
  const exp = x.map(Math.exp);
  const weight = softmax(x);
  const J = softmaxJacobian(weight).map((row) => row.map((slope) => slope / temperature));
  return { numbers: { x, exp, weight, J, "exp-sum": sum(exp), "weight-sum": sum(weight), entropy: entropy(weight) } };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { slider, grid, reset, words, glossed }) {
    const scores = KEYS.map((j) => slider(`score_${j}`, glossed[j - 1], { step: 0.01 }));
    const temperature = slider("temperature", t("temperature $T$", "温度 $T$"), { step: 0.1 });
    const shift = slider("shift", t("shift $c$", "平移 $c$"), { step: 0.1 });
    const head = [t.key, "$x_j$", "$e^{x_j}$", t("weight $α_j$", "权重 $α_j$")];
    /** @type {(j: number) => [string, ...Node[]]} */
    const row = (j) => [
      words[j - 1],
      number(entryName("x", j)),
      number(entryName("exp", j)),
      bar(entryName("weight", j), 1, "weights"),
    ];
    /** @type {[string, ...(Node | string)[]]} */
    const sums = [t("sum", "和"), "", number("exp-sum"), number("weight-sum")];
    const weights = table(t("Weights", "权重"), head, [...KEYS.map(row), sums]);
    weights.classList.add("attn-terms");
    const most = t(
      "Entropy $−∑_jα_j ln α_j$ = {entropy}, at most $ln 5$ = 1.609.",
      "熵 $−∑_jα_j ln α_j$ = {entropy}，最大为 $ln 5$ = 1.609。",
    );
    const jacobian = `${t("Jacobian", "雅可比矩阵")} $∂α_j/∂s_t = α_j(δ_{jt} − α_t)/T$`;
    const J = grid("J", jacobian, "weights", { rows: counted(5), columns: 5, most: 0.25 });
    const note = t(
      "Row $j$, column $t$: the rate at which $α_j$ grows with $s_t$. $δ_{jt}$ is 1 where $j = t$, else 0.",
      "第 $j$ 行第 $t$ 列：$α_j$ 随 $s_t$ 的变化率。$j = t$ 时 $δ_{jt}$ 为 1，否则为 0。",
    );
    return {
      title: t("from scores to weights", "从分数到权重"),
      nodes: [
        box(
          "controls",
          group(t("Scores $s_j$ of one row", "一行分数 $s_j$"), "signed", ...scores),
          group(t("The whole row", "整行"), "weights", temperature, shift, reset),
        ),
        line("formula", "$x_j = (s_j + c)/T$; $α_j = e^{x_j}/∑_te^{x_t}$"),
        panels([weights, line("note", most)], [J, line("note", note)]),
      ],
      summary: t("Largest weight: {key}, {top}; entropy {entropy}.", "最大权重：{key}，{top}；熵 {entropy}。"),
      values({ numbers: { weight } }) {
        const top = Math.max(...weight);
        return { top, key: glossed[weight.indexOf(top)] };
      },
    };
  },
});
