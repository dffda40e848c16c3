// The explorer of chapter 4: what d_k and the divisor do to scores and to a row of softmax.

import { entropy, fillNormals, histogram, mean, norm, softmax, softmaxJacobian, toGrid, variance } from "./core.js";
import { bar, explorer, formatNumber, group, h, number, rich, svg, table } from "./ui.js";

const ROWS = 100;
const KEYS = 8;
const BINS = 32;
const MOST_FEATURES = 512;
const STOPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

const ranges = {
  d_k: [1, MOST_FEATURES],
  scaling: ["none", "sqrt_d_k", "d_k"],
  mu_q: [-2, 2],
  mu_k: [-2, 2],
  sigma_q: [0.25, 2],
  sigma_k: [0.25, 2],
  rho: [-1, 1],
  seed: [0, 9999],
};

const texts = {
  en: {
    title: "Explorer: scaling the scores",
    scores: "Scores",
    queries: "Components of a query",
    keys: "Components of a key",
    features: "features $d_k$",
    divided: "divided by",
    divisors: ["nothing", "√d_k", "d_k"],
    correlation: "correlation $ρ$ of $q_r$ and $k_r$",
    mean: (x) => `mean $μ_${x}$`,
    deviation: (x) => `standard deviation $σ_${x}$`,
    sample: "sample",
    draw: "Draw again",
    reset: "Reset",
    all: "800 scaled scores: 100 queries, 8 keys each",
    note: (tallest, outside) => ["The tallest bar holds ", tallest, "; outside the picture: ", outside, "."],
    derived: "derived",
    measured: "measured",
    quantity: "scaled score $s̃$",
    meanOf: "mean",
    varianceOf: "variance",
    deviationOf: "standard deviation",
    rowDeviation: "the same within a row",
    row: "One row: query 1 and its 8 keys",
    key: "key $j$",
    score: "score $s̃_{1j}$",
    weight: "weight $α_{1j}$",
    saturation: "Saturation",
    thisRow: "this row",
    allRows: "mean of 100 rows",
    entropy: "entropy (at most $ln 8$ = 2.079)",
    norm: "norm of the Jacobian $‖diag(p) − p^Tp‖$",
    picture: (v) =>
      `Histogram of 800 scaled scores: mean ${v.mean}, standard deviation ${v.sd} derived, ${v.measured} measured.`,
    summary: (v) =>
      `d_k ${v.d_k}, divisor ${v.divisor}: standard deviation ${v.sd} derived, ${v.measured} measured; ` +
      `largest weight ${v.top}; entropy ${v.entropy}; Jacobian norm ${v.norm}.`,
  },
  zh: {
    title: "交互演示：分数的缩放",
    scores: "分数",
    queries: "查询的各个分量",
    keys: "键的各个分量",
    features: "特征维度 $d_k$",
    divided: "除以",
    divisors: ["不除", "√d_k", "d_k"],
    correlation: "$q_r$ 与 $k_r$ 的相关系数 $ρ$",
    mean: (x) => `均值 $μ_${x}$`,
    deviation: (x) => `标准差 $σ_${x}$`,
    sample: "样本",
    draw: "重新抽样",
    reset: "恢复初值",
    all: "800 个缩放后的分数：100 个查询，各有 8 个键",
    note: (tallest, outside) => ["最高的一条含 ", tallest, " 个分数；图外占 ", outside, "。"],
    derived: "推导",
    measured: "实测",
    quantity: "缩放后的分数 $s̃$",
    meanOf: "均值",
    varianceOf: "方差",
    deviationOf: "标准差",
    rowDeviation: "同一行内的标准差",
    row: "其中一行：第 1 个查询与它的 8 个键",
    key: "键 $j$",
    score: "分数 $s̃_{1j}$",
    weight: "权重 $α_{1j}$",
    saturation: "饱和程度",
    thisRow: "这一行",
    allRows: "100 行平均",
    entropy: "熵（最大 $ln 8$ = 2.079）",
    norm: "雅可比矩阵的范数 $‖diag(p) − p^Tp‖$",
    picture: (v) => `800 个缩放后分数的直方图：均值 ${v.mean}，标准差推导值 ${v.sd}，实测值 ${v.measured}。`,
    summary: (v) =>
      `d_k 为 ${v.d_k}，除数为 ${v.divisor}：标准差推导值 ${v.sd}，实测值 ${v.measured}；` +
      `最大权重 ${v.top}；熵 ${v.entropy}；雅可比矩阵的范数 ${v.norm}。`,
  },
};

