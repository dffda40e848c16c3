// The sentence with its arcs: above the words a token looks back, below them it looks ahead. At the
// bottom each token has a lever for its x.

import { handle } from "../framework/hands.js";
import { eased, formatNumber, live, svg } from "../framework/ui.js";

/** @import { Controls } from "../framework/controls.js" */
/** @import { Choose } from "../framework/explorer.js" */
/** @typedef {import("../framework/ui.js").Now<typeof import("./numbers.js").causalNumbers>} CausalNow */

/** Places in the picture, from left to right and from top to bottom. */
export const SENTENCE_WIDE = 330;
export const ACROSS = [0, 1, 2, 3, 4].map((j) => 37 + 64 * j);
const WORD_ROW = { top: 100, high: 38 };
const OUTPUT_ROW = { top: 210, high: 38 };
const LEVEL = 332;
const PULL = 25;
const WORD_WIDE = 58;
const THICKEST = 12;
const SMALLEST = 0.005;
const MOVES = 1e-9;

/** @param {number} j counted from 0 */
export const zName = (j) => `z${"₁₂₃₄₅"[j]}`;

/** Whether output j has moved. @param {number} j @param {CausalNow} now */
export const hasMoved = (j, { numbers }) => numbers.moved[j] > MOVES;

/** Whether output j has moved for a later token. @param {number} j @param {CausalNow} now */
export const isLeak = (j, now) => j < now.state.token - 1 && hasMoved(j, now);

/** The way of an arc from query i to key j. @param {number} i @param {number} j */
function arcOf(i, j) {
  const [from, to] = [ACROSS[i] + (j > i ? 7 : -7), ACROSS[j] + (j > i ? -7 : 7)];
  const edge = j > i ? WORD_ROW.top + WORD_ROW.high : WORD_ROW.top;
  // a curve rises to three quarters of its handles
  const y = j > i ? edge + 10 + 17 * (j - i) : edge - 30 - 22 * (i - j);
  return `M${from} ${edge}C${from} ${y} ${to} ${y} ${to} ${edge}`;
}

/** A box around a place, with two lines of text in it. @param {number} j @param {{top: number, high: number}} row */
function boxAt(j, { top, high }) {
  const frame = svg("rect", { x: ACROSS[j] - WORD_WIDE / 2, y: top, width: WORD_WIDE, height: high, rx: 5 });
  const lines = [15, 31].map((y) => svg("text", { x: ACROSS[j], y: top + y, "text-anchor": "middle" }));
  return { frame, lines, nodes: [frame, ...lines] };
}

/**
 * @param {Choose} t
 * @param {Controls} controls
 */
