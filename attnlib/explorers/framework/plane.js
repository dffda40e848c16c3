// A plane with points, arrows and outlines, some of which the reader can take hold of.

import { handle } from "./hands.js";
import { along, ems, placer } from "./labels.js";
import { eased, line, spoken, svg } from "./ui.js";

/** @import { Hand, Point } from "./hands.js" */

/**
 * What is drawn: a point or the tip of an arrow `at` a place, or an outline through `through`; `from`
 * is where an arrow begins. All of it may follow the moment; what gives nothing is not drawn then.
 * @typedef {object} Part
 * @property {"dot" | "square" | "diamond" | "arrow" | "line"} kind
 * @property {string} tone a role of the palette
 * @property {(now: any) => Point | undefined} [at]
 * @property {(now: any) => Point} [from]
 * @property {(now: any) => Point[]} [through]
 * @property {(now: any) => string} [text]
 * @property {(now: any) => boolean} [hollow] drawn as an outline
 * @property {boolean} [dashed]
 * @property {number} [size]
 * @property {Hand} [hand]
 */

const UNIT = 30;
const FONT = 9;
const NUDGE = 1e-9;

/** Paths around 0 of the marks that are no circles. @type {Record<string, (size: number) => string>} */
const OUTLINES = {
  square: (size) => `M${-size} ${-size}h${2 * size}v${2 * size}h${-2 * size}z`,
  diamond: (size) => `M0 ${-1.4 * size}L${1.4 * size} 0 0 ${1.4 * size} ${-1.4 * size} 0z`,
};

/**
 * A plane from −3 to 3 in both directions, or a multiple of it; while something is held it stays as it
 * is.
 * @param {string} caption
 * @param {Part[]} parts
 */
export function plane(caption, parts) {
  const node = svg("svg", { viewBox: "-104 -104 208 208", class: "attn-picture attn-plane" });
  // what can be taken hold of is reached inside; a picture without is one thing
  node.role = parts.some(({ hand }) => hand) ? "group" : "img";
  node.ariaLabel = caption.replace(/[$_^{}]/g, "");
  const grid = [-3, -2, -1, 0, 1, 2, 3].map((k) =>
    svg("path", { class: k ? "attn-grid" : "attn-axis", d: `M${UNIT * k} -90V90M-90 ${UNIT * k}H90` }),
  );
  const bounds = [
    { end: -3, x: -90, y: 13 },
    { end: 3, x: 90, y: 13 },
    { end: -3, x: 9, y: 94 },
    { end: 3, x: 9, y: -86 },
  ].map(({ end, x, y }) => ({ end, text: svg("text", { x, y, "text-anchor": "middle" }) }));
  let unit = 1;
  const onPlane = (/** @type {Point} */ [x, y]) => [(UNIT * x) / unit, (-UNIT * y) / unit];
  const inUnits = (/** @type {Point} */ [x, y]) => [(x * unit) / UNIT, (-y * unit) / UNIT];

  const drawn = parts.map((part) => {
    const { kind, tone, size = 4, hand, dashed } = part;
    const group = svg("g", { class: `attn-${tone}` });
    const shape = kind === "dot" ? svg("circle", { r: size }) : svg("path", {});
    if (kind === "line" || kind === "arrow") shape.classList.add("attn-line");
    if (dashed) shape.classList.add("attn-dashed");
    const tip = kind === "arrow" ? svg("path", { class: "attn-tip", d: "M0 0L-9 -4.500V4.500z" }) : undefined;
    const label = svg("text", { "text-anchor": "middle" });
    /** @type {Point} */
    let place = [0, 0];
    group.append(shape, ...(tip ? [tip] : []), label);
    if (hand) {
      group.prepend(svg("circle", { class: "attn-halo", r: 15 }));
      handle(group, hand, () => place, inUnits);
    }

    /** @param {any} now */
    function draw(now) {
      group.classList.toggle("attn-hollow", part.hollow?.(now) ?? false);
      if (part.through) {
        shape.setAttribute("d", `M${part.through(now).map(onPlane).join("L")}`);
        return;
      }
      const at = part.at?.(now);
      group.toggleAttribute("hidden", !at);
      if (!at) return;
      // in full, as a number has its data-value
      group.dataset.at = at.join(" ");
      place = onPlane(at);
      const [x, y] = place;
      if (kind === "dot") {
        shape.setAttribute("cx", String(x));
        shape.setAttribute("cy", String(y));
      } else if (kind === "arrow") {
        const [a, b] = onPlane(part.from?.(now) ?? [0, 0]);
        const long = Math.hypot(x - a, y - b);
        const turn = (Math.atan2(y - b, x - a) * 180) / Math.PI;
        // a head is no longer than its arrow; the shaft ends inside it, its point is the place
        const head = Math.min(size / 4, long / 9);
        const share = Math.max(0, 1 - (6 * head) / (long || 1));
        shape.setAttribute("d", `M${a} ${b}L${a + share * (x - a)} ${b + share * (y - b)}`);
        tip?.setAttribute("transform", `translate(${x} ${y}) rotate(${turn}) scale(${head})`);
        tip?.toggleAttribute("hidden", long < NUDGE);
      } else {
        shape.setAttribute("d", OUTLINES[kind](size));
        shape.setAttribute("transform", `translate(${x} ${y})`);
      }
      for (const halo of group.querySelectorAll(".attn-halo")) {
        halo.setAttribute("cx", String(x));
        halo.setAttribute("cy", String(y));
      }
    }
    return { group, label, draw, part, placed: () => place };
  });

  const place = placer({ left: -104, right: 104, top: -104, bottom: 104 });

  /** @param {any} now */
  function putLabels(now) {
    const shown = drawn.filter(({ group, part }) => part.at && !group.hasAttribute("hidden"));
    const named = shown.filter(({ label, part }) => {
      label.textContent = part.text?.(now) ?? "";
      return label.textContent;
    });
    const spots = shown.flatMap(({ part, placed }) => {
      const own = named.findIndex((one) => one.part === part);
      const origin = onPlane(part.from?.(now) ?? [0, 0]);
      const body = part.kind === "arrow" ? along(origin, placed()) : [];
      return [...body, { at: placed(), reach: (part.size ?? 4) + 1, own }];
    });
    for (const { through } of parts) {
      const corners = through?.(now).map(onPlane) ?? [];
      for (const [k, corner] of corners.slice(1).entries()) spots.push(...along(corners[k], corner, 1));
    }
    const labels = named.map(({ part, placed, label }) => {
      const gap = (part.size ?? 4) + 2;
      return { at: placed(), wide: FONT * ems(label.textContent ?? ""), high: FONT, gap };
    });
    for (const [k, [x, y]] of place(labels, spots).entries()) {
      named[k].label.setAttribute("x", x.toFixed(1));
      named[k].label.setAttribute("y", (y + FONT / 3).toFixed(1));
    }
  }

  node.append(...grid, ...bounds.map(({ text }) => text), ...drawn.map(({ group }) => group));
  eased(node, (now) => {
    const points = parts.flatMap((part) => part.through?.(now) ?? [part.at?.(now) ?? []]);
    const most = Math.max(...points.flat().map(Math.abs));
    if (!node.querySelector(".attn-held")) {
      unit = 1;
      while (3 * unit < most - NUDGE) unit *= 2;
      for (const { end, text } of bounds) text.textContent = spoken(end * unit);
    }
    for (const { draw } of drawn) draw(now);
    putLabels(now);
  });
  return [node, line("note", caption)];
}
