// Stripes of equal score: they turn with the query, and tighten as it grows.

import { svg } from "../framework/ui.js";
import { TO_THE_RIM } from "./layout.js";

/** @import { Point } from "../framework/hands.js" */

const FAINT = 0.05;
/** As many scores as the longest query gives to what is on the rim: 4 × 4 ÷ √2. */
const MOST = 12;

/** Ids of what is referred to by one: each explorer of a page has its own. */
let explorersMade = 0;

/** A round field that is laid out by `arrange` and follows the query by `turn`. */
export function stripes() {
  explorersMade += 1;
  const [disc, hatching] = ["disc", "minus"].map((part) => `attn-compass-${explorersMade}-${part}`);
  const inside = svg("circle", {});
  const lines = svg("path", { d: "M0 0V7", class: "attn-hatching" });
  const pattern = { id: hatching, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const minus = svg("rect", { fill: `url(#${hatching})` });
  const bands = Array.from({ length: MOST }, () => svg("rect", { class: "attn-band" }));
  const above = svg("path", { class: "attn-level" });
  const below = svg("path", { class: "attn-level attn-below" });
  const zero = svg("path", { class: "attn-level attn-zero" });
  const field = svg("g", {}, minus, ...bands, above, below, zero);
  const defs = svg("defs", {}, svg("clipPath", { id: disc }, inside), svg("pattern", pattern, lines));
  const node = svg("g", {}, defs, svg("g", { "clip-path": `url(#${disc})` }, field));
  /** @type {Point} */
  let centre = [0, 0];
  let radius = 0;

  /** @param {Element} node @param {Record<string, number>} attributes */
  function set(node, attributes) {
    for (const [name, x] of Object.entries(attributes)) node.setAttribute(name, String(x));
  }

  return {
    node,

    /** @param {Point} middle @param {number} reach */
    arrange(middle, reach) {
      [centre, radius] = [middle, reach];
      set(inside, { cx: centre[0], cy: centre[1], r: radius });
      set(minus, { x: -radius, y: -radius, width: radius, height: 2 * radius });
    },

    /** @param {number} angle in degrees @param {number} length */
    turn(angle, length) {
      field.setAttribute("transform", `translate(${centre}) rotate(${-angle})`);
      // from one whole score to the next, with q k / √2
      const step = length ? ((Math.SQRT2 / length) * radius) / TO_THE_RIM : Infinity;
      field.toggleAttribute("hidden", length < FAINT);
      const levels = [];
      for (let level = 1; level * step < radius; level++) levels.push(level * step);
      for (const [k, band] of bands.entries()) {
        const from = k ? levels[k - 1] : 0;
        band.toggleAttribute("hidden", from === undefined);
        if (from !== undefined) set(band, { x: from, y: -radius, width: radius, height: 2 * radius });
      }
      const upright = (/** @type {number} */ x) => `M${x} ${-radius}V${radius}`;
      above.setAttribute("d", levels.map(upright).join(""));
      below.setAttribute("d", levels.map((x) => upright(-x)).join(""));
      zero.setAttribute("d", upright(0));
    },
  };
}