const PER_FEATURE = ROWS * (1 + KEYS);
const drawn = new Map();

/** The sample's normal numbers for at least so many features; what is drawn is kept. */
function normals(seed, features) {
  if (!drawn.has(seed)) {
    if (drawn.size >= 4) drawn.delete(drawn.keys().next().value);
    drawn.set(seed, { z: new Float64Array(MOST_FEATURES * PER_FEATURE), features: 0 });
  }
  const kept = drawn.get(seed);
  if (kept.features < features) {
    fillNormals(kept.z, seed, kept.features * PER_FEATURE, features * PER_FEATURE);
    kept.features = features;
  }
  return kept.z;
}

/** Dot products q·k: for each of 100 queries those with its 8 keys. */
function dotProducts({ d_k, mu_q, mu_k, sigma_q, sigma_k, rho, seed }) {
  const z = normals(seed, d_k);
  const rest = Math.sqrt(1 - rho * rho);
  const products = new Float64Array(ROWS * KEYS);
  let next = 0;
  for (let r = 0; r < d_k; r++) {
    for (let first = 0; first < ROWS * KEYS; first += KEYS) {
      const z_q = z[next++];
      const q = toGrid(mu_q + sigma_q * z_q);
      for (let j = 0; j < KEYS; j++) {
        const k = toGrid(mu_k + sigma_k * (rho * z_q + rest * z[next++]));
        products[first + j] += q * k;
      }
    }
  }
  return products;
}

/** What follows from the assumptions alone, with no sample drawn. */
function derive({ d_k, scaling, mu_q, mu_k, sigma_q, sigma_k, rho }) {
  const divisor = { none: 1, sqrt_d_k: Math.sqrt(d_k), d_k }[scaling];
  const scale = 1 / divisor;
  const s_q = sigma_q * sigma_q;
  const s_k = sigma_k * sigma_k;
  const m_q = mu_q * mu_q;
  const m_k = mu_k * mu_k;
  const cross = rho * sigma_q * sigma_k * mu_q * mu_k;
  const perFeature = s_q * s_k * (1 + rho * rho) + s_q * m_k + s_k * m_q + 2 * cross;
  const unscaled = d_k * perFeature;
  const scaled = scale * scale * unscaled;
  return {
    divisor,
    scale,
    mean: scale * (d_k * (mu_q * mu_k + rho * sigma_q * sigma_k)),
    "variance-per-feature": perFeature,
    "unscaled-variance": unscaled,
    variance: scaled,
    sd: Math.sqrt(scaled),
    "row-sd": scale * Math.sqrt(s_k * (1 - rho * rho) * (d_k * (s_q + m_q))),
  };
}

/** Half the width of the histogram: fixed while only d_k changes, so that growth is seen. */
function reachOf(scaling, perFeature) {
  let reach = scaling === "none" ? 64 : 4;
  for (let fits = 2.25; perFeature > fits; fits *= 4) reach *= 2;
  return reach;
}

