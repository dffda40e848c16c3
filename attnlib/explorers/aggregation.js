// The explorer of chapter 6: an entry of Z as the sum of its terms α_ij V_jr.

import { entries, partialSums } from "./core.js";
import { EXAMPLE, selfAttention } from "./example.js";
import { controlBar, explorer } from "./explorer.js";
import { box, counted, digit, formatNumber, line, panels, runningSum } from "./ui.js";

const ranges = { i: [1, 5, "whole"], r: [1, 2, "whole"] };

function compute({ i, r }) {
  const { A, V, Z } = selfAttention(EXAMPLE.X, EXAMPLE);
  const alpha = A[i - 1];
  const value = V.map((row) => row[r - 1]);
  const term = alpha.map((weight, j) => weight * value[j]);
  return { numbers: entries({ A, V, Z, alpha, value, term, sum: partialSums(term) }) };
}

const texts = {
  en: {
    title: "Explorer: adding up an entry of Z",
    position: "output position $i$",
    feature: "feature $r$",
    weights: "weights $A$",
    values: "values $V$",
    outputs: "outputs $Z = AV$",
    terms: "The terms of $Z_{ir}$",
    head: ["source $j$", "weight $α_{ij}$", "value $V_{jr}$", "$α_{ij}V_{jr}$", "sum so far"],
    note: "Striped: a term below 0. A click on an entry of $Z$ chooses it.",
    summary: (i, r, z, j, term) => `Z ${i}, ${r} is ${z}; largest term: source ${j}, ${term}.`,
  },
  zh: {
    title: "交互演示：Z 的一个元素如何累加",
    position: "输出位置 $i$",
    feature: "特征维度 $r$",
    weights: "权重 $A$",
    values: "值 $V$",
    outputs: "输出 $Z = AV$",
    terms: "$Z_{ir}$ 的各项",
    head: ["来源 $j$", "权重 $α_{ij}$", "值 $V_{jr}$", "$α_{ij}V_{jr}$", "累加至此"],
    note: "斜纹表示该项小于 0。点击 $Z$ 的元素也可选取。",
    summary: (i, r, z, j, term) => `Z 第 ${i} 行第 ${r} 列为 ${z}；最大的一项来自 ${j}：${term}。`,
  },
};

function view(t, { select, grid, reset, words, glossed }) {
  const A = grid("A", t.weights, 5, "weights", { most: 1, mark: (i, j, state) => i === state.i, pick: (i) => ({ i }) });
  const V = grid("V", t.values, 2, "value", { mark: (j, r, state) => r === state.r, pick: (j, r) => ({ r }) });
  const Z = grid("Z", t.outputs, 2, "output", {
    mark: (i, r, state) => i === state.i && r === state.r,
    pick: (i, r) => ({ i, r }),
  });
  const terms = runningSum({
    caption: t.terms,
    head: t.head,
    rows: words,
    factors: ["alpha", "value"],
    term: "term",
    sum: "sum",
    most: 1.5,
    tone: "output",
  });
  const nodes = [
    controlBar(select("i", t.position, glossed), select("r", t.feature, counted(2)), reset),
    line("formula", "$Z_{ir} = ∑_jα_{ij}V_{jr}$; $i$ = ", digit("i"), ", $r$ = ", digit("r")),
    panels([box("matrices", A, V, Z), terms, line("note", t.note)]),
  ];
  const summary = (v) => {
    const terms = words.map((_, j) => v[`term-${j + 1}`]);
    const top = terms.indexOf(Math.max(...terms));
    return t.summary(v.i, v.r, formatNumber(v["sum-5"]), glossed[top], formatNumber(terms[top]));
  };
  return { nodes, summary };
}

export default explorer({ ranges, texts, compute, view });
