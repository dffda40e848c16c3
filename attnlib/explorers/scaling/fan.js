// A hundred scores, each a line that adds up product after product; the handle says where they stop.

import { handle } from "../framework/hands.js";
import { eased, formatNumber, spoken, svg } from "../framework/ui.js";

/** @import { Hand } from "../framework/hands.js" */
/** @import { Now } from "../framework/ui.js" */
/** @import { Walks } from "./sample.js" */

const FAN = { wide: 340, left: 36, right: 10, top: 8, half: 128, most: 512 };
const ACROSS = FAN.wide - FAN.left - FAN.right;
const FLOOR = FAN.top + 2 * FAN.half;
const PILL = { y: FLOOR + 42, half: 50 };
// lines are drawn in tenths of a feature and thousandths of the half height: whole numbers are short
const FINE = 10;
const REACH = 48;
const TALL = 1000;

/** Place of r features. @param {number} r */
const acrossOf = (r) => FAN.left + (ACROSS * r) / FAN.most;

/** A score's number as an index below the line. @param {number} j */
export const keyName = (j) => `k${"₁₂₃₄₅₆₇₈"[j]}`;

/**
 * The end of the axis: the lines of 512 products fit, two deviations to either side of the mean. It does
 * not follow d_k or the divisor.
 * @param {number} mean
 * @param {number} variance
 */
function fanReach(mean, variance) {
  const most = FAN.most * Math.abs(mean) + 2 * Math.sqrt(FAN.most * variance);
  let reach = REACH;
  while (reach < most) reach *= 2;
  return reach;
}

/** @param {Float64Array} sums @param {number} every @param {number} reach */
function lineOf(sums, every, reach) {
  let d = "M0 0L";
  for (let r = every; r < sums.length; r += every) d += `${FINE * r} ${Math.round((-TALL * sums[r]) / reach)} `;
  return d;
}

/** The curves of one deviation around the mean. @param {number} mean @param {number} variance @param {number} reach */
function curves(mean, variance, reach) {
  const at = (/** @type {number} */ i, /** @type {number} */ sign) => {
    const r = (i / 32) ** 2 * FAN.most;
    const y = r * mean + sign * Math.sqrt(r * variance);
    return `${Math.round(FINE * r)} ${Math.round((-TALL * y) / reach)}`;
  };
  const steps = Array.from({ length: 33 }, (_, i) => i);
  return [1, -1].map((sign) => `M${steps.map((i) => at(i, sign)).join("L")}`).join("");
}

/**
 * @param {Hand} hand
 * @param {string} label
 */