function compute(state) {
  const derived = derive(state);
  const scores = dotProducts(state).map((product) => product * derived.scale);
  const rows = Array.from({ length: ROWS }, (_, i) => scores.subarray(i * KEYS, (i + 1) * KEYS));
  const weights = rows.map(softmax);
  const entropies = weights.map(entropy);
  const norms = weights.map((p) => norm(softmaxJacobian(p)));
  const reach = reachOf(state.scaling, derived["variance-per-feature"]);
  const low = derived.mean - reach;
  const counts = histogram(scores, low, (2 * reach) / BINS, BINS);
  const inside = counts.reduce((total, count) => total + count, 0);
  const numbers = {
    ...derived,
    "measured-mean": mean(scores),
    "measured-variance": variance(scores),
    "measured-sd": Math.sqrt(variance(scores)),
    "measured-row-sd": Math.sqrt(mean(rows.map(variance))),
    tallest: Math.max(...counts),
    outside: 1 - inside / scores.length,
    entropy: entropies[0],
    "mean-entropy": mean(entropies),
    "jacobian-norm": norms[0],
    "mean-jacobian-norm": mean(norms),
  };
  for (let j = 0; j < KEYS; j++) {
    numbers[`scores-${j + 1}`] = rows[0][j];
    numbers[`weights-${j + 1}`] = weights[0][j];
  }
  return { numbers, counts, low, high: derived.mean + reach };
}

const WIDTH = 340;
const LEFT = 10;
const BASE = 112;
const BAR = 10;

