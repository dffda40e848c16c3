// All scores as a histogram, with its axis and two brackets: one standard deviation to either side.

import { eased, fill, formatNumber, svg } from "../framework/ui.js";
import { BINS } from "./numbers.js";

/** @import { Now } from "../framework/ui.js" */

const WIDE = 304;
const EDGE = 24;
const BASE = 130;
const BAR = 8;

/** A number of the axis: as short as two decimals allow. @param {number} x */
const axisText = (x) => String(Number(x.toFixed(2))).replace("-", "−");

/**
 * @param {string} label
 * @param {string[]} names
 */
export function histogramPicture(label, names) {
  const node = svg("svg", { viewBox: `0 0 ${WIDE} ${BASE + 84}`, class: "attn-picture", role: "img" });
  const text = (/** @type {number} */ x, /** @type {number} */ y) => svg("text", { x, y, "text-anchor": "middle" });
  const bars = Array.from({ length: BINS }, (_, i) =>
    svg("rect", { class: "attn-count", x: EDGE + i * BAR + 0.5, width: BAR - 1 }),
  );
  const axis = [0, 1, 2, 3, 4].map((i) => EDGE + (i / 4) * BINS * BAR);
  const ticks = axis.map((x) => text(x, BASE + 18));
  const marks = axis.map((x) => `M${x} ${BASE}v5`).join("");
  const brackets = names.map((_, i) => svg("path", { class: `attn-bracket ${i ? "attn-measured" : ""}` }));
  const said = names.map((_, i) => text(WIDE / 2, BASE + 52 + 28 * i));
  const line = svg("path", { class: "attn-axis", d: `M${EDGE} ${BASE}h${BINS * BAR}${marks}` });
  node.append(...bars, line, ...ticks, ...brackets, ...said);

  return eased(
    node,
    (/** @type {Now<typeof import("./numbers.js").compute>} */ { numbers, drawn, low, high, named }) => {
      const x = (/** @type {number} */ score) =>
        EDGE + Math.min(1, Math.max(0, (score - low) / (high - low))) * BINS * BAR;
      for (const [i, bar] of bars.entries()) {
        const height = (drawn.counts[i] / Math.max(1, numbers.tallest)) * (BASE - 8);
        bar.setAttribute("y", String(BASE - height));
        bar.setAttribute("height", String(height));
      }
      for (const [i, tick] of ticks.entries()) tick.textContent = axisText(low + (i / 4) * (high - low));
      const spreads = [
        [numbers.mean, numbers.sd],
        [numbers["measured-mean"], numbers["measured-sd"]],
      ];
      for (const [i, [mean, sd]] of spreads.entries()) {
        const [from, to] = [mean - sd, mean + sd];
        // a bracket that leaves the picture has no end there
        const ends = [from < low ? "" : "m0 -4v8m0 -4", to > high ? "" : "m0 -4v8"];
        brackets[i].setAttribute("d", `M${x(from)} ${BASE + 36 + 28 * i}${ends[0]}H${x(to)}${ends[1]}`);
        said[i].textContent = `${names[i]}: ± ${formatNumber(sd)}`;
      }
      node.ariaLabel = fill(label, named);
    },
  );
}
