// The explorer of the first page: the whole formula, and which numbers one of its cells needs.

import { group } from "../framework/controls.js";
import { entryName, keep, softmax } from "../framework/core.js";
import { selfAttention } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { mark } from "../framework/tables.js";
import { box, counted, fill, html, line, live, panels } from "../framework/ui.js";
import { guessesOf, isStart } from "./guesses.js";
import { columnOf, isIn, MATRICES, needs, STAGES, seenBy, symbol } from "./needs.js";
import { ORIGINS } from "./origins.js";
import { playerOf } from "./player.js";
import { wayOf } from "./way.js";

/** @import { Block, Name, State } from "./needs.js" */

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** @param {State} state */
function compute(state) {
  const { X, W_Q, W_K, W_V, causal } = state;
  const masked = (/** @type {number[][]} */ S) => keep(S, causal === "on" ? 0 : 5, -Infinity);
  const head = selfAttention(X, state, (S) => masked(S).map(softmax));
  /** @type {Record<string, number[][]>} */
  const matrices = { X, W_Q, W_K, W_V, ...head, S_masked: masked(head.S_scaled) };
  const needed = needs(state);
  /** @type {Record<string, number[] | number[][]>} */
  const numbers = { ...matrices };
  for (const name in needed) {
    numbers[entryName("rows", name)] = needed[name].rows;
    numbers[entryName("columns", name)] = needed[name].columns;
  }
  return { numbers, needed };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, check, button, press, edit, grid, reset, glossed, matrices }) {
    const projected = t(
      ": row {i} of $X$ times column {r} of $W_{stage}$.",
      "：$X$ 的第 {i} 行乘 $W_{stage}$ 的第 {r} 列。",
    );
    /** @type {Record<string, string>} */
    const says = {
      Q: t("What token {i} looks for", "第 {i} 个 Token 要找什么") + projected,
      K: t("What token {i} offers for a match", "第 {i} 个 Token 凭什么被找到") + projected,
      V: t("What token {i} passes on", "第 {i} 个 Token 交出什么") + projected,
      S: t(
        "How well query {i} matches key {j}: row {i} of $Q$ times row {j} of $K$.",
        "查询 {i} 与键 {j} 有多匹配：$Q$ 的第 {i} 行与 $K$ 的第 {j} 行的点积。",
      ),
      S_scaled: t("The score is divided by $√d_k$; here $d_k$ = 2.", "分数除以 $√d_k$，这里 $d_k$ = 2。"),
      S_masked: t(
        "The mask adds 0 where query {i} may look, up to key {last}, and −∞ elsewhere.",
        "查询 {i} 可见的键（到 {last} 为止），掩码加 0，其余加 −∞。",
      ),
      A: t(
        "The share of key {j}: softmax makes row {i} sum to 1, with no weight below 0.",
        "键 {j} 所占的份额：Softmax 使第 {i} 行非负且和为 1。",
      ),
      Z: t(
        "Column {r} of the values, mixed in the shares of row {i} of $A$.",
        "按 $A$ 第 {i} 行的份额，混合各个值的第 {r} 列。",
      ),
    };
    const columns = {
      j: select("j", t("column $j$", "第 $j$ 列")),
      r: select("r", t("column $r$", "第 $r$ 列"), counted(2)),
    };
    for (const [name, column] of Object.entries(columns)) {
      live(column, (/** @type {Now} */ { state }) => {
        column.hidden = name !== columnOf(state.stage);
      });
    }
    const next = button("next", t("Next stage", "下一步"), ({ stage }) => ({
      stage: STAGES[STAGES.indexOf(stage) + 1] ?? STAGES[0],
    }));
    const guesses = guessesOf(t, { press }, () => redraw());
    const tables = Object.entries(MATRICES).map(([name, { rows, columns, tone }]) => {
      const label = SETTINGS.stage.options[name];
      const pick = (/** @type {number} */ i, /** @type {number} */ column) => ({
        stage: name,
        i,
        [columnOf(name)]: column,
      });
      const made = { from: ORIGINS[name], symbol: symbol(name) };
      const look = { rows: counted(rows), columns, most: name === "A" ? 1 : undefined, pick, ...made };
      const node = label
        ? grid(name, `$${t(...label)}$`, tone, look)
        : edit(name, tone, rows === 5 ? glossed : undefined);
      mark(node, (i, j, /** @type {Now} */ { state, needed: { [name]: block } }) => {
        if (!isIn(block, i, j)) return false;
        return name === state.stage ? "location" : guesses.isOpen();
      });
      return node;
    });
    const strip = matrices(...tables);
    const player = playerOf(t, { press }, strip);
    reset.addEventListener("click", player.rest);
    const way = wayOf(t, strip, guesses.isOpen);

    // on a phone the strip stands at the matrix with the chosen cell
    /** @type {Now} */
    let now;
    let shown = "";
    let width = 0;
    const stand = () => strip.show(Object.keys(MATRICES).indexOf(shown));
    live(strip, (/** @type {Now} */ moment) => {
      now = moment;
      if (!shown && !isStart(now.state)) guesses.skip();
      if (now.state.stage === shown) return;
      shown = now.state.stage;
      stand();
    });
    const room = new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === width) return;
      width = contentRect.width;
      stand();
    });
    room.observe(strip);

    /** What the answer has opened is outlined and said. */
    function redraw() {
      const nodes = /** @type {(Element & {update: (now: Now) => void})[]} */ ([
        ...strip.querySelectorAll("td.attn-live"),
        needed,
        ...needed.querySelectorAll(".attn-live"),
      ]);
      for (const node of nodes) node.update(now);
      stand();
    }

    /** A block in words; what is whole is not mentioned. */
    const block = (/** @type {[string, Block]} */ [name, { rows, columns }]) => {
      const size = MATRICES[/** @type {Name} */ (name)];
      /** @type {(list: number[], whole: number, english: string, chinese: string) => string} */
      const part = (list, whole, english, chinese) => {
        if (list.length === whole) return "";
        return t(`${english}${list[1] ? "s" : ""} ${list.join(", ")}`, `第 ${list.join("、")} ${chinese}`);
      };
      const words = part(rows, size.rows, "row", "行") + t(" ", "") + part(columns, size.columns, "column", "列");
      return `$${symbol(name)}$ ${words}`.trim();
    };
    const needed = line("note", (/** @type {Now} */ { needed }) => {
      if (!guesses.isOpen()) return "";
      const [, ...blocks] = Object.entries(needed);
      return (
        t("Outlined, all that it depends on: ", "框出的是它所依赖的全部元素：") +
        (blocks.map(block).join(t("; ", "；")) || t.none)
      );
    });
    live(needed, () => {
      needed.hidden = !guesses.isOpen();
    });
    return {
      title: t("the whole formula", "整个公式"),
      nodes: [
        guesses,
        box(
          "controls",
          group(t("Stage", "步骤"), "scores", select("stage", t("matrix", "矩阵")), next, player.node),
          group(t("Cell", "元素"), "output", select("i", t.row), columns.j, columns.r),
          group(t("Mask", "掩码"), "weights", check("causal", t("causal", "因果掩码")), reset),
        ),
        html(
          "div",
          { class: "attn-tells" },
          line("step", (/** @type {Now} */ { state, named }) =>
            fill(says[state.stage], { ...named, last: seenBy(state).length }),
          ),
        ),
        box("formula", player.line, needed),
        panels([way, strip]),
      ],
      summary: "{made}. {needed}.",
      values: () => ({ made: String(player.line.textContent), needed: String(needed.textContent) }),
      end() {
        player.end();
        room.disconnect();
      },
    };
  },
});
