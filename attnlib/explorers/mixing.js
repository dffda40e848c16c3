// The explorer of chapter 1: z_i moves inside the convex hull of the visible values.

import { entries, hull, multiply, sum } from "./core.js";
import { EXAMPLE, selfAttention } from "./example.js";
import { controlBar, explorer, group } from "./explorer.js";
import { bar, digit, formatNumber, h, line, number, panels, plane, table } from "./ui.js";

const TOKENS = [1, 2, 3, 4, 5];
const ranges = { i: [1, 5, "whole"], mask: ["none", "causal"] };
for (const j of TOKENS) ranges[`share_${j}`] = [0, 100, "whole"];

const visibleTo = ({ i, mask }) => TOKENS.filter((j) => mask === "none" || j <= i);

function compute(state) {
  const { V } = selfAttention(EXAMPLE.X, EXAMPLE);
  const visible = visibleTo(state);
  const total = sum(visible.map((j) => state[`share_${j}`]));
  const share = (j) => (total ? state[`share_${j}`] / total : 1 / visible.length);
  const weight = TOKENS.map((j) => (visible.includes(j) ? share(j) : 0));
  const [z] = multiply([weight], V);
  const around = hull(V.slice(0, visible.length));
  const corner = TOKENS.map((j) => Number(around.includes(j - 1)));
  const numbers = { total: sum(weight), corners: around.length, ...entries({ V, weight, z, corner }) };
  return { numbers, V, z, around, visible };
}

/** The row of the example's own weights, in percent. */
function computed({ i, mask }) {
  const visible = visibleTo({ i, mask });
  const { A } = selfAttention(EXAMPLE.X, EXAMPLE);
  const total = sum(A[i - 1].slice(0, visible.length));
  return Object.fromEntries(visible.map((j) => [`share_${j}`, Math.round((100 * A[i - 1][j - 1]) / total)]));
}

const texts = {
  en: {
    title: "Explorer: mixing the values",
    who: "Whose output",
    token: "token $i$",
    sees: "sees",
    masks: ["all tokens", "tokens up to i (causal)"],
    computed: "Weights that the model computes",
    shares: "Shares",
    values: "Weights and values",
    head: ["$j$", "weight $α_{ij}$", "$V_{j1}$", "$V_{j2}$", ""],
    states: ["hidden", "inside", "corner"],
    sum: "; the weights add up to ",
    picture: "The values $v_j$, and in orange $z_i$. Shaded: all that $z_i$ can reach; hollow: hidden.",
    note: "Weights are shares divided by the sum of the visible shares; if that is 0, all visible tokens count the same.",
    summary: (z, corners) => `z is (${z}); its region has ${corners} corners.`,
  },
  zh: {
    title: "交互演示：混合各个值",
    who: "谁的输出",
    token: "Token $i$",
    sees: "可见范围",
    masks: ["全部 Token", "到 i 为止（因果）"],
    computed: "填入模型算出的权重",
    shares: "份额",
    values: "权重与值",
    head: ["$j$", "权重 $α_{ij}$", "$V_{j1}$", "$V_{j2}$", ""],
    states: ["不可见", "内部", "顶点"],
    sum: "；权重之和为 ",
    picture: "各点为值 $v_j$，橙色为 $z_i$。阴影是 $z_i$ 能到达的全部范围，空心表示不可见。",
    note: "权重等于份额除以可见份额之和；若总和为 0，则各可见 Token 均分。",
    summary: (z, corners) => `z 为 (${z})；可达区域有 ${corners} 个顶点。`,
  },
};

function view(t, { select, slider, button, reset, words, glossed }) {
  const states = TOKENS.map(() => h("span"));
  const { node, show: draw } = plane(t.picture.replaceAll("$", ""));
  const shares = TOKENS.map((j) => slider(`share_${j}`, glossed[j - 1], { step: 1 }));
  const rows = TOKENS.map((j) => [
    words[j - 1],
    bar(`weight-${j}`, 1, "weights"),
    number(`V-${j}-1`, { decimals: 2 }),
    number(`V-${j}-2`, { decimals: 2 }),
    states[j - 1],
  ]);
  const weights = table(t.values, t.head, rows);
  weights.classList.add("attn-terms");
  const z = ["$z_i = ∑_jα_{ij}v_j$ = (", number("z-1"), ", ", number("z-2"), ")"];
  const computes = button("computed", t.computed, computed);
  const nodes = [
    controlBar(
      group(t.who, "output", select("i", t.token, glossed), select("mask", t.sees, t.masks), computes, reset),
      group(t.shares, "weights", ...shares),
    ),
    line("formula", ...z, t.sum, number("total"), "; $i$ = ", digit("i")),
    panels([node, line("note", t.picture)], [weights, line("note", t.note)]),
  ];

  function show({ V, z, around, visible }) {
    draw([
      { line: [...around, around[0]].map((j) => V[j]), tone: "value" },
      ...V.map((at, j) => ({ at, text: words[j], tone: "value", hollow: !visible.includes(j + 1) })),
      { at: z, text: "z", tone: "output", size: 6 },
    ]);
    states.forEach((place, j) => {
      place.textContent = t.states[visible.includes(j + 1) ? 1 + around.includes(j) : 0];
    });
  }

  const summary = (v) => t.summary(`${formatNumber(v["z-1"])}, ${formatNumber(v["z-2"])}`, v.corners);
  return { nodes, show, summary };
}

export default explorer({ ranges, texts, compute, view });
