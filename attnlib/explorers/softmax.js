// The explorer of chapter 5: a row of scores, a temperature and a shift; weights and Jacobian.

import { entropy, entries, softmax, softmaxJacobian, sum } from "./core.js";
import { controlBar, explorer, group } from "./explorer.js";
import { bar, counted, formatNumber, line, number, panels, table } from "./ui.js";

const KEYS = [1, 2, 3, 4, 5];
const ranges = { temperature: [0.1, 5], shift: [-10, 10] };
for (const j of KEYS) ranges[`score_${j}`] = [-5, 5];

function compute({ temperature, shift, ...scores }) {
  const x = KEYS.map((j) => (scores[`score_${j}`] + shift) / temperature);
  const exp = x.map(Math.exp);
  const weight = softmax(x);
  const J = softmaxJacobian(weight).map((row) => row.map((slope) => slope / temperature));
  const sums = { "exp-sum": sum(exp), "weight-sum": sum(weight), entropy: entropy(weight) };
  return { numbers: { ...sums, ...entries({ x, exp, weight, J }) } };
}

const texts = {
  en: {
    title: "Explorer: from scores to weights",
    scores: "Scores $s_j$ of one row",
    row: "The whole row",
    temperature: "temperature $T$",
    shift: "shift $c$",
    weights: "Weights",
    head: ["key $j$", "$x_j$", "$e^{x_j}$", "weight $α_j$"],
    sum: "sum",
    entropy: "Entropy $−∑_jα_j ln α_j$ = ",
    most: ", at most $ln 5$ = 1.609.",
    jacobian: "Jacobian $∂α_j/∂s_t = α_j(δ_{jt} − α_t)/T$",
    note: "Rows $j$, columns $t$: by how much $α_j$ grows for each unit that $s_t$ grows. $δ_{jt}$ is 1 where $j = t$, else 0.",
    summary: (key, weight, entropy) => `Largest weight: ${key}, ${weight}; entropy ${entropy}.`,
  },
  zh: {
    title: "交互演示：从分数到权重",
    scores: "一行分数 $s_j$",
    row: "整行",
    temperature: "温度 $T$",
    shift: "平移 $c$",
    weights: "权重",
    head: ["键 $j$", "$x_j$", "$e^{x_j}$", "权重 $α_j$"],
    sum: "和",
    entropy: "熵 $−∑_jα_j ln α_j$ = ",
    most: "，最大为 $ln 5$ = 1.609。",
    jacobian: "雅可比矩阵 $∂α_j/∂s_t = α_j(δ_{jt} − α_t)/T$",
    note: "第 $j$ 行第 $t$ 列：$s_t$ 每增加一个单位，$α_j$ 增加多少。$j = t$ 时 $δ_{jt}$ 为 1，否则为 0。",
    summary: (key, weight, entropy) => `最大权重：${key}，${weight}；熵 ${entropy}。`,
  },
};

function view(t, { slider, grid, reset, words, glossed }) {
  const fine = { step: 0.01, decimals: 2 };
  const coarse = { step: 0.1, decimals: 2 };
  const rows = KEYS.map((j) => [words[j - 1], number(`x-${j}`), number(`exp-${j}`), bar(`weight-${j}`, 1, "weights")]);
  rows.push([t.sum, "", number("exp-sum"), number("weight-sum")]);
  const nodes = [
    controlBar(
      group(t.scores, "scores", ...KEYS.map((j) => slider(`score_${j}`, glossed[j - 1], fine))),
      group(t.row, "weights", slider("temperature", t.temperature, coarse), slider("shift", t.shift, coarse), reset),
    ),
    line("formula", "$x_j = (s_j + c)/T$; $α_j = e^{x_j}/∑_te^{x_t}$"),
    panels(
      [table(t.weights, t.head, rows), line("note", t.entropy, number("entropy"), t.most)],
      [grid("J", t.jacobian, 5, "weights", { most: 0.25, rows: counted(5) }), line("note", t.note)],
    ),
  ];
  nodes[2].querySelector("table").classList.add("attn-terms");
  const summary = (v) => {
    const weights = KEYS.map((j) => v[`weight-${j}`]);
    const top = Math.max(...weights);
    return t.summary(glossed[weights.indexOf(top)], formatNumber(top), formatNumber(v.entropy));
  };
  return { nodes, summary };
}

export default explorer({ ranges, texts, compute, view });
