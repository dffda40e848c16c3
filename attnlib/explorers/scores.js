// The explorer of chapter 3: a score as the sum of its products, in both directions.

import { entries, partialSums } from "./core.js";
import { EXAMPLE, selfAttention } from "./example.js";
import { controlBar, explorer } from "./explorer.js";
import { box, counted, digit, formatNumber, line, panels, runningSum } from "./ui.js";

const ranges = { i: [1, 5, "whole"], j: [1, 5, "whole"] };

function compute({ i, j }) {
  const { Q, K, S } = selfAttention(EXAMPLE.X, EXAMPLE);
  const added = (query, key) => {
    const product = query.map((q, r) => q * key[r]);
    return { query, key, product, sum: partialSums(product) };
  };
  const back = entries(added(Q[j - 1], K[i - 1]));
  const reversed = Object.fromEntries(Object.entries(back).map(([name, x]) => [`back-${name}`, x]));
  return { numbers: { ...entries({ Q, K, S, ...added(Q[i - 1], K[j - 1]) }), ...reversed } };
}

const texts = {
  en: {
    title: "Explorer: adding up a score",
    query: "query $i$",
    key: "key $j$",
    queries: "queries $Q$",
    keys: "keys $K$",
    scores: "scores $S = QK^⊤$",
    there: "$S_{ij}$: $i$ asks, $j$ answers",
    back: "$S_{ji}$: $j$ asks, $i$ answers",
    head: (i, j) => ["$r$", `$Q_{${i}r}$`, `$K_{${j}r}$`, "product", "sum so far"],
    note: "Outlined in $S$: $S_{ij}$ and $S_{ji}$. A click on an entry of $S$ chooses $i$ and $j$. Striped: a product below 0.",
    summary: (i, j, s, back) => `The score of query ${i} for key ${j} is ${s}; the other way round it is ${back}.`,
  },
  zh: {
    title: "交互演示：一个分数如何累加",
    query: "查询 $i$",
    key: "键 $j$",
    queries: "查询 $Q$",
    keys: "键 $K$",
    scores: "分数 $S = QK^⊤$",
    there: "$S_{ij}$：$i$ 查询，$j$ 作答",
    back: "$S_{ji}$：$j$ 查询，$i$ 作答",
    head: (i, j) => ["$r$", `$Q_{${i}r}$`, `$K_{${j}r}$`, "乘积", "累加至此"],
    note: "$S$ 中框出的是 $S_{ij}$ 与 $S_{ji}$。点击 $S$ 的元素也可选取 $i$ 与 $j$。斜纹表示该乘积小于 0。",
    summary: (i, j, s, back) => `查询 ${i} 对键 ${j} 的分数为 ${s}，反过来为 ${back}。`,
  },
};

function view(t, { select, grid, reset, glossed }) {
  const direction = (caption, head, prefix) =>
    runningSum({
      caption,
      head,
      rows: counted(3),
      factors: [`${prefix}query`, `${prefix}key`],
      term: `${prefix}product`,
      sum: `${prefix}sum`,
      most: 4,
      tone: "scores",
    });
  const Q = grid("Q", t.queries, 3, "query", { mark: (i, r, state) => i === state.i, pick: (i) => ({ i }) });
  const K = grid("K", t.keys, 3, "key", { mark: (j, r, state) => j === state.j, pick: (j) => ({ j }) });
  const S = grid("S", t.scores, 5, "query", {
    most: 4,
    mark: (i, j, state) => (i === state.i && j === state.j) || (i === state.j && j === state.i),
    pick: (i, j) => ({ i, j }),
  });
  const nodes = [
    controlBar(select("i", t.query, glossed), select("j", t.key, glossed), reset),
    line("formula", "$q_i k_j^⊤ = S_{ij} = ∑_rQ_{ir}K_{jr}$; $i$ = ", digit("i"), ", $j$ = ", digit("j")),
    panels([direction(t.there, t.head("i", "j"), "")], [direction(t.back, t.head("j", "i"), "back-")]),
    panels([box("matrices", Q, K, S), line("note", t.note)]),
  ];
  const summary = (v) =>
    t.summary(glossed[v.i - 1], glossed[v.j - 1], formatNumber(v["sum-3"]), formatNumber(v["back-sum-3"]));
  return { nodes, summary };
}

export default explorer({ ranges, texts, compute, view });
