// The explorer of chapter 4: what d_k and the divisor do to scores and to a row of softmax.

import { controlBar, explorer, group } from "./explorer.js";
import { BINS, KEYS, compute, ranges } from "./scaling_numbers.js";
import { texts } from "./scaling_texts.js";
import { bar, box, digit, formatNumber, h, line, number, panels, svg, table } from "./ui.js";

const STOPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

const WIDTH = 304;
const LEFT = 8;
const BASE = 130;
const BAR = 9;

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
    const y = BASE + 36 + 28 * i;
    const label = svg("text", { x: WIDTH / 2, y: y + 16, "text-anchor": "middle" });
    return { name, y, label, line: svg("path", { class: `attn-bracket attn-${name}` }) };
  });
  const node = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${BASE + 84}`, class: "attn-picture", role: "img" },
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
    const place = (x) => LEFT + Math.min(1, Math.max(0, (x - low) / (high - low))) * BINS * BAR;
    const spans = [
      [numbers.mean, numbers.sd],
      [numbers["measured-mean"], numbers["measured-sd"]],
    ];
    spans.forEach(([centre, sd], i) => {
      const { name, y, label, line } = brackets[i];
      const [from, to] = [centre - sd, centre + sd];
      // a bracket that leaves the picture has no end there
      const start = from < low ? "" : "m0 -4v8m0 -4";
      const end = to > high ? "" : "m0 -4v8";
      line.setAttribute("d", `M${place(from)} ${y}${start}H${place(to)}${end}`);
      label.textContent = `${t[name]}: ± ${formatNumber(sd)}`;
    });
    const words = { mean: numbers.mean, sd: numbers.sd, measured: numbers["measured-sd"] };
    node.setAttribute("aria-label", t.picture(formatted(words)));
  }
  return { node, show };
}

function axisText(x) {
  const size = Number(Math.abs(x).toFixed(Math.abs(x) < 100 ? 2 : 0));
  return `${x < 0 && size > 0 ? "−" : ""}${size}`;
}

function formatted(words) {
  return Object.fromEntries(Object.entries(words).map(([name, x]) => [name, formatNumber(x)]));
}

/** The variance as a formula, then with its numbers. */
function formula(t) {
  return box(
    "formula",
    line("step", "$Var(q·k) = d_k (σ_q^2σ_k^2(1 + ρ^2) + σ_q^2μ_k^2 + σ_k^2μ_q^2 + 2ρσ_qσ_kμ_qμ_k)$"),
    line(
      "step",
      "= ",
      number("d_k", { decimals: 0, copy: true }),
      " × ",
      number("variance-per-feature"),
      " = ",
      number("unscaled-variance"),
    ),
    line(
      "step",
      "$Var(s̃)$ = ",
      number("unscaled-variance", { copy: true }),
      " ÷ ",
      number("divisor"),
      "² = ",
      number("variance", { copy: true }),
    ),
    line("note", t.assumption),
  );
}

function view(t, { slider, select, button, reset }) {
  const mu = (x) => slider(`mu_${x}`, t.mean(x), { step: 0.25, decimals: 2 });
  const sigma = (x) => slider(`sigma_${x}`, t.deviation(x), { step: 0.25, decimals: 2 });
  const draw = button("draw", t.draw, ({ seed }) => ({ seed: (seed + 1) % 10000 }));
  const { node, show } = picture(t);
  const keys = Array.from({ length: KEYS }, (_, j) => j + 1);
  const all = h("div", {}, line("heading", t.all), node, line("note", ...t.note(digit("tallest"), number("outside", { percent: true }))));
  const row = table(
    t.row,
    [t.key, t.score, t.weight],
    keys.map((j) => [String(j), number(`scores-${j}`), bar(`weights-${j}`, 1, "weights")]),
  );
  const comparison = table(
    t.quantity,
    ["", t.derived, t.measured],
    [
      [t.meanOf, number("mean"), number("measured-mean")],
      [t.varianceOf, number("variance"), number("measured-variance")],
      [t.deviationOf, number("sd"), number("measured-sd")],
      [t.rowDeviation, number("row-sd"), number("measured-row-sd")],
    ],
  );
  const full = Math.log(KEYS);
  const saturation = table(
    t.saturation,
    ["", t.thisRow, t.allRows],
    [
      [t.entropy, bar("entropy", full, "weights"), bar("mean-entropy", full, "weights")],
      [t.norm, bar("jacobian-norm", 0.5, "weights"), bar("mean-jacobian-norm", 0.5, "weights")],
    ],
  );
  saturation.classList.add("attn-stacked");
  const buttons = box("actions", draw.node, reset.node);
  const actions = { node: box("control", h("span", {}, t.sample), digit("seed"), buttons) };
  const nodes = [
    controlBar(
      group(t.scores, "scores", slider("d_k", t.features, { stops: STOPS }), select("scaling", t.divided, t.divisors), actions),
      group(t.queries, "query", mu("q"), sigma("q")),
      group(t.keys, "key", mu("k"), sigma("k"), slider("rho", t.correlation, { step: 0.05, decimals: 2 })),
    ),
    formula(t),
    panels([all, comparison], [row, saturation, line("note", t.definitions)]),
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
