// The explorer of chapter 3: a score as the sum of its products and as a shadow, in both directions.

import { entryName, multiply, partialSums, transpose } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { product, term } from "../framework/provenance.js";
import { SETTINGS } from "../framework/settings.js";
import { mark, runningSum } from "../framework/tables.js";
import { box, counted, formatNumber, line, panels } from "../framework/ui.js";
import { angleBetween, dot, long } from "./laid.js";
import { shadowPicture } from "./picture.js";

/** @import { Named } from "../framework/ui.js" */
/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

const MEASURES = ["query-length", "key-length", "angle", "cosine", "shadow", "sum-3"];

/** What the bars of both sums can reach: 4 as in the example, twice as much where that is too little. @param {Named} named */
function reachOf(named) {
  const sums = ["sum", "back-sum"].flatMap((name) => [1, 2, 3].map((r) => Math.abs(Number(named[entryName(name, r)]))));
  let reach = 4;
  while (reach < Math.max(...sums)) reach *= 2;
  return reach;
}

/** What one direction of asking shows. @param {string} prefix @param {number[]} query @param {number[]} key */
function direction(prefix, query, key) {
  const products = query.map((x, r) => x * key[r]);
  const [queryLength, keyLength] = [long(query), long(key)];
  const lengths = queryLength * keyLength;
  const numbers = {
    query,
    key,
    product: products,
    sum: partialSums(products),
    "query-length": queryLength,
    "key-length": keyLength,
    angle: (angleBetween(query, key) * 180) / Math.PI,
    cosine: lengths ? dot(query, key) / lengths : 0,
    shadow: queryLength ? dot(query, key) / queryLength : 0,
  };
  return Object.fromEntries(Object.entries(numbers).map(([name, x]) => [prefix + name, x]));
}

