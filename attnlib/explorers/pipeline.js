// The explorer of the first page: the whole formula, and which numbers one of its cells needs.

import { entries, keep, softmax } from "./core.js";
import { TWO_FEATURES, matrixRanges, selfAttention } from "./example.js";
import { controlBar, explorer, group } from "./explorer.js";
import { box, counted, formatNumber, line, panels, rich } from "./ui.js";

/** The stages: what their captions say and the role of their colour. */
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
const GIVEN = { X: "scores", W_Q: "query", W_K: "key", W_V: "value" };
const upTo = (n) => counted(n).map(Number);
const FEATURES = upTo(2);
const ranges = {
  stage: NAMES,
  i: [1, 5, "whole"],
  j: [1, 5, "whole"],
  r: [1, 2, "whole"],
  causal: ["on", "off"],
  ...matrixRanges(TWO_FEATURES),
};

const columnOf = (stage) => ("QKVZ".includes(stage) ? "r" : "j");
const seenBy = ({ i, causal }) => upTo(causal === "on" ? i : 5);

/** By matrix, the rows and columns that the chosen cell depends on, from Z back to X. */
function needs(state) {
  const seen = seenBy(state);
  const projected = (W) => (rows, columns) => ({ X: [rows, FEATURES], [W]: [FEATURES, columns] });
  const inputs = {
    Z: (i, r) => ({ A: [i, seen], V: [seen, r] }),
    // the weight of a key that is seen alone is 1, whatever the score
    A: (i, [j]) => ({ S_masked: [i, seen.length > 1 && seen.includes(j) ? seen : []] }),
    S_masked: (i, keys) => ({ S_scaled: [i, keys.filter((j) => seen.includes(j))] }),
    S_scaled: (i, keys) => ({ S: [i, keys] }),
    S: (i, keys) => ({ Q: [i, FEATURES], K: [keys, FEATURES] }),
    V: projected("W_V"),
    K: projected("W_K"),
    Q: projected("W_Q"),
  };
  const { stage, i } = state;
  const found = { [stage]: [[i], [state[columnOf(stage)]]] };
  for (const [name, from] of Object.entries(inputs)) {
    const sources = found[name] ? Object.entries(from(...found[name])) : [];
    for (const [source, [rows, columns]] of sources.filter(([, block]) => block.every((part) => part.length))) {
      const before = found[source]?.[0] ?? [];
      found[source] = [upTo(5).filter((row) => before.includes(row) || rows.includes(row)), columns];
    }
  }
  delete found[stage];
  return found;
}

function compute(state) {
  const masked = (S) => keep(S, state.causal === "on" ? 0 : 5, -Infinity);
  const head = selfAttention(state.X, state, (S) => masked(S).map(softmax));
  const given = Object.fromEntries(Object.keys(GIVEN).map((name) => [name, state[name]]));
  const matrices = { ...given, ...head, S_masked: masked(head.S_scaled) };
  const needed = needs(state);
  const flags = Object.entries(matrices).map(([name, M]) => {
    const [rows, columns] = needed[name] ?? [[], []];
    const is = (i, j) => Number(rows.includes(i + 1) && columns.includes(j + 1));
    return [`needs-${name}`, M.map((row, i) => row.map((_, j) => is(i, j)))];
  });
  return { numbers: entries({ ...matrices, ...Object.fromEntries(flags) }), state, matrices, needed };
}

/** The chosen cell as its stage makes it, in numbers. */
function working(state, matrices) {
  const { stage, i, j, r } = state;
  const at = (name, row, column) => formatNumber(matrices[name][row - 1][column - 1], 2).replace(/^−.*/, "($&)");
  const power = (key) => `$e^{${at("S_masked", i, key)}}$`;
  const total = (n, term) => upTo(n).map(term).join(" + ");
  const projected = () => total(2, (t) => `${at("X", i, t)} × ${at(`W_${stage}`, t, r)}`);
  const made = {
    S: () => total(2, (t) => `${at("Q", i, t)} × ${at("K", j, t)}`),
    S_scaled: () => `${at("S", i, j)} ÷ √2`,
    S_masked: () => `${at("S_scaled", i, j)} + ${seenBy(state).includes(j) ? 0 : "(−∞)"}`,
    A: () => `${power(j)} ÷ (${total(5, power)})`,
    Z: () => total(5, (t) => `${at("A", i, t)} × ${at("V", t, r)}`),
  };
  return (made[stage] ?? projected)();
}