/** The histogram, its axis, and two brackets: one standard deviation to either side. */
function picture(t) {
  const rects = Array.from({ length: BINS }, (_, i) =>
    svg("rect", { class: "attn-count", x: LEFT + i * BAR + 0.5, width: BAR - 1 }),
  );
  const ticks = [0, 8, 16, 24, 32].map((i) => {
    const x = LEFT + i * BAR;
    const anchor = { 0: "start", 32: "end" }[i] ?? "middle";
    const value = svg("text", { x: i === 0 ? 0 : i === 32 ? WIDTH : x, y: BASE + 18, "text-anchor": anchor });
    return { i, value, line: svg("path", { class: "attn-axis", d: `M${x} ${BASE}v5` }) };
  });
  const brackets = ["derived", "measured"].map((name, i) => {
    const y = BASE + 36 + 26 * i;
    const label = svg("text", { x: WIDTH / 2, y: y + 14, "text-anchor": "middle" });
    return { name, y, label, line: svg("path", { class: `attn-bracket attn-${name}` }) };
  });
  const node = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${BASE + 78}`, class: "attn-picture", role: "img" },
    ...rects,
    svg("path", { class: "attn-axis", d: `M${LEFT} ${BASE}h${BINS * BAR}` }),
    ...ticks.flatMap(({ line, value }) => [line, value]),
    ...brackets.flatMap(({ line, label }) => [line, label]),
  );

  function show({ numbers, counts, low, high }) {
    const top = Math.max(1, numbers.tallest);
    rects.forEach((rect, i) => {
      const height = (counts[i] / top) * (BASE - 8);
      rect.setAttribute("y", BASE - height);
      rect.setAttribute("height", height);
    });
    for (const { i, value } of ticks) value.textContent = axisText(low + (i / BINS) * (high - low));
    const place = (x) => LEFT + (Math.min(1, Math.max(0, (x - low) / (high - low)))) * BINS * BAR;
    const spans = [
      [numbers.mean, numbers.sd],
      [numbers["measured-mean"], numbers["measured-sd"]],
    ];
    spans.forEach(([centre, sd], i) => {
      const { name, y, label, line } = brackets[i];
      const [from, to] = [centre - sd, centre + sd];
      // a bracket that leaves the picture has no end there
      const start = from < low ? "" : "m0 -5v10m0 -5";
      const end = to > high ? "" : "m0 -5v10";
      line.setAttribute("d", `M${place(from)} ${y}${start}H${place(to)}${end}`);
      label.textContent = `${t[name]}: ± ${formatNumber(sd)}`;
    });
    const words = { mean: numbers.mean, sd: numbers.sd, measured: numbers["measured-sd"] };
    node.setAttribute("aria-label", t.picture(formatted(words)));
  }
  return { node, show };
}

function axisText(x) {
  return formatNumber(x, Math.abs(x) < 100 ? 2 : 0).replace(/\.?0+$/, "");
}

function formatted(words) {
  return Object.fromEntries(Object.entries(words).map(([name, x]) => [name, formatNumber(x)]));
}

/** The variance as a formula, then with its numbers. */
function formula() {
  const line = (...pieces) => h("div", {}, ...pieces.flat());
  return h(
    "div",
    { class: "attn-formula" },
    line(rich("$Var(q·k)$ = $d_k$ ($σ_q^2$$σ_k^2$(1 + $ρ^2$) + $σ_q^2$$μ_k^2$ + $σ_k^2$$μ_q^2$ + 2$ρσ_qσ_kμ_qμ_k$)")),
    line(
      "= ",
      number("d_k", { decimals: 0, copy: true }),
      " × ",
      number("variance-per-feature"),
      " = ",
      number("unscaled-variance"),
    ),
    line(
      rich("$Var(s̃)$ = "),
      number("unscaled-variance", { copy: true }),
      " ÷ ",
      number("divisor"),
      rich("² = "),
      number("variance", { copy: true }),
    ),
  );
}

function view(t, { slider, select, button, reset }) {
  const mu = (x) => slider(`mu_${x}`, t.mean(x), { step: 0.25, decimals: 2 });
  const sigma = (x) => slider(`sigma_${x}`, t.deviation(x), { step: 0.25, decimals: 2 });
  const draw = button("draw", t.draw, ({ seed }) => ({ seed: (seed + 1) % 10000 }));
  const { node, show } = picture(t);
  const keys = Array.from({ length: KEYS }, (_, j) => j + 1);
  const nodes = [
    h(
      "div",
      { class: "attn-controls" },
      group(
        t.scores,
        "scores",
        slider("d_k", t.features, { stops: STOPS }),
        select("scaling", t.divided, t.divisors),
        slider("rho", t.correlation, { step: 0.05, decimals: 2 }),
      ),
      group(t.queries, "query", mu("q"), sigma("q")),
      group(t.keys, "key", mu("k"), sigma("k")),
      h(
        "div",
        { class: "attn-actions" },
        h("span", {}, `${t.sample} `, number("seed", { decimals: 0 })),
        draw.node,
        reset.node,
      ),
    ),
    formula(),
    h(
      "div",
      { class: "attn-panels" },
      h(
        "figure",
        {},
        h("figcaption", {}, t.all),
        node,
        h(
          "p",
          { class: "attn-note" },
          ...t.note(number("tallest", { decimals: 0 }), number("outside", { percent: true })),
        ),
      ),
      table(
        t.row,
        [t.key, t.score, t.weight],
        keys.map((j) => [String(j), number(`scores-${j}`), bar(`weights-${j}`, 1, "weights")]),
      ),
      table(
        t.quantity,
        ["", t.derived, t.measured],
        [
          [t.meanOf, number("mean"), number("measured-mean")],
          [t.varianceOf, number("variance"), number("measured-variance")],
          [t.deviationOf, number("sd"), number("measured-sd")],
          [t.rowDeviation, number("row-sd"), number("measured-row-sd")],
        ],
      ),
      table(
        t.saturation,
        ["", t.thisRow, t.allRows],
        [
          [t.entropy, bar("entropy", Math.log(KEYS), "weights"), bar("mean-entropy", Math.log(KEYS), "weights")],
          [t.norm, bar("jacobian-norm", 0.5, "weights"), bar("mean-jacobian-norm", 0.5, "weights")],
        ],
      ),
    ),
  ];
  const summary = (v) =>
    t.summary({
      ...formatted({
        divisor: v.divisor,
        sd: v.sd,
        measured: v["measured-sd"],
        top: Math.max(...keys.map((j) => v[`weights-${j}`])),
        entropy: v.entropy,
        norm: v["jacobian-norm"],
      }),
      d_k: v.d_k,
    });
  return { nodes, show, summary };
}

export default explorer({ ranges, texts, compute, view });
