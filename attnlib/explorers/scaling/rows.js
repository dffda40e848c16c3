// A row of weights as bars; what the same row would be under the other divisors, and how each weight
// reacts to its own score.

import { eased, formatNumber, svg } from "../framework/ui.js";

/** @import { Now } from "../framework/ui.js" */

const ROW = { wide: 250, left: 26, long: 142, value: 176, disc: 232 };
const BOTTOM = 20;

/** Shapes of the three divisors. @type {Record<string, string>} */
export const SHAPES = {
  none: "M0 -6V6",
  sqrt_d_k: "M0 -5.5L5.5 0 0 5.5 -5.5 0z",
  d_k: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
};

/** @param {number} share */
const barEnd = (share) => ROW.left + ROW.long * share;

/**
 * @typedef {object} Bars
 * @property {string} of the numbers that are drawn: a list
 * @property {string[]} labels
 * @property {string} tone of the labels
 * @property {number} pitch
 * @property {(now: any) => string} says the picture in words
 * @property {boolean} [isWhole] with marks and reactions
 */

/** @param {Bars} bars @param {string} [reacts] what stands above the discs */
export function barsPicture({ of, labels, tone, pitch, says, isWhole }, reacts = "") {
  const high = pitch * labels.length;
  const node = svg("svg", { viewBox: `0 0 ${ROW.wide} ${high + BOTTOM}`, class: "attn-bars", role: "img" });
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ anchor, words = "") =>
    svg("text", { x, y, "text-anchor": anchor }, words);
  for (const [share, words] of /** @type {[number, string][]} */ ([
    [0, "0"],
    [0.5, "0.5"],
    [1, "1"],
  ])) {
    const x = barEnd(share);
    node.append(svg("path", { class: "attn-grid", d: `M${x} 0V${high}` }), text(x, high + 15, "middle", words));
  }
  const even = barEnd(1 / labels.length);
  node.append(svg("path", { class: "attn-axis attn-dashed", d: `M${even} 0V${high}` }));
  if (reacts) node.append(text(ROW.wide, high + 15, "end", reacts));

  const rows = labels.map((label, k) => {
    const y = pitch * (k + 0.5);
    const bar = svg("rect", { class: "attn-bars-share", x: ROW.left, y: y - 0.34 * pitch, height: 0.68 * pitch });
    const value = text(ROW.value, y + 4.5, "start");
    const disc = svg("circle", { class: "attn-bars-disc", cx: ROW.disc, cy: y });
    const marks = Object.entries(SHAPES).map(([name, d]) => ({
      name,
      mark: svg("path", { class: "attn-bars-mark", d }),
      y,
    }));
    const named = svg("text", { x: ROW.left - 6, y: y + 4.5, "text-anchor": "end", class: `attn-${tone}` }, label);
    node.append(named, bar, value);
    if (isWhole) node.append(disc, ...marks.map(({ mark }) => mark));
    return { bar, value, disc, marks };
  });

  return eased(node, (/** @type {Now<typeof import("./numbers.js").compute>} */ now) => {
    const numbers = /** @type {Record<string, number[]>} */ (/** @type {unknown} */ (now.numbers));
    for (const [k, { bar, value, disc, marks }] of rows.entries()) {
      const share = numbers[of][k];
      bar.setAttribute("width", String(ROW.long * share));
      value.textContent = formatNumber(share, 3);
      if (!isWhole) continue;
      // the area of a disc is its reaction, at most 1/4
      disc.setAttribute("r", String(Math.max(0.8, 0.5 * pitch * 2 * Math.sqrt(numbers.reactions[k]) * 0.9)));
      for (const { name, mark, y } of marks) {
        mark.toggleAttribute("hidden", name === now.state.scaling);
        mark.setAttribute("transform", `translate(${barEnd(numbers[`weights-${name}`][k])} ${y})`);
      }
    }
    node.ariaLabel = says(now);
  });
}