export function fanPicture(hand, label) {
  const node = svg("svg", { viewBox: `0 0 ${FAN.wide} ${PILL.y + 26}`, class: "attn-fan", role: "group" });
  node.ariaLabel = label;
  const text = (/** @type {string} */ look, /** @type {string} */ anchor, /** @type {string} */ words = "") =>
    svg("text", { class: look, "text-anchor": anchor }, words);
  /** @type {(part: Element, attributes: Record<string, number | string>) => void} */
  const set = (part, attributes) => {
    for (const [name, x] of Object.entries(attributes)) part.setAttribute(name, String(x));
  };

  // what does not move with d_k: it is drawn once for a sample
  const [crowd, rule] = [svg("path", { class: "attn-fan-crowd" }), svg("path", { class: "attn-fan-rule" })];
  const row = Array.from({ length: 8 }, () => svg("path", { class: "attn-fan-walk" }));
  const veil = svg("rect", { class: "attn-fan-veil", y: -TALL, height: 2 * TALL });
  const inside = svg("svg", {
    x: FAN.left,
    y: FAN.top,
    width: ACROSS,
    height: 2 * FAN.half,
    viewBox: `0 ${-TALL} ${FINE * FAN.most} ${2 * TALL}`,
    preserveAspectRatio: "none",
  });
  const rungs = [-32, -16, 0, 16, 32].map((s) => ({ s, y: FAN.top + FAN.half * (1 - s / REACH) }));
  const grid = rungs.map(({ s, y }) =>
    svg("path", { class: s ? "attn-grid" : "attn-axis", d: `M${FAN.left} ${y}h${ACROSS}` }),
  );
  const heights = rungs.map(({ y }) => svg("text", { x: FAN.left - 6, y: y + 4.5, "text-anchor": "end" }));
  const stops = [0, 128, 256, 384, 512].map((r) => {
    const mark = text("", r === FAN.most ? "end" : "middle", String(r));
    set(mark, { x: acrossOf(r) + (r === FAN.most ? FAN.right : 0), y: FLOOR + 15 });
    return { r, mark };
  });
  inside.append(crowd, ...row, veil, rule);

  // what moves with it
  const dots = row.map(() => svg("circle", { r: 3 }));
  const brace = svg("path", { class: "attn-bracket" });
  const [spread, name] = [text("attn-fan-spread", "start"), text("attn-fan-name", "start")];
  const value = text("", "middle");
  value.setAttribute("y", String(PILL.y + 5));
  const stem = svg("path", { class: "attn-fan-stem", d: `M0 ${FAN.top}V${PILL.y}` });
  const grip = svg("path", { class: "attn-fan-grip", d: `M0 ${FAN.top}V${FLOOR}` });
  const halo = svg("rect", { class: "attn-halo", y: PILL.y - 26, width: 116, height: 52, rx: 26 });
  const body = svg("rect", { class: "attn-fan-pill", y: PILL.y - 15, width: 2 * PILL.half, height: 30, rx: 15 });
  const knob = svg("g", { class: "attn-fan-knob" }, halo, stem, grip, body, value);
  let x = 0;
  handle(
    knob,
    hand,
    () => [x, PILL.y],
    ([place]) => [((place - FAN.left) * FAN.most) / ACROSS, 0],
  );
  node.append(...grid, ...heights, ...stops.map(({ mark }) => mark), inside, brace, knob, ...dots, spread, name);

  /** @type {Walks | undefined} */
  let shown;
  let reach = 0;
  return eased(node, (/** @type {Now<typeof import("./numbers.js").compute>} */ now) => {
    const { numbers, drawn } = now;
    const [mean, variance] = [numbers["mean-per-feature"], numbers["variance-per-feature"]];
    const walks = now.walks();
    const next = fanReach(mean, variance);
    if (walks !== shown || next !== reach) {
      [shown, reach] = [walks, next];
      crowd.setAttribute("d", walks.crowd.map((sums) => lineOf(sums, 8, reach)).join(""));
      for (const [j, sums] of walks.row.entries()) row[j].setAttribute("d", lineOf(sums, 2, reach));
      rule.setAttribute("d", curves(mean, variance, reach));
      for (const [k, { s }] of rungs.entries()) heights[k].textContent = spoken((s * reach) / REACH);
    }
    const r = drawn.features;
    const y = (/** @type {number} */ sum) => FAN.top + FAN.half * (1 - Math.min(1, Math.max(-1, sum / reach)));
    x = acrossOf(r);
    set(veil, { x: FINE * r, width: FINE * (FAN.most - r) });
    const lead = numbers.weights.indexOf(Math.max(...numbers.weights));
    for (const [j, sums] of walks.row.entries()) {
      row[j].classList.toggle("attn-fan-lead", j === lead);
      dots[j].classList.toggle("attn-fan-lead", j === lead);
      set(dots[j], { cx: x, cy: y(sums[Math.round(r)]) });
      dots[j].dataset.value = String(sums[Math.round(r)]);
    }
    const [centre, sd] = [r * mean, Math.sqrt(r * variance)];
    const [up, down] = [y(centre + sd), y(centre - sd)];
    brace.setAttribute("d", `M${x - 6} ${up}h12m-6 0V${down}m-6 0h12`);
    // beside the handle, where there is room, and the two of them apart
    const isLeft = x > FAN.wide - 90;
    const beside = { x: x + (isLeft ? -11 : 11), "text-anchor": isLeft ? "end" : "start" };
    const top = y(walks.row[lead][Math.round(r)]);
    const low = Math.min(FLOOR - 4, down + 14);
    const high = Math.max(FAN.top + 12, up - 5);
    set(name, { ...beside, y: Math.max(FAN.top + 12, Math.min(FLOOR - 4, top + 5)) });
    set(spread, { ...beside, y: Math.abs(low - top - 5) > 16 ? low : high });
    name.textContent = keyName(lead);
    spread.textContent = `±${formatNumber(numbers["unscaled-sd"], 1)}`;
    const middle = Math.max(58, Math.min(FAN.wide - 58, x));
    set(halo, { x: middle - 58 });
    set(body, { x: middle - PILL.half });
    set(value, { x: middle });
    value.textContent = `‹ dₖ = ${Math.round(r)} ›`;
    for (const part of [stem, grip]) part.setAttribute("transform", `translate(${x} 0)`);
    for (const { r: stop, mark } of stops) mark.toggleAttribute("hidden", Math.abs(acrossOf(stop) - x) < 14);
  });
}
