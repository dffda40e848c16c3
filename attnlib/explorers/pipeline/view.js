// The explorer of the first page: the whole formula, and which numbers one of its cells needs.

import { group } from "../framework/controls.js";
import { entryName, keep, softmax } from "../framework/core.js";
import { selfAttention } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { mark } from "../framework/tables.js";
import { box, counted, fill, formatNumber, line, live, panels } from "../framework/ui.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/**
 * @typedef {{stage: string, i: number, j: number, r: number, causal: string, X: number[][],
 *   W_Q: number[][], W_K: number[][], W_V: number[][]}} State
 */

/** Some rows and columns of a matrix, counted from 1. @typedef {{rows: number[], columns: number[]}} Block */

/** Each matrix: its size, and the role of its colour. */
const MATRICES = {
  X: { rows: 5, columns: 2, tone: "scores" },
  W_Q: { rows: 2, columns: 2, tone: "query" },
  W_K: { rows: 2, columns: 2, tone: "key" },
  W_V: { rows: 2, columns: 2, tone: "value" },
  Q: { rows: 5, columns: 2, tone: "query" },
  K: { rows: 5, columns: 2, tone: "key" },
  V: { rows: 5, columns: 2, tone: "value" },
  S: { rows: 5, columns: 5, tone: "signed" },
  S_scaled: { rows: 5, columns: 5, tone: "signed" },
  S_masked: { rows: 5, columns: 5, tone: "signed" },
  A: { rows: 5, columns: 5, tone: "weights" },
  Z: { rows: 5, columns: 2, tone: "output" },
};

/** @typedef {keyof typeof MATRICES} Name */

const STAGES = Object.keys(SETTINGS.stage.options);

/** @param {number} n */
const upTo = (n) => counted(n).map(Number);
const FEATURES = upTo(2);

/** @type {(name: string) => string} */
const symbol = (name) => ({ S_scaled: "S̃", S_masked: "(S̃ + M)" })[name] ?? name;

/** The trait that has the column of the chosen cell. @param {string} stage @returns {"j" | "r"} */
const columnOf = (stage) => (MATRICES[/** @type {Name} */ (stage)].columns === 5 ? "j" : "r");

/** @param {{i: number, causal: string}} state */
const seenBy = ({ i, causal }) => upTo(causal === "on" ? i : 5);

/**
 * By matrix, the chosen cell and all it depends on, from Z back to X.
 * @param {State} state
 */
function needs(state) {
  const { stage, i } = state;
  const seen = seenBy(state);
  /** @typedef {(block: Block) => Record<string, Block>} Source */
  /** @type {(left: string, right: string, inner: number[]) => Source} */
  const product =
    (left, right, inner) =>
    ({ rows, columns }) => ({
      [left]: { rows, columns: inner },
      [right]: { rows: inner, columns },
    });
  /** @type {Record<string, Source>} */
  const sources = {
    Z: product("A", "V", seen),
    // the weight of a key that is seen alone is 1, whatever the score
    A: ({ rows, columns: [j] }) => ({ S_masked: { rows, columns: seen.length > 1 && seen.includes(j) ? seen : [] } }),
    S_masked: ({ rows, columns }) => ({ S_scaled: { rows, columns: columns.filter((j) => seen.includes(j)) } }),
    S_scaled: (block) => ({ S: block }),
    S: ({ rows, columns }) => ({ Q: { rows, columns: FEATURES }, K: { rows: columns, columns: FEATURES } }),
    V: product("X", "W_V", FEATURES),
    K: product("X", "W_K", FEATURES),
    Q: product("X", "W_Q", FEATURES),
  };
  /** @type {Record<string, Block>} */
  const found = { [stage]: { rows: [i], columns: [state[columnOf(stage)]] } };
  for (const name in sources) {
    const blocks = found[name] ? sources[name](found[name]) : {};
    for (const [source, { rows, columns }] of Object.entries(blocks)) {
      const all = [...rows, ...(found[source]?.rows ?? [])];
      if (rows.length && columns.length) found[source] = { rows: upTo(5).filter((row) => all.includes(row)), columns };
    }
  }
  return found;
}

/** The chosen cell as its stage makes it, in numbers. @param {Now} now */
function equation({ state, matrices }) {
  const { stage, i, j, r } = state;
  /** @typedef {(name: string, row: number, column: number) => string} Write */
  /** @type {Write} */
  const bare = (name, row, column) => formatNumber(matrices[name][row - 1][column - 1], 2);
  /** @type {Write} */
  const at = (...place) => bare(...place).replace(/^−.*/, "($&)");
  const power = (/** @type {number} */ key) => `$e^{${bare("S_masked", i, key)}}$`;
  /** @type {(n: number, term: (t: number) => string) => string} */
  const total = (n, term) => upTo(n).map(term).join(" + ");
  /** @type {Record<string, () => string>} */
  const made = {
    S: () => total(2, (t) => `${at("Q", i, t)} × ${at("K", j, t)}`),
    S_scaled: () => `${at("S", i, j)} ÷ √2`,
    S_masked: () => `${at("S_scaled", i, j)} + ${seenBy(state).includes(j) ? 0 : "(−∞)"}`,
    A: () => `${power(j)} ÷ (${total(5, power)})`,
    Z: () => total(5, (t) => `${at("A", i, t)} × ${at("V", t, r)}`),
  };
  const projected = () => total(2, (t) => `${at("X", i, t)} × ${at(`W_${stage}`, t, r)}`);
  const column = state[columnOf(stage)];
  return `$${symbol(stage)}_{${i}${column}}$ = ${(made[stage] ?? projected)()} = ${bare(stage, i, column)}`;
}

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
  return { numbers, matrices, needed };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, check, button, edit, grid, reset, words, matrices }) {
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
    const tables = Object.entries(MATRICES).map(([name, { rows, columns, tone }]) => {
      const label = SETTINGS.stage.options[name];
      const pick = (/** @type {number} */ i, /** @type {number} */ column) => ({
        stage: name,
        i,
        [columnOf(name)]: column,
      });
      const look = { rows: counted(rows), columns, most: name === "A" ? 1 : undefined, pick };
      const node = label
        ? grid(name, `$${t(...label)}$`, tone, look)
        : edit(name, tone, rows === 5 ? words : undefined);
      mark(node, (i, j, /** @type {Now} */ { state, needed: { [name]: block } }) => {
        const isNeeded = block?.rows.includes(i) && block.columns.includes(j);
        return isNeeded && (name === state.stage ? "location" : true);
      });
      return node;
    });

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
    const made = line("step", equation);
    const needed = line("note", (/** @type {Now} */ { needed }) => {
      const [, ...blocks] = Object.entries(needed);
      return (
        t("Outlined, all that it depends on: ", "框出的是它所依赖的全部元素：") +
        (blocks.map(block).join(t("; ", "；")) || t.none)
      );
    });
    return {
      title: t("the whole formula", "整个公式"),
      nodes: [
        box(
          "controls",
          group(t("Stage", "步骤"), "scores", select("stage", t("matrix", "矩阵")), next),
          group(t("Cell", "元素"), "output", select("i", t.row), columns.j, columns.r),
          group(t("Mask", "掩码"), "weights", check("causal", t("causal", "因果掩码")), reset),
        ),
        box(
          "formula",
          line("step", (/** @type {Now} */ { state, named }) =>
            fill(says[state.stage], { ...named, last: seenBy(state).length }),
          ),
          made,
          needed,
        ),
        panels([matrices(...tables)]),
      ],
      summary: "{made}. {needed}.",
      values: () => ({ made: String(made.textContent), needed: String(needed.textContent) }),
    };
  },
});
