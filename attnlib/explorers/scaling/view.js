// The explorer of chapter 4: what d_k and the divisor do to scores and to a row of softmax.

import { group } from "../framework/controls.js";
import { entryName } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, table } from "../framework/tables.js";
import { box, counted, fill, formatNumber, html, line, live, number, panels, svg } from "../framework/ui.js";
import { BINS, compute, KEYS } from "./numbers.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

const STOPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

const WIDTH = 304;
const LEFT = 24;
const BASE = 130;
const BAR = 8;

/** A number of the axis: as short as two decimals allow. @param {number} x */
const axisText = (x) => String(Number(x.toFixed(2))).replace("-", "−");

/**
 * The histogram, its axis, and two brackets: one standard deviation to either side.
 * @param {string} label
 * @param {string[]} names
 */
function picture(label, names) {
  const node = svg("svg", { viewBox: `0 0 ${WIDTH} ${BASE + 84}`, class: "attn-picture", role: "img" });
  const path = (/** @type {string} */ name, /** @type {string} */ d) => svg("path", { class: name, d });
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ words) =>
    svg("text", { x, y, "text-anchor": "middle" }, words);

  return live(node, (/** @type {Now} */ { numbers, counts, low, high, named }) => {
    const x = (/** @type {number} */ score) =>
      LEFT + Math.min(1, Math.max(0, (score - low) / (high - low))) * BINS * BAR;
    const bars = counts.map((count, i) => {
      const height = (count / Math.max(1, numbers.tallest)) * (BASE - 8);
      return svg("rect", { class: "attn-count", x: LEFT + i * BAR + 0.5, y: BASE - height, width: BAR - 1, height });
    });
    const ticks = [0, 1, 2, 3, 4].flatMap((i) => {
      const score = low + (i / 4) * (high - low);
      return [path("attn-axis", `M${x(score)} ${BASE}v5`), text(x(score), BASE + 18, axisText(score))];
    });
    const spreads = [
      { look: "", mean: numbers.mean, sd: numbers.sd },
      { look: "attn-measured", mean: numbers["measured-mean"], sd: numbers["measured-sd"] },
    ];
    const brackets = spreads.flatMap(({ look, mean, sd }, i) => {
      const y = BASE + 36 + 28 * i;
      const [from, to] = [mean - sd, mean + sd];
      // a bracket that leaves the picture has no end there
      const ends = [from < low ? "" : "m0 -4v8m0 -4", to > high ? "" : "m0 -4v8"];
      return [
        path(`attn-bracket ${look}`, `M${x(from)} ${y}${ends[0]}H${x(to)}${ends[1]}`),
        text(WIDTH / 2, y + 16, `${names[i]}: ± ${formatNumber(sd)}`),
      ];
    });
    node.replaceChildren(...bars, path("attn-axis", `M${LEFT} ${BASE}h${BINS * BAR}`), ...ticks, ...brackets);
    node.ariaLabel = fill(label, named);
  });
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, button, slider, reset }) {
    const [derived, measured] = [t("derived", "推导"), t("measured", "实测")];
    const [mean, deviation] = [t("mean", "均值"), t("deviation", "标准差")];
    const spread = t(
      "standard deviation {sd} derived, {measured-sd} measured",
      "标准差推导值 {sd}，实测值 {measured-sd}",
    );
    /** @type {(legend: string, tone: string, x: string, ...more: Node[]) => Node} */
    const part = (legend, tone, x, ...more) => {
      const mu = slider(`mu_${x}`, `${mean} $μ_${x}$`, { step: 0.25 });
      return group(legend, tone, mu, slider(`sigma_${x}`, `${deviation} $σ_${x}$`, { step: 0.25 }), ...more);
    };
    const features = slider("d_k", t("features $d_k$", "特征个数 $d_k$"), { stops: STOPS });
    const divided = select("scaling", t("divided by", "缩放"));
    const draw = button("draw", t("Draw again", "重新抽样"), ({ seed }) => ({ seed: (seed + 1) % 10000 }));
    const correlation = slider("rho", t("correlation $ρ$", "相关系数 $ρ$"), { step: 0.05 });

    const formula = box(
      "formula",
      line("step", "$Var(q·k) = d_k (σ_q^2σ_k^2(1 + ρ^2) + σ_q^2μ_k^2 + σ_k^2μ_q^2 + 2ρσ_qσ_kμ_qμ_k)$"),
      line("step", "= {d_k} × {variance-per-feature} = {unscaled-variance}"),
      line("step", "$Var(s̃)$ = {unscaled-variance} ÷ {divisor}² = {variance}"),
      line(
        "note",
        t(
          "Features are normal; $ρ$: correlation of $q_r$ with $k_r$ in each of its keys. Given the query, its keys are independent.",
          "特征服从正态分布；$ρ$ 是 $q_r$ 与该查询每个键的 $k_r$ 之间的相关系数；给定查询时，各键相互独立。",
        ),
      ),
    );
    const note = t(
      "Sample {seed}. The tallest bar holds {tallest} scores; share outside: {outside}.",
      "样本 {seed}。最高的一条含 {tallest} 个分数；图外所占比例：{outside}。",
    );
    const label = `${t("Histogram: mean {mean}, ", "直方图：均值 {mean}，")}${spread}`;
    const all = html(
      "div",
      {},
      line("heading", t("All scores: 100 queries, 8 keys each", "全部分数：100 个查询，各有 8 个键")),
      picture(label, [derived, measured]),
      line("note", note),
    );
    const row = table(
      t("One row: query 1 and its 8 keys", "其中一行：第 1 个查询与它的 8 个键"),
      [t.key, t("score $s̃_{1j}$", "分数 $s̃_{1j}$"), t("weight $α_{1j}$", "权重 $α_{1j}$")],
      counted(KEYS).map((j) => [j, number(entryName("scores", j)), bar(entryName("weights", j), 1, "weights")]),
    );
    /** @type {(label: string, name: string) => [string, Node, Node]} */
    const quantity = (label, name) => [label, number(name), number(`measured-${name}`)];
    const comparison = table(
      t("Derived and measured", "推导与实测"),
      ["", derived, measured],
      [
        quantity(mean, "mean"),
        quantity(t("variance", "方差"), "variance"),
        quantity(deviation, "sd"),
        quantity(t("within one row", "同一行内"), "row-sd"),
      ],
    );
    /** @type {(label: string, name: string, most: number) => [string, Node, Node]} */
    const pair = (label, name, most) => [label, bar(name, most, "weights"), bar(`mean-${name}`, most, "weights")];
    const saturation = table(
      t("Saturation", "饱和程度"),
      ["", t("this row", "这一行"), t("average", "平均")],
      [
        pair(t("entropy $H$", "熵 $H$"), "entropy", Math.log(KEYS)),
        pair(t("Jacobian $‖J‖$", "雅可比矩阵的大小 $‖J‖$"), "jacobian-norm", 0.5),
      ],
    );
    saturation.classList.add("attn-stacked");
    const definitions = line(
      "note",
      t(
        "$H = −∑_jα_{1j} ln α_{1j}$, at most $ln 8$ = 2.079. $‖J‖$: size of $J = ∂α/∂s̃ = diag(α) − α^⊤α$. Average: over 100 rows.",
        "$H = −∑_jα_{1j} ln α_{1j}$，最大为 $ln 8$ = 2.079；$‖J‖$ 是 $J = ∂α/∂s̃ = diag(α) − α^⊤α$ 的大小；平均是对 100 行而言。",
      ),
    );
    return {
      title: t("scaling the scores", "分数的缩放"),
      nodes: [
        box(
          "controls",
          group(t("Scores", "分数"), "signed", features, divided, box("actions", draw, reset)),
          part(t("Query features", "查询的特征"), "query", "q"),
          part(t("Key features", "键的特征"), "key", "k", correlation),
        ),
        formula,
        panels([all, comparison], [row, saturation, definitions]),
      ],
      summary:
        t("d_k {d_k}, divisor {divisor}: ", "d_k 为 {d_k}，除数为 {divisor}：") +
        spread +
        t(
          "; largest weight {top}; entropy {entropy}; Jacobian size {jacobian-norm}.",
          "；最大权重 {top}；熵 {entropy}；雅可比矩阵的大小 {jacobian-norm}。",
        ),
      values: ({ numbers: { weights } }) => ({ top: Math.max(...weights) }),
    };
  },
});
