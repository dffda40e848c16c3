// The explorer of chapter 6: an entry of Z as the sum of its terms α_ij V_jr.

import { partialSums } from "../framework/core.js";
import { HEAD } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { runningSum } from "../framework/tables.js";
import { box, counted, line, panels } from "../framework/ui.js";

/** @param {{i: number, r: number}} state */
function compute({ i, r }) {
  const { A, V, Z } = HEAD;
  const alpha = A[i - 1];
  const value = V.map((row) => row[r - 1]);
  const term = alpha.map((weight, j) => weight * value[j]);
  return { numbers: { A, V, Z, alpha, value, term, sum: partialSums(term) } };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, grid, reset, words, glossed, matrices }) {
    const terms = runningSum({
      caption: t("The terms of $Z_{ir}$", "$Z_{ir}$ 的各项"),
      head: [
        t("source $j$", "来源 $j$"),
        t("weight $α_{ij}$", "权重 $α_{ij}$"),
        t("value $V_{jr}$", "值 $V_{jr}$"),
        "$α_{ij}V_{jr}$",
        t.soFar,
      ],
      rows: words,
      parts: ["alpha", "value", "term", "sum"],
      most: 1.5,
      tone: "output",
    });
    const all = matrices(
      grid("A", t("weights $A$", "权重 $A$"), "weights", { columns: 5, most: 1, pick: (i) => ({ i }) }),
      grid("V", t("values $V$", "值 $V$"), "value", { columns: 2, pick: (_, r) => ({ r }) }),
      grid("Z", t("outputs $Z = AV$", "输出 $Z = AV$"), "output", { columns: 2, pick: (i, r) => ({ i, r }) }),
    );
    const note = t(
      "Striped: a term below 0. A click on an entry of $Z$ chooses it.",
      "斜纹表示该项小于 0。点击 $Z$ 的元素也可选取。",
    );
    const position = select("i", t("output position $i$", "输出位置 $i$"));
    return {
      title: t("adding up an entry of Z", "Z 的一个元素如何累加"),
      nodes: [
        box("controls", position, select("r", t("feature $r$", "特征 $r$"), counted(2)), reset),
        line("formula", "$Z_{ir} = ∑_jα_{ij}V_{jr}$; $i$ = {i}, $r$ = {r}"),
        panels([all, terms, line("note", note)]),
      ],
      summary: t(
        "Z {i}, {r} is {sum-5}; term farthest from 0: source {source}, {top}.",
        "Z 第 {i} 行第 {r} 列为 {sum-5}；离 0 最远的一项来自 {source}：{top}。",
      ),
      values({ numbers: { term } }) {
        const top = term.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
        return { top, source: glossed[term.indexOf(top)] };
      },
    };
  },
});
