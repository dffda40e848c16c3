// A row of scores as bars that can be taken by their ends, and below them the weights that answer. The
// darker a weight and the larger its disc, the more it reacts to its own score.

import { handle } from "../framework/hands.js";
import { eased, formatNumber, svg } from "../framework/ui.js";

/** @import { Hand } from "../framework/hands.js" */
/** @import { Now } from "../framework/ui.js" */

const LEFT = 30;
const STEP = 62;
const BAR = 30;
const WIDE = LEFT + 5 * STEP;
// the scores, from −5 to 5 around a line
const ZERO = 124;
const UNIT = 17;
const WORDS = ZERO + 5 * UNIT + 42;
// the weights, from 0 to 1
const LONG = 104;
const FOOT = WORDS + 38 + LONG;
const DISCS = FOOT + 44;
const MOST = 0.25; // at temperature 1; a colder row reacts more

/** The middle of a column. @param {number} j */
const columnOf = (j) => LEFT + STEP * (j + 0.5);

/**
 * @param {object} says
 * @param {string} says.label
 * @param {string[]} says.words
 * @param {(j: number) => Hand} says.handOf
 * @param {(j: number) => void} says.take a handle has been taken, or has the focus
 * @param {string[]} says.titles of scores, weights and discs
 */
export function softmaxPicture({ label, words, handOf, take, titles }) {
  const node = svg("svg", { viewBox: `0 0 ${WIDE} ${DISCS + 36}`, class: "attn-softmax", role: "group" });
  node.ariaLabel = label;
  /** @type {(part: Element, attributes: Record<string, number | string>) => void} */
  const set = (part, attributes) => {
    for (const [name, x] of Object.entries(attributes)) part.setAttribute(name, String(x));
  };
  /** @type {(x: number, y: number, anchor: string, words?: string) => SVGTextElement} */
  const text = (x, y, anchor, words = "") => svg("text", { x, y, "text-anchor": anchor }, words);
  const across = WIDE - LEFT;
  /** @type {[y: number, words: string, isAxis: boolean][]} */
  const levels = [
    [ZERO - 5 * UNIT, "5", false],
    [ZERO, "0", true],
    [ZERO + 5 * UNIT, "−5", false],
    [FOOT - LONG, "1", false],
    [FOOT - LONG / 2, "0.5", false],
    [FOOT, "0", true],
  ];
  for (const [y, level, isAxis] of levels) {
    node.append(
      svg("path", { class: isAxis ? "attn-axis" : "attn-grid", d: `M${LEFT} ${y}h${across}` }),
      text(LEFT - 5, y + 4.5, "end", level),
    );
  }
  for (const [k, y] of [12, FOOT - LONG - 12, FOOT + 20].entries()) {
    const title = text(0, y, "start", titles[k]);
    title.classList.add("attn-pull-title");
    node.append(title);
  }

  const columns = words.map((word, j) => {
    const middle = columnOf(j);
    const left = middle - BAR / 2;
    const score = svg("rect", { class: "attn-pull-score", x: left, width: BAR });
    const stripes = svg("path", { class: "attn-pull-stripes" });
    const knob = svg("g", { class: "attn-pull-knob" });
    const halo = svg("rect", { class: "attn-halo", x: middle - 26, width: 52, height: 52, rx: 26 });
    const tip = svg("rect", { class: "attn-pull-tip", x: middle - 20, width: 40, height: 13, rx: 6.5 });
    const ridges = svg("path", { class: "attn-pull-ridges" });
    knob.append(halo, tip, ridges);
    const said = text(middle, 0, "middle");
    const name = text(middle, WORDS, "middle", word);
    name.classList.add("attn-pull-word");
    const weight = svg("rect", { class: "attn-pull-weight", x: left, width: BAR });
    const before = svg("path", { class: "attn-pull-before" });
    const share = text(middle, 0, "middle");
    const disc = svg("circle", { class: "attn-pull-reaction", cx: middle, cy: DISCS });
    const slope = text(middle, DISCS + 30, "middle");
    let y = ZERO;
    handle(
      knob,
      handOf(j),
      () => [middle, y],
      ([, place]) => [0, (ZERO - place) / UNIT],
    );
    knob.addEventListener("focusin", () => take(j));
    node.append(score, stripes, weight, before, share, disc, slope, name, knob, said);

    /** @param {number} s @param {number} alpha @param {number} reaction @param {number | undefined} was */
    function draw(s, alpha, reaction, was) {
      y = ZERO - UNIT * s;
      const [top, bottom] = [Math.min(y, ZERO), Math.max(y, ZERO)];
      set(score, { y: top, height: bottom - top });
      score.classList.toggle("attn-pull-below", s < 0);
      // stripes for what is below 0
      let d = "";
      for (let at = top + 4; s < 0 && at < bottom; at += 6) d += `M${left} ${at}h${BAR}`;
      set(stripes, { d });
      set(halo, { y: y - 26 });
      set(tip, { y: y - 6.5 });
      set(ridges, { d: `M${middle - 9} ${y - 2}h18m-18 4h18` });
      set(said, { y: s < 0 ? y + 22 : y - 12 });
      said.textContent = formatNumber(s, 2);
      const high = LONG * alpha;
      set(weight, { y: FOOT - high, height: high, "fill-opacity": 0.15 + 0.85 * Math.min(1, reaction / MOST) });
      set(before, { d: was === undefined ? "" : `M${left - 6} ${FOOT - LONG * was}h${BAR + 12}` });
      set(share, { y: FOOT - high - 5 });
      share.textContent = formatNumber(alpha, 3);
      // the area of a disc is its reaction
      set(disc, { r: Math.max(0.8, Math.min(17, 12 * Math.sqrt(reaction / MOST))) });
      slope.textContent = formatNumber(reaction, 3);
    }
    return draw;
  });

  /** @type {number[] | undefined} */
  let last;
  /** The weights before the hand took hold. @type {number[] | undefined} */
  let start;
  return eased(node, (/** @type {Now<typeof import("./numbers.js").compute>} */ { numbers, drawn }) => {
    start = node.querySelector(".attn-held") ? (start ?? last) : undefined;
    const { weight, J } = numbers;
    for (const [j, draw] of columns.entries()) draw(drawn.scores[j], weight[j], J[j][j], start?.[j]);
    last = weight;
  });
}