/** @param {{i: number, j: number, Q: number[][], K: number[][]}} state */
function compute({ i, j, Q, K }) {
  /** @type {Record<string, any>} */
  const numbers = {
    S: multiply(Q, transpose(K)),
    ...direction("", Q[i - 1], K[j - 1]),
    ...direction("back-", Q[j - 1], K[i - 1]),
  };
  /** @type {Record<string, number[]>} */
  const drawn = {}; // where the arrows are: the pictures know how they are turned
  return { numbers, drawn };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, edit, grid, hand, reset, words, glossed, matrices }) {
    const caption = t(
      "Take hold of the tip of $q$ or $k$: it turns and grows in the plane that the two span, and its three numbers follow. Thick: the shadow of $k$ on $q$, striped where it points back.",
      "可拖动 $q$ 或 $k$ 的尖端：它在两者所张成的平面内转动、伸缩，三个数随之改变。粗线为 $k$ 在 $q$ 上的投影，指向反方向时为斜纹。",
    );
    const labels = {
      query: t("query, arrow keys move its tip", "查询，用方向键移动其尖端"),
      key: t("key, arrow keys move its tip", "键，用方向键移动其尖端"),
    };
    /** @type {(prefix: string, whose: (now: Now) => [number, number]) => (now: Now) => string} */
    const saysOf = (prefix, whose) => (now) => {
      const [q, k, angle, cosine, shadow, score] = MEASURES.map((name) => Number(now.named[prefix + name]));
      const [i, j] = whose(now);
      const [lengths, score_ij] = [`‖q_${i}‖ ‖k_${j}‖`, `$S_{${i}${j}}$`];
      if (!q || !k) {
        const zero = q ? `$k_${j}$` : `$q_${i}$`;
        return t(
          `${score_ij} = 0: ${zero} is 0, has no direction, and so there is no angle.`,
          `${score_ij} = 0：${zero} 为零向量，没有方向，也就没有夹角。`,
        );
      }
      const product = `${term(q)} × ${term(k)} × ${term(cosine)}`;
      const shadowed = `${term(q)} × ${t("shadow", "投影")} ${term(shadow)}`;
      return `${score_ij} = $${lengths}$ cos ${formatNumber(angle, 1)}° = ${product} = ${shadowed} = ${formatNumber(score, 2)}`;
    };
    /** @type {(prefix: string, whose: (now: Now) => [number, number]) => Node[]} */
    const picture = (prefix, whose) => {
      const says = saysOf(prefix, whose);
      const plain = (/** @type {Now} */ now) => says(now).replace(/[$_{}]/g, "");
      const gripped = (/** @type {"query" | "key"} */ label, /** @type {[any, any, any]} */ ...how) =>
        hand(labels[label], ...how);
      const most = SETTINGS.Q.high;
      const [node] = shadowPicture({ caption, prefix, most, whose, hand: gripped, says: plain, words });
      return [line("step attn-measure", says), node];
    };
    /** @type {(caption: string, i: string, j: string, prefix: string) => Node} */
    const sum = (caption, i, j, prefix) =>
      runningSum({
        caption,
        head: ["$r$", `$Q_{${i}r}$`, `$K_{${j}r}$`, t("product", "乘积"), t.soFar],
        rows: counted(3),
        parts: ["query", "key", "product", "sum"].map((name) => prefix + name),
        most: reachOf,
        decimals: 2,
        tone: "signed",
      });
    const there = t("$S_{ij}$: $i$ asks, $j$ answers", "$S_{ij}$：$i$ 查询，$j$ 作答");
    const back = t("$S_{ji}$: $j$ asks, $i$ answers", "$S_{ji}$：$j$ 查询，$i$ 作答");
    const Q = edit("Q", "query", glossed);
    const K = edit("K", "key", glossed);
    mark(Q, (i, _, /** @type {Now} */ { state }) => i === state.i);
    mark(K, (j, _, /** @type {Now} */ { state }) => j === state.j);
    const scores = t("scores $S = QK^⊤$", "分数 $S = QK^⊤$");
    const S = grid("S", scores, "signed", {
      columns: 5,
      most: 4,
      pick: (i, j) => ({ i, j }),
      from: product("Q", "K", true),
    });
    const isPair = (/** @type {number} */ i, /** @type {number} */ j, /** @type {Now} */ { state }) =>
      (i === state.i && j === state.j) || (i === state.j && j === state.i);
    // one line for each token where there is room for it
    S.classList.add("attn-wrap");
    mark(S, isPair);
    const note = t(
      "Outlined in $S$: $S_{ij}$ and $S_{ji}$. A click on an entry of $S$ chooses $i$ and $j$. Striped: a product below 0.",
      "$S$ 中框出的是 $S_{ij}$ 与 $S_{ji}$。点击 $S$ 的元素也可选取 $i$ 与 $j$。斜纹表示该乘积小于 0。",
    );
    /** @param {Now} now */
    const arithmetic = ({ state: { i, j }, numbers }) => {
      const products = numbers.query.map(
        (/** @type {number} */ x, /** @type {number} */ r) => `${term(x)} × ${term(numbers.key[r])}`,
      );
      return `$S_{${i}${j}} = ∑_rQ_{${i}r}K_{${j}r}$ = ${products.join(" + ")} = ${formatNumber(numbers.sum[2], 2)}`;
    };
    return {
      title: t("adding up a score", "一个分数如何累加"),
      nodes: [
        box("controls", select("i", t("query $i$", "查询 $i$")), select("j", t.key), reset),
        line("formula", arithmetic),
        panels(
          picture("", ({ state: { i, j } }) => [i, j]),
          picture("back-", ({ state: { i, j } }) => [j, i]),
        ),
        panels([line("note", caption)]),
        panels([sum(there, "i", "j", "")], [sum(back, "j", "i", "back-")]),
        panels([matrices(Q, K, S), line("note", note)]),
      ],
      summary: t(
        "The score of query {query} for key {key} is {sum-3}, length {query-length} times shadow {shadow}; the other way round it is {back-sum-3}.",
        "查询 {query} 对键 {key} 的分数为 {sum-3}，即长度 {query-length} 乘以投影 {shadow}；反过来为 {back-sum-3}。",
      ),
      values: ({ state: { i, j } }) => ({ query: glossed[i - 1], key: glossed[j - 1] }),
    };
  },
});