export function sentencePicture(t, { words, hand }) {
  const node = svg("svg", { viewBox: `0 0 ${SENTENCE_WIDE} 408`, class: "attn-picture attn-sentence" });
  node.role = "group";
  const n = words.length;

  const arcs = words.flatMap((_, i) =>
    words.map((_, j) => ({ i, j, path: svg("path", { d: arcOf(i, j), class: "attn-arc attn-weights" }) })),
  );

  // the token that asks: taken along the sentence, or by a press on a word
  const asks = hand(
    t("the token that asks: left and right arrow keys", "发问的 Token：左右方向键"),
    (/** @type {CausalNow} */ { state }) => words[state.i - 1],
    ([j]) => ({ i: j + 1 }),
    ([right], _, /** @type {CausalNow} */ { state }) => ({ i: state.i + right }),
  );
  let asked = 0;
  const ring = svg("g", { class: "attn-weights attn-asks" });
  const halo = svg("circle", { class: "attn-halo", r: 27, cy: WORD_ROW.top + WORD_ROW.high / 2 });
  const edge = svg("rect", { y: WORD_ROW.top, width: WORD_WIDE, height: WORD_ROW.high, rx: 5 });
  ring.append(halo, edge);
  handle(
    ring,
    asks,
    () => [ACROSS[asked], WORD_ROW.top],
    ([x]) => [(x - ACROSS[0]) / 64],
  );
  const tokens = words.map((word, j) => {
    const { lines, nodes } = boxAt(j, WORD_ROW);
    lines[0].textContent = word;
    const group = svg("g", { class: "attn-token" }, ...nodes);
    group.addEventListener("click", () => asks.drag([j], undefined));
    return { group, weight: lines[1] };
  });

  const says = {
    leak: t("leak", "泄漏"),
    moves: t("moves", "移动"),
    stays: t("stays", "不变"),
  };
  const outputs = words.map((_, j) => {
    const { frame, lines, nodes } = boxAt(j, OUTPUT_ROW);
    return { frame, lines, group: svg("g", { class: "attn-output attn-out" }, ...nodes) };
  });

  const levers = words.map((word, j) => {
    const pull = hand(
      t(`${word}: its x, up and down arrow keys`, `${word}：它的 x，上下方向键`),
      (/** @type {CausalNow} */ now) => `x × ${formatNumber(now.drawn.factors[j], 2)}`,
      ([, factor]) => ({ token: j + 1, factor }),
      ([right, up], isFar, /** @type {CausalNow} */ now) => ({
        token: j + 1,
        factor: now.drawn.factors[j] + (right + up) * (isFar ? 0.5 : 0.1),
      }),
    );
    const x = ACROSS[j];
    const track = svg("path", {
      class: "attn-axis",
      d: `M${x} ${LEVEL - 2 * PULL}V${LEVEL + 2 * PULL}M${x - 9} ${LEVEL}h18`,
    });
    const bar = svg("rect", { class: "attn-lever", x: x - 4, width: 8 });
    const knob = svg("circle", { class: "attn-knob", cx: x, r: 7 });
    const reach = svg("circle", { class: "attn-halo", cx: x, r: 24 });
    const ways = svg("path", { class: "attn-ways", d: "M-5 -12L0 -18 5 -12zM-5 12L0 18 5 12z" });
    const grip = svg("g", { class: "attn-query" }, reach, knob, ways);
    let place = LEVEL;
    handle(
      grip,
      pull,
      () => [x, place],
      ([, y]) => [0, (LEVEL - y) / PULL],
    );
    const label = svg("text", { x, y: LEVEL + 2 * PULL + 24, "text-anchor": "middle" });
    const group = svg("g", { class: "attn-query" }, track, bar, label, grip);

    /** @param {CausalNow} now */
    function draw({ drawn }) {
      const factor = drawn.factors[j];
      place = LEVEL - PULL * factor;
      bar.setAttribute("y", String(Math.min(LEVEL, place)));
      bar.setAttribute("height", String(Math.abs(PULL * factor)));
      bar.classList.toggle("attn-minus", factor < 0);
      for (const part of [knob, reach]) part.setAttribute("cy", String(place));
      ways.setAttribute("transform", `translate(${x} ${place})`);
    }
    return { group, label, draw };
  });

  const captions = [
    [14, t("looks back", "看前文")],
    [WORD_ROW.top + WORD_ROW.high + 60, t("looks ahead", "看后文")],
  ];
  const notes = captions.map(([y, text]) => svg("text", { x: 2, y: Number(y), class: "attn-aside" }, String(text)));
  node.append(
    ...notes,
    ...arcs.map(({ path }) => path),
    ring,
    ...tokens.map(({ group }) => group),
    ...outputs.map(({ group }) => group),
    ...levers.map(({ group }) => group),
  );

  live(node, (/** @type {CausalNow} */ now) => {
    const { state, numbers } = now;
    asked = state.i - 1;
    const seen = numbers.A_after[asked].map((a, j) => `${words[j]} ${formatNumber(a, 2)}`).join(", ");
    const moved = words.map((_, j) => `${zName(j)} ${verdictOf(j, now)}`).join(", ");
    node.ariaLabel = t(
      `${words[asked]} sees ${seen}. Outputs: ${moved}`,
      `${words[asked]} 看到 ${seen}。输出：${moved}`,
    );
    for (const [j, { frame, lines, group }] of outputs.entries()) {
      lines[0].textContent = `${zName(j)}  ${formatNumber(numbers.moved[j], 2)}`;
      lines[1].textContent = `${isLeak(j, now) ? "✗ " : ""}${verdictOf(j, now)}`;
      group.classList.toggle("attn-leak", isLeak(j, now));
      group.classList.toggle("attn-moved", hasMoved(j, now));
      flash(frame, numbers.after[j].join(" "));
    }
    for (const [j, { label, group }] of levers.entries()) {
      const isTaken = j === state.token - 1;
      label.textContent = `x${"₁₂₃₄₅"[j]}${isTaken ? ` × ${formatNumber(state.factor, 2)}` : ""}`;
      group.classList.toggle("attn-idle", !isTaken);
    }
    for (const [j, { group }] of tokens.entries()) group.classList.toggle("attn-asked", j === asked);
    for (const { i, path } of arcs) path.classList.toggle("attn-faint", i !== asked);
  });

  /** @param {number} j @param {CausalNow} now */
  function verdictOf(j, now) {
    return says[isLeak(j, now) ? "leak" : hasMoved(j, now) ? "moves" : "stays"];
  }

  return eased(node, (/** @type {CausalNow} */ now) => {
    const { A_after } = now.numbers;
    halo.setAttribute("cx", String(ACROSS[asked]));
    edge.setAttribute("x", String(ACROSS[asked] - WORD_WIDE / 2));
    for (const { i, j, path } of arcs) {
      const weight = A_after[i][j];
      path.dataset.weight = String(weight);
      path.toggleAttribute("hidden", weight < SMALLEST);
      path.setAttribute("stroke-width", String(THICKEST * weight));
    }
    for (let j = 0; j < n; j++) tokens[j].weight.textContent = formatNumber(A_after[asked][j], 2);
    for (const { draw } of levers) draw(now);
  });
}

/** Light up a part whose numbers are new; it is style.css that says whether anything may move. */
/** @param {SVGElement} part @param {string} numbers */
function flash(part, numbers) {
  const { shown } = part.dataset;
  part.dataset.shown = numbers;
  if (shown === undefined || shown === numbers) return;
  const [next, last] = part.classList.contains("attn-flash")
    ? ["attn-flash-2", "attn-flash"]
    : ["attn-flash", "attn-flash-2"];
  part.classList.remove(last);
  part.classList.add(next);
}
