// The explorer of chapter 3: a score as the sum of its products, in both directions.

import { partialSums } from "../framework/core.js";
import { HEAD } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { mark, runningSum } from "../framework/tables.js";
import { box, counted, line, panels } from "../framework/ui.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** @param {{i: number, j: number}} state */
function compute({ i, j }) {
  const { Q, K, S } = HEAD;
  const product = Q[i - 1].map((q, r) => q * K[j - 1][r]);
  const back = Q[j - 1].map((q, r) => q * K[i - 1][r]);
  const there = { query: Q[i - 1], key: K[j - 1], product, sum: partialSums(product) };
  return {
    numbers: {
      Q,
      K,
      S,
      ...there,
      "back-query": Q[j - 1],
      "back-key": K[i - 1],
      "back-product": back,
      "back-sum": partialSums(back),
    },
  };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, grid, reset, glossed, matrices }) {
    /** @type {(caption: string, i: string, j: string, prefix: string) => Node} */
    const direction = (caption, i, j, prefix) =>
      runningSum({
        caption,
        head: ["$r$", `$Q_{${i}r}$`, `$K_{${j}r}$`, t("product", "乘积"), t.soFar],
        rows: counted(3),
        parts: ["query", "key", "product", "sum"].map((name) => prefix + name),
        most: 4,
        tone: "signed",
      });
    const there = t("$S_{ij}$: $i$ asks, $j$ answers", "$S_{ij}$：$i$ 查询，$j$ 作答");
    const back = t("$S_{ji}$: $j$ asks, $i$ answers", "$S_{ji}$：$j$ 查询，$i$ 作答");
    const Q = grid("Q", t("queries $Q$", "查询 $Q$"), "query", { columns: 3, pick: (i) => ({ i }) });
    const K = grid("K", t("keys $K$", "键 $K$"), "key", { columns: 3, pick: (j) => ({ j }) });
    const caption = t("scores $S = QK^⊤$", "分数 $S = QK^⊤$");
    const S = grid("S", caption, "signed", { columns: 5, most: 4, pick: (i, j) => ({ i, j }) });
    const isPair = (/** @type {number} */ i, /** @type {number} */ j, /** @type {Now} */ { state }) =>
      (i === state.i && j === state.j) || (i === state.j && j === state.i);
    mark(S, isPair);
    const note = t(
      "Outlined in $S$: $S_{ij}$ and $S_{ji}$. A click on an entry of $S$ chooses $i$ and $j$. Striped: a product below 0.",
      "$S$ 中框出的是 $S_{ij}$ 与 $S_{ji}$。点击 $S$ 的元素也可选取 $i$ 与 $j$。斜纹表示该乘积小于 0。",
    );
    return {
      title: t("adding up a score", "一个分数如何累加"),
      nodes: [
        box("controls", select("i", t("query $i$", "查询 $i$")), select("j", t.key), reset),
        line("formula", "$q_i k_j^⊤ = S_{ij} = ∑_rQ_{ir}K_{jr}$; $i$ = {i}, $j$ = {j}"),
        panels([direction(there, "i", "j", "")], [direction(back, "j", "i", "back-")]),
        panels([matrices(Q, K, S), line("note", note)]),
      ],
      summary: t(
        "The score of query {query} for key {key} is {sum-3}; the other way round it is {back-sum-3}.",
        "查询 {query} 对键 {key} 的分数为 {sum-3}，反过来为 {back-sum-3}。",
      ),
      values: ({ state: { i, j } }) => ({ query: glossed[i - 1], key: glossed[j - 1] }),
    };
  },
});