const texts = {
  en: {
    title: "Explorer: the whole formula",
    step: "Stage",
    stage: "matrix",
    next: "Next stage",
    cell: "Cell",
    row: "row $i$",
    column: "column",
    mask: "Mask",
    causal: "causal",
    says: {
      Q: (i, c) => `What token ${i} looks for: row ${i} of $X$ times column ${c} of $W_Q$.`,
      K: (i, c) => `What token ${i} offers for a match: row ${i} of $X$ times column ${c} of $W_K$.`,
      V: (i, c) => `What token ${i} passes on: row ${i} of $X$ times column ${c} of $W_V$.`,
      S: (i, c) => `How well query ${i} matches key ${c}: row ${i} of $Q$ times row ${c} of $K$.`,
      S_scaled: () => "The score is divided by $√d_k$, the root of the number of features of a key.",
      S_masked: (i, c, seen) => `The mask adds 0 where query ${i} may look, up to key ${seen}, and −∞ elsewhere.`,
      A: (i, c) => `The share of key ${c}: softmax makes row ${i} positive or 0, with the sum 1.`,
      Z: (i, c) => `Column ${c} of the values, mixed in the shares of row ${i} of $A$.`,
    },
    needs: (blocks) => `Outlined is all that it depends on: ${blocks.join("; ") || "nothing"}.`,
    rows: (list, many) => ` row${many ? "s" : ""} ${list}`,
    columns: (list, many) => ` column${many ? "s" : ""} ${list}`,
  },
  zh: {
    title: "交互演示：整个公式",
    step: "步骤",
    stage: "矩阵",
    next: "下一步",
    cell: "元素",
    row: "第 $i$ 行",
    column: "列",
    mask: "掩码",
    causal: "因果掩码",
    says: {
      Q: (i, c) => `Token ${i} 要找什么：$X$ 的第 ${i} 行乘 $W_Q$ 的第 ${c} 列，得到 Query（查询）。`,
      K: (i, c) => `Token ${i} 凭什么被找到：$X$ 的第 ${i} 行乘 $W_K$ 的第 ${c} 列，得到 Key（键）。`,
      V: (i, c) => `Token ${i} 交出什么：$X$ 的第 ${i} 行乘 $W_V$ 的第 ${c} 列，得到 Value（值）。`,
      S: (i, c) => `查询 ${i} 与键 ${c} 有多匹配：$Q$ 的第 ${i} 行与 $K$ 的第 ${c} 行的点积。`,
      S_scaled: () => "分数除以 $√d_k$，即键的特征维度的平方根。",
      S_masked: (i, c, seen) => `查询 ${i} 可见的键（到第 ${seen} 个为止）加 0，其余加 −∞。`,
      A: (i, c) => `键 ${c} 所占的份额：Softmax 使第 ${i} 行非负，且和为 1。`,
      Z: (i, c) => `按 $A$ 第 ${i} 行的份额，混合各个值的第 ${c} 列。`,
    },
    needs: (blocks) => `框出的是它所依赖的全部元素：${blocks.join("；") || "无"}。`,
    rows: (list) => `第 ${list} 行`,
    columns: (list) => `第 ${list} 列`,
  },
};

/** A block in words; what is whole is not mentioned. */
function blockText(t, name, parts, { length, 0: { length: width } }) {
  const words = (say, list, size) => {
    const [first, last] = [list[0], list.at(-1)];
    const range = list.length > 2 || last - first < 2 ? `${first}–${last}` : `${first}, ${last}`;
    return list.length === size ? "" : say(first === last ? first : range, list.length > 1);
  };
  const [rows, columns] = [words(t.rows, parts[0], length), words(t.columns, parts[1], width)];
  return `$${name}$${rows}${columns}`;
}

const symbol = (stage) => ({ S_scaled: "S̃", S_masked: "S̃ + M" })[stage] ?? stage;

function view(t, { select, check, button, edit, grid, reset, words, glossed }) {
  const columns = { j: select("j", `${t.column} $j$`, glossed), r: select("r", `${t.column} $r$`, counted(2)) };
  const next = button("next", t.next, ({ stage }) => ({ stage: NAMES[(NAMES.indexOf(stage) + 1) % NAMES.length] }));
  const plain = NAMES.map((name) => STAGES[name][0].replace(/[$^]/g, ""));
  const given = Object.entries(GIVEN).map(([name, tone]) => [name, edit(name, `$${name}$`, tone, name === "X" && words)]);
  const made = NAMES.map((name) => {
    const [caption, tone] = STAGES[name];
    const column = columnOf(name);
    const pick = (i, c) => ({ stage: name, i, [column]: c });
    const most = { Z: 0, A: 1 }[name];
    return [name, grid(name, caption, column === "j" ? 5 : 2, tone, { rows: counted(5), most, pick })];
  });
  const tables = [...given, ...made];
  const [says, equation, needed] = ["step", "step", "note"].map((name) => line(name));
  const nodes = [
    controlBar(
      group(t.step, "scores", select("stage", t.stage, plain), next),
      group(t.cell, "output", select("i", t.row, glossed), columns.j, columns.r),
      group(t.mask, "weights", check("causal", t.causal), reset),
    ),
    box("formula", says, equation, needed),
    panels([box("matrices", ...tables.map(([, node]) => node))]),
  ];

  function show({ numbers, state, matrices, needed: blocks }) {
    const { stage, i } = state;
    const column = columnOf(stage);
    const c = state[column];
    for (const name of ["j", "r"]) columns[name].node.hidden = name !== column;
    const value = formatNumber(numbers[`${stage}-${i}-${c}`], 2);
    const cell = symbol(stage).replace(/[SMA-Z]̃?/gu, `$&_{${i}${c}}`);
    const write = (node, text) => node.replaceChildren(...rich(text));
    write(says, t.says[stage](i, c, seenBy(state).length));
    write(equation, `$${cell}$ = ${working(state, matrices)} = ${value}`);
    const list = Object.entries(blocks).map(([name, block]) => blockText(t, symbol(name), block, matrices[name]));
    write(needed, t.needs(list));
    for (const [name, node] of tables) {
      for (const place of node.querySelectorAll("tbody td")) {
        const [row, col] = [place.parentNode.rowIndex, place.cellIndex];
        const chosen = name === stage && row === i && col === c;
        place.ariaCurrent = chosen ? "location" : numbers[`needs-${name}-${row}-${col}`] ? "true" : null;
      }
    }
  }

  return { nodes, show, summary: () => `${equation.textContent}. ${needed.textContent}` };
}

export default explorer({ ranges, texts, compute, view });
