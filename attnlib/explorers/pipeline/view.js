// The explorer of the first page: the whole formula, and which numbers one of its cells needs.

import { keep, softmax } from "../framework/core.js";
import { TWO_FEATURES_RANGES, selfAttention } from "../framework/example.js";
import { explorer, group } from "../framework/explorer.js";
import { box, counted, fill, formatNumber, line, live, mark, panels } from "../framework/ui.js";

/** The stages: their captions, and the roles of their colours. */
const STAGES = {
  Q: ["$Q = XW_Q$", "query"],
  K: ["$K = XW_K$", "key"],
  V: ["$V = XW_V$", "value"],
  S: ["$S = QK^⊤$", "scores"],
  S_scaled: ["$S̃ = S/√d_k$", "scores"],
  S_masked: ["$S̃ + M$", "scores"],
  A: ["$A = softmax(S̃ + M)$", "weights"],
  Z: ["$Z = AV$", "output"],
};
const NAMES = Object.keys(STAGES);
const upTo = (n) => counted(n).map(Number);
const FEATURES = upTo(2);
const symbol = (name) => ({ S_scaled: "S̃", S_masked: "(S̃ + M)" })[name] ?? name;
const sizeOf = (name) => [name[0] === "W" ? 2 : 5, /[SA]/.test(name) ? 5 : 2];
const columnOf = (stage) => (sizeOf(stage)[1] === 5 ? "j" : "r");
const seenBy = ({ i, causal }) => upTo(causal === "on" ? i : 5);

/** By matrix, the rows and columns of the chosen cell and of all it depends on, from Z back to X. */
function needs(state) {
  const { stage, i } = state;
  const seen = seenBy(state);
  const product = (left, right, inner) => (rows, columns) => ({ [left]: [rows, inner], [right]: [inner, columns] });
  const sources = {
    Z: product("A", "V", seen),
    // the weight of a key that is seen alone is 1, whatever the score
    A: (rows, [j]) => ({ S_masked: [rows, seen.length > 1 && seen.includes(j) ? seen : []] }),
    S_masked: (rows, keys) => ({ S_scaled: [rows, keys.filter((j) => seen.includes(j))] }),
    S_scaled: (rows, keys) => ({ S: [rows, keys] }),
    S: (rows, keys) => ({ Q: [rows, FEATURES], K: [keys, FEATURES] }),
    V: product("X", "W_V", FEATURES),
    K: product("X", "W_K", FEATURES),
    Q: product("X", "W_Q", FEATURES),
  };
  const found = { [stage]: [[i], [state[columnOf(stage)]]] };
  for (const name in sources) {
    const blocks = found[name] ? sources[name](...found[name]) : {};
    for (const [source, [rows, columns]] of Object.entries(blocks)) {
      const all = [...rows, ...(found[source]?.[0] ?? [])];
      if (rows.length && columns.length) found[source] = [upTo(5).filter((row) => all.includes(row)), columns];
    }
  }
  return found;
}

/** The chosen cell as its stage makes it, in numbers. */
function equation(v) {
  const { stage, i, j, r } = v;
  const bare = (name, row, column) => formatNumber(v[`${name}-${row}-${column}`], 2);
  const at = (...place) => bare(...place).replace(/^−.*/, "($&)");
  const power = (key) => `$e^{${bare("S_masked", i, key)}}$`;
  const total = (n, term) => upTo(n).map(term).join(" + ");
  const made = {
    S: () => total(2, (t) => `${at("Q", i, t)} × ${at("K", j, t)}`),
    S_scaled: () => `${at("S", i, j)} ÷ √2`,
    S_masked: () => `${at("S_scaled", i, j)} + ${seenBy(v).includes(j) ? 0 : "(−∞)"}`,
    A: () => `${power(j)} ÷ (${total(5, power)})`,
    Z: () => total(5, (t) => `${at("A", i, t)} × ${at("V", t, r)}`),
  };
  const projected = () => total(2, (t) => `${at("X", i, t)} × ${at(`W_${stage}`, t, r)}`);
  const column = v[columnOf(stage)];
  return `$${symbol(stage)}_{${i}${column}}$ = ${(made[stage] ?? projected)()} = ${bare(stage, i, column)}`;
}

export default explorer({
  ranges: {
    stage: NAMES,
    i: [1, 5, "whole"],
    j: [1, 5, "whole"],
    r: [1, 2, "whole"],
    causal: ["on", "off"],
    ...TWO_FEATURES_RANGES,
  },

  compute(state) {
    const { X, W_Q, W_K, W_V, causal } = state;
    const masked = (S) => keep(S, causal === "on" ? 0 : 5, -Infinity);
    const head = selfAttention(X, state, (S) => masked(S).map(softmax));
    const numbers = { X, W_Q, W_K, W_V, ...head, S_masked: masked(head.S_scaled) };
    const needed = needs(state);
    for (const name in needed) numbers[`needed-${name}`] = needed[name];
    return { numbers, needed };
  },

  view(t, { select, check, button, edit, grid, reset, words }) {
    const projected = t(
      ": row {i} of $X$ times column {r} of $W_{stage}$.",
      "：$X$ 的第 {i} 行乘 $W_{stage}$ 的第 {r} 列。",
    );
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
    for (const name in columns) live(columns[name], ({ stage }) => (columns[name].hidden = name !== columnOf(stage)));
    const next = button("next", t("Next stage", "下一步"), ({ stage }) => ({
      stage: NAMES[NAMES.indexOf(stage) + 1] ?? NAMES[0],
    }));
    const options = NAMES.map((name) => STAGES[name][0].replace(/[$^]/g, ""));
    const tables = {
      X: edit("X", "scores", words),
      W_Q: edit("W_Q", "query"),
      W_K: edit("W_K", "key"),
      W_V: edit("W_V", "value"),
    };
    for (const name of NAMES) {
      const [caption, tone] = STAGES[name];
      const pick = (i, column) => ({ stage: name, i, [columnOf(name)]: column });
      tables[name] = grid(name, caption, sizeOf(name)[1], tone, { rows: counted(5), most: name === "A" && 1, pick });
    }
    for (const name in tables) {
      mark(tables[name], (i, j, { stage }, { needed: { [name]: block } }) => {
        const isNeeded = block?.[0].includes(i) && block[1].includes(j);
        return isNeeded && (name === stage ? "location" : "true");
      });
    }

    /** A block in words; what is whole is not mentioned. */
    const block = ([name, parts]) => {
      const part = (k, english, chinese) => {
        const list = parts[k];
        if (list.length === sizeOf(name)[k]) return "";
        return t(`${english}${list[1] ? "s" : ""} ${list.join(", ")}`, `第 ${list.join("、")} ${chinese}`);
      };
      const words = part(0, "row", "行") + t(" ", "") + part(1, "column", "列");
      return `$${symbol(name)}$ ${words}`.trim();
    };
    const made = line("step", equation);
    const needed = line("note", (v, result) => {
      const [, ...blocks] = Object.entries(result.needed);
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
          group(t("Stage", "步骤"), "scores", select("stage", t("matrix", "矩阵"), options), next),
          group(t("Cell", "元素"), "output", select("i", t.row), columns.j, columns.r),
          group(t("Mask", "掩码"), "weights", check("causal", t("causal", "因果掩码")), reset),
        ),
        box(
          "formula",
          line("step", (v) => fill(says[v.stage], { ...v, last: seenBy(v).length })),
          made,
          needed,
        ),
        panels([box("matrices", ...Object.values(tables))]),
      ],
      summary: "{made}. {needed}.",
      values: () => ({ made: made.textContent, needed: needed.textContent }),
    };
  },
});
