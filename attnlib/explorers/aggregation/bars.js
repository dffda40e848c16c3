// The weights of a row as bars that the reader can take hold of.

import { entryName } from "../framework/core.js";
import { handle } from "../framework/hands.js";
import { eased, formatNumber, line, svg } from "../framework/ui.js";

/** @import { Hand } from "../framework/hands.js" */
/** @import { Moment } from "../framework/ui.js" */

const WIDE = 64; // of a column
const HIGH = 110; // of a weight of 1
const HALF = 15; // of a bar
const GROUND = 132;

/** The height at which a weight is drawn. @param {number} weight */
const levelOf = (weight) => GROUND - HIGH * weight;

/**
 * A bar for each weight `name-1`, `name-2`, … and a mark where the number `before` stands.
 * @param {object} options
 * @param {string} options.caption
 * @param {string} options.name
 * @param {string} options.before
 * @param {string[]} options.labels
 * @param {Hand[]} options.hands
 * @param {(now: any) => number} options.chosen which one is set by hand, from 1 on
 */
export function weightBars({ caption, name, before, labels, hands, chosen }) {
  const high = GROUND + 24;
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDE * labels.length} ${high}`,
    class: "attn-picture attn-weight-bars",
  });
  picture.role = "group";
  picture.ariaLabel = caption.replaceAll("$", "");
  const levels = [0, 0.5, 1].map((level) =>
    svg("path", { class: level ? "attn-grid" : "attn-axis", d: `M0 ${levelOf(level)}H${WIDE * labels.length}` }),
  );
  const bars = labels.map((label, k) => {
    const middle = WIDE * (k + 0.5);
    const mark = svg("path", { class: "attn-as-computed" });
    const bar = svg("rect", { x: middle - HALF, width: 2 * HALF, class: "attn-weight-fill" });
    const cap = svg("rect", { x: middle - HALF - 4, width: 2 * HALF + 8, height: 6, rx: 3, class: "attn-weight-cap" });
    const halo = svg("circle", { class: "attn-halo", cx: middle, r: 24 });
    const number = svg("text", { x: middle, "text-anchor": "middle" });
    const under = svg("text", { x: middle, y: GROUND + 18, "text-anchor": "middle" }, label);
    const grip = svg("g", {}, halo, bar, cap);
    const group = svg("g", { class: "attn-weights" }, under, grip, mark, number);
    let level = GROUND;
    handle(
      grip,
      hands[k],
      () => [middle, level],
      ([x, y]) => [x, (GROUND - y) / HIGH],
    );
    return eased(group, (/** @type {Moment} */ now) => {
      const weight = Number(now.named[entryName(name, k + 1)]);
      const was = levelOf(Number(now.named[entryName(before, k + 1)]));
      level = levelOf(weight);
      group.dataset.weight = String(weight);
      bar.setAttribute("y", String(level));
      bar.setAttribute("height", String(GROUND - level));
      cap.setAttribute("y", String(level - 3));
      halo.setAttribute("cy", String(level));
      number.textContent = formatNumber(weight, 2);
      number.setAttribute("y", String(level - 9));
      mark.setAttribute("d", `M${middle - WIDE / 2 + 4} ${was}h${WIDE - 8}`);
      mark.toggleAttribute("hidden", !chosen(now));
      group.classList.toggle("attn-by-hand", chosen(now) === k + 1);
    });
  });
  picture.append(...levels, ...bars);
  return [picture, line("note", caption)];
}
