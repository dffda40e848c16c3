// The explorer of chapter 4: what d_k and the divisor do to scores and to a row of softmax.

import { group } from "../framework/controls.js";
import { entryName } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, table } from "../framework/tables.js";
import { box, counted, html, line, live, number, panels, rich, spoken, svg } from "../framework/ui.js";
import { fanPicture, keyName } from "./fan.js";
import { histogramPicture } from "./histogram.js";
import { compute, STUCK } from "./numbers.js";
import { barsPicture, SHAPES } from "./rows.js";
import { KEYS } from "./sample.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

const STOPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
const FAR = 16;

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, button, slider, hand, reset }) {
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
    const many = slider("d_k", t("features $d_k$", "特征个数 $d_k$"), { stops: STOPS });
    const divided = select("scaling", t("divided by", "缩放"));
    const draw = button("draw", t("Draw again", "重新抽样"), ({ seed }) => ({ seed: (seed + 1) % 10000 }));
    const correlation = slider("rho", t("correlation $ρ$", "相关系数 $ρ$"), { step: 0.05 });

    const formula = box(
      "formula",
      line("step", "$Var(q·k)$ = {d_k} × {variance-per-feature} = {unscaled-variance}"),
      line("step", "$Var(s̃)$ = {unscaled-variance} ÷ {divisor}² = {variance}"),
    );

    const grip = hand(
      t("features d_k; arrow keys, with Shift by 16", "特征个数 d_k；方向键移动，按住 Shift 每次 16"),
      (/** @type {Now} */ { state: { d_k } }) => String(d_k),
      ([r]) => ({ d_k: r }),
      ([across, up], isFar, /** @type {Now} */ { state: { d_k } }) => ({
        d_k: d_k + (across + up) * (isFar ? FAR : 1),
      }),
      "d_k",
    );
    const fan = fanPicture(grip, t("A hundred scores, product by product", "一百个分数，逐项累加"));
    const growth = line(
      "note",
      t(
        "Drag the handle: there the sums $q_1k_1 + q_2k_2 + …$ stop. Thin: every query with its first key. With dots: query 1 with its 8 keys. Dashed: one deviation $√r σ$ around $r$ × {mean-per-feature}, where $σ^2$ = {variance-per-feature}.",
        "拖动手柄，决定 $q_1k_1 + q_2k_2 + …$ 加到第几项为止。细线：每个查询与它的第一个键；带圆点：第 1 个查询与它的 8 个键。虚线：$r$ × {mean-per-feature} 两侧各一个标准差 $√r σ$，其中 $σ^2$ = {variance-per-feature}。",
      ),
    );
    const widths = line(
      "note",
      t(
        "After {d_k} products the deviation is {unscaled-sd}; measured on all 800 scores: {measured-unscaled-sd}.",
        "累加 {d_k} 项之后，标准差为 {unscaled-sd}；在全部 800 个分数上实测为 {measured-unscaled-sd}。",
      ),
    );
    const ways = Object.entries(SHAPES).map(([scaling, d]) => {
      const choice = button(entryName("by", scaling), "", () => ({ scaling }));
      const press = /** @type {HTMLButtonElement} */ (choice.firstElementChild);
      const words = { none: "1", sqrt_d_k: "$√d_k$", d_k: "$d_k$" }[scaling] ?? "";
      press.append(
        svg("svg", { viewBox: "-8 -8 16 16", class: "attn-bars-shape" }, svg("path", { class: "attn-bars-mark", d })),
        ...rich(`÷ ${words}`),
      );
      return live(press, (/** @type {Now} */ { state }) => {
        press.ariaPressed = String(state.scaling === scaling);
      });
    });
    const keys = counted(KEYS).map((_, j) => keyName(j));
    const row = barsPicture(
      {
        of: "weights",
        labels: keys,
        tone: "key",
        pitch: 20,
        isWhole: true,
        says: ({ numbers: { weights } }) =>
          t("Weights of query 1: ", "第 1 个查询的权重：") +
          keys.map((key, j) => `${key} ${spoken(weights[j])}`).join(", "),
      },
      t("reacts", "响应"),
    );
    const typical = barsPicture({
      of: "typical",
      labels: counted(KEYS),
      tone: "muted",
      pitch: 15,
      says: ({ numbers }) => t("Medians by rank: ", "按名次的中位数：") + numbers.typical.map(spoken).join(", "),
    });
    const heading = (/** @type {string} */ words) => line("heading", words);
    const sums = html(
      "div",
      {},
      heading(t("Scores, one product at a time", "分数，一项一项地累加")),
      fan,
      growth,
      widths,
    );
    const freezing = html(
      "div",
      {},
      heading(t("Query 1: weights of its 8 keys", "第 1 个查询：8 个键的权重")),
      html("div", { class: "attn-divisors", role: "group", "aria-label": t("divided by", "除数") }, ...ways),
      row,
      line(
        "note",
        t(
          `Outlines: the other two divisors. Discs: how a weight reacts to its own score, $α(1 − α)$; {stuck} of 8 are stuck, below ${STUCK}.`,
          `空心图形：另外两种除数。圆点：权重对自己分数的响应 $α(1 − α)$；8 个中有 {stuck} 个小于 ${STUCK}，已卡住。`,
        ),
      ),
      heading(t("A typical row", "典型的一行")),
      typical,
      line(
        "note",
        t(
          "Medians over the 100 rows: of the largest weight of a row, of the second largest, …",
          "100 行的中位数：每行最大的权重、第二大的权重……各取中位数。",
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
      heading(t("All scaled scores: 100 queries, 8 keys each", "全部缩放后的分数：100 个查询，各有 8 个键")),
      histogramPicture(label, [derived, measured]),
      line("note", note),
    );
    const parts = ["sums", "scores", "weights", "reactions"];
    const numbersOfRow = table(
      t("One row: query 1 and its 8 keys", "其中一行：第 1 个查询与它的 8 个键"),
      [
        t.key,
        t("sum $S_{1j}$", "和 $S_{1j}$"),
        t("score $s̃_{1j}$", "分数 $s̃_{1j}$"),
        t("weight $α_{1j}$", "权重 $α_{1j}$"),
        t("reaction", "响应"),
      ],
      counted(KEYS).map((j) => [j, ...parts.map((name) => number(entryName(name, j)))]),
    );
    const others = [...Object.keys(SHAPES).map((scaling) => entryName("weights", scaling)), "typical"];
    const compared = table(
      t("The row under each divisor, and medians by rank", "各种除数之下的这一行，以及按名次的中位数"),
      ["$j$", "÷ 1", "÷ $√d_k$", "÷ $d_k$", t("median", "中位数")],
      counted(KEYS).map((j) => [j, ...others.map((name) => number(entryName(name, j)))]),
    );
    for (const each of [numbersOfRow, compared]) each.classList.add("attn-terms");
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
    const assumed = line(
      "note",
      t(
        "$Var(q·k) = d_k (σ_q^2σ_k^2(1 + ρ^2) + σ_q^2μ_k^2 + σ_k^2μ_q^2 + 2ρσ_qσ_kμ_qμ_k)$. Features are normal; $ρ$: correlation of $q_r$ with $k_r$ in each of its keys. Given the query, its keys are independent.",
        "$Var(q·k) = d_k (σ_q^2σ_k^2(1 + ρ^2) + σ_q^2μ_k^2 + σ_k^2μ_q^2 + 2ρσ_qσ_kμ_qμ_k)$。特征服从正态分布；$ρ$ 是 $q_r$ 与该查询每个键的 $k_r$ 之间的相关系数；给定查询时，各键相互独立。",
      ),
    );
    const features = [
      part(t("Query features", "查询的特征"), "query", "q"),
      part(t("Key features", "键的特征"), "key", "k", correlation),
    ];
    return {
      title: t("scaling the scores", "分数的缩放"),
      nodes: [
        box(
          "controls attn-scaling-controls",
          group(t("Scores", "分数"), "signed", many, divided),
          box("actions", draw, reset),
        ),
        formula,
        box("panels attn-scores-first", sums, freezing),
        box("controls attn-scaling-assumed", ...features),
        panels([all, comparison, assumed], [numbersOfRow, saturation, definitions, compared]),
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
