// The picture of the first explorer: keys on stripes of equal score, ribbons as thick as the weights,
// and the values, whose terms add up tip to tail.

import { handle } from "../framework/hands.js";
import { hull } from "../framework/hull.js";
import { along, ems, placer } from "../framework/labels.js";
import { SMALL } from "../framework/two_features.js";
import { eased, svg } from "../framework/ui.js";
import { layoutFor } from "./layout.js";
import { stripes } from "./stripes.js";

/** @import { Hand, Point } from "../framework/hands.js" */
/** @import { Layout } from "./layout.js" */

/** Corners of the hulls of the keys and of the values, in order around them. */
const AROUND_KEYS = hull(SMALL.K);
const AROUND_VALUES = hull(SMALL.V);
/** The word whose key is inside, between those of two others. */
const INSIDE = 0;
const ENDS = [2, 4];
const TOKEN_FONT = 15;

/** A path around places. @param {Point[]} places */
const around = (places) => `M${places.map((place) => place.join(" ")).join("L")}Z`;

/** Put an element somewhere. @param {Element} node @param {Point} place */
function moveTo(node, [x, y], rest = "") {
  node.setAttribute("transform", `translate(${x} ${y})${rest}`);
}

/** A ribbon from one place to another, which leaves and arrives level, or upright. @param {Point} a @param {Point} b @param {boolean} isTall */
function ribbon(a, b, isTall) {
  const half = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const bends = isTall ? `${a[0]} ${half[1]} ${b[0]} ${half[1]}` : `${half[0]} ${a[1]} ${half[0]} ${b[1]}`;
  return `M${a[0]} ${a[1]}C${bends} ${b[0]} ${b[1]}`;
}

/**
 * @param {object} parts
 * @param {string} parts.label
 * @param {Hand} parts.hand
 * @param {string[]} parts.tokens
 * @param {HTMLElement[]} parts.buttons a word each, which are put between the planes
 * @param {{keys: [string, string], weights: [string, string], values: [string, string]}} parts.captions
 *   in its colour, and not
 * @param {() => boolean} parts.isAnswered whether the hull of the keys may be seen
 */
export function compassPicture({ label, hand, tokens, buttons, captions, isAnswered }) {
  /** @type {Layout} */
  let layout = layoutFor(960);
  /** @type {any} */
  let last;
  const node = svg("svg", { class: "attn-compass-plane", role: "group", "aria-label": label });
  const field = stripes();
  const rim = svg("circle", { class: "attn-rim" });
  const ribbons = tokens.map(() => [svg("path", { class: "attn-ribbon" }), svg("path", { class: "attn-ribbon" })]);
  const reach = svg("path", { class: "attn-reach attn-value" });
  const hullOfKeys = svg(
    "g",
    { class: "attn-hull attn-key" },
    svg("path", {}),
    svg("path", {}),
    svg("circle", { r: 11 }),
  );
  const dots = tokens.map(() => svg("circle", { class: "attn-spot attn-key", r: 6 }));
  const squares = tokens.map(() => svg("path", { class: "attn-spot attn-value", d: "M-6 -6H6V6H-6Z" }));
  const z = svg("path", { class: "attn-spot attn-output", d: "M0 -9L9 0 0 9-9 0Z" });
  const origin = svg("circle", { class: "attn-origin", r: 3 });
  const straight = svg("path", { class: "attn-straight attn-output" });
  const terms = tokens.map(() => svg("g", { class: "attn-term attn-value" }, svg("path", {}), svg("path", {})));
  const shaft = svg("path", { class: "attn-shaft attn-query" });
  const head = svg("path", { class: "attn-head", d: "M-13 -14L17 0L-13 14L-8 0Z" });
  const grip = svg("g", { class: "attn-query" }, svg("circle", { class: "attn-halo", r: 22 }), head);
  const word = (/** @type {string} */ tone) => (/** @type {string} */ token) =>
    svg("text", { class: `attn-name attn-${tone}`, "text-anchor": "middle", lang: "zh-CN" }, token);
  const [keyNames, valueNames] = [tokens.map(word("key")), tokens.map(word("value"))];
  const letter = (/** @type {string} */ name, /** @type {string} */ tone) =>
    svg("text", { class: `attn-letter attn-${tone}`, "text-anchor": "middle" }, name);
  const [q, nameOfZ] = [letter("q", "query"), letter("z", "output")];
  const titles = Object.entries(captions).map(([tone, [coloured, rest]]) => {
    const role = { keys: "key", values: "value" }[tone] ?? tone;
    return svg("text", { class: "attn-title" }, svg("tspan", { class: `attn-${role}` }, coloured), rest);
  });
  node.append(field.node, rim, ...ribbons.flat(), reach, hullOfKeys, ...dots, shaft, origin, straight, ...terms);
  node.append(...squares, z, ...keyNames, ...valueNames, nameOfZ, grip, q, ...titles);

  /** @type {Point} */
  let tip = [0, 0];
  handle(
    grip,
    hand,
    () => tip,
    (place) => layout.toQuery(place),
  );
  // a press of the mouse beside the handle brings the arrow there; a finger scrolls the page
  rim.addEventListener("click", (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType === "touch" || !last) return;
    const { left, top, width } = node.getBoundingClientRect();
    const scale = layout.width / width;
    hand.drag(layout.toQuery([scale * (event.clientX - left), scale * (event.clientY - top)]), last);
  });

  let [placeKeys, placeValues] = [placer(frame(0, 0)), placer(frame(0, 0))];

  /** @param {number} left @param {number} right */
  function frame(left, right) {
    return { left: left + 2, right: right - 2, top: 2, bottom: layout.height - 2 };
  }

  /** Put what does not follow the query where this width has room for it. @param {number} width */
  function arrange(width) {
    layout = layoutFor(width);
    const { height, centre, radius, words, isTall } = layout;
    node.setAttribute("viewBox", `0 0 ${width} ${height}`);
    node.style.height = `${height}px`;
    for (const [name, x] of Object.entries({ cx: centre[0], cy: centre[1], r: radius })) {
      rim.setAttribute(name, String(x));
    }
    field.arrange(centre, radius);
    for (const [j, { x, y, width: w, height: h }] of words.entries()) {
      Object.assign(buttons[j].style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
    }
    const between = words[0].x + words[0].width / 2;
    const middle = layout.ofValue([1, 0])[0];
    const places = isTall
      ? [
          [8, 20, "start"],
          [-999, 0, "start"],
          [8, height - 10, "start"],
        ]
      : [
          [8, 24, "start"],
          [between, 24, "middle"],
          [middle, 24, "middle"],
        ];
    for (const [k, [x, y, anchor]] of places.entries()) {
      for (const [name, value] of Object.entries({ x, y, "text-anchor": anchor })) {
        titles[k].setAttribute(name, String(value));
      }
    }
    const edge = isTall ? width : words[0].x;
    [placeKeys, placeValues] = [placer(frame(0, edge)), placer(frame(isTall ? 0 : edge, width))];
  }

  /** @param {any} now */
  function draw(now) {
    last = now;
    const { state, numbers } = now;
    const { K, V, weight, sum } = numbers;
    const { ofKey, ofValue, centre, isTall, words, thickest } = layout;
    const first = weight.indexOf(Math.max(...weight));
    tip = ofKey(numbers.q);
    const long = Math.hypot(tip[0] - centre[0], tip[1] - centre[1]);
    const share = Math.max(0, long - 8) / (long || 1);
    shaft.setAttribute("d", `M${centre}L${centre.map((c, r) => c + share * (tip[r] - c))}`);
    moveTo(grip, tip);
    head.setAttribute("transform", `rotate(${-state.angle})`);
    field.turn(state.angle, state.length);
    const keys = K.map(ofKey);
    const values = V.map(ofValue);
    for (const [j, w] of weight.entries()) {
      moveTo(dots[j], keys[j]);
      moveTo(squares[j], values[j]);
      dots[j].setAttribute("r", j === first ? "8" : "6");
      const { x, y, width, height } = words[j];
      const into = isTall ? [x + width / 2, y] : [x, y + height / 2];
      const out = isTall ? [into[0], y + height] : [x + width, into[1]];
      ribbons[j][0].setAttribute("d", ribbon(keys[j], into, isTall));
      ribbons[j][1].setAttribute("d", ribbon(out, values[j], isTall));
      for (const part of ribbons[j]) {
        part.style.strokeWidth = String(Math.max(0.5, thickest * w));
        part.style.opacity = String(0.25 + 0.4 * w);
      }
    }
    reach.setAttribute("d", around(AROUND_VALUES.map((j) => values[j])));
    drawHull(keys);
    drawSum([[0, 0], ...sum].map(ofValue));
    moveTo(z, ofValue(numbers.z));
    putNames(keys, values, ofValue(numbers.z), first);
  }

  /** The hull of the keys, and the one in the middle of a line. @param {Point[]} keys */
  function drawHull(keys) {
    hullOfKeys.toggleAttribute("hidden", !isAnswered());
    const [outline, line, ring] = hullOfKeys.children;
    outline.setAttribute("d", around(AROUND_KEYS.map((j) => keys[j])));
    const [a, b] = ENDS.map((j) => keys[j]);
    const ticks = [a, b].map((end) => {
      const [x, y] = end.map((c, r) => (c + keys[INSIDE][r]) / 2);
      return `M${x - 6} ${y - 2.5}h12m0 5h-12`;
    });
    line.setAttribute("d", `M${a}L${b}${ticks.join("")}`);
    moveTo(ring, keys[INSIDE]);
  }

  /** The terms one after the other, each with a head where it is long enough. @param {Point[]} places */
  function drawSum(places) {
    moveTo(origin, places[0]);
    straight.setAttribute("d", `M${places[0]}L${places[places.length - 1]}`);
    for (const [j, term] of terms.entries()) {
      const [from, to] = [places[j], places[j + 1]];
      const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const turn = (180 * Math.atan2(to[1] - from[1], to[0] - from[0])) / Math.PI;
      term.children[0].setAttribute("d", `M${from}L${to}`);
      term.children[1].setAttribute("d", long > 9 ? "M0 0L-8 -4V4Z" : "");
      moveTo(term.children[1], to, ` rotate(${turn})`);
    }
  }

  /** @param {Point[]} keys @param {Point[]} values @param {Point} z @param {number} first */
  function putNames(keys, values, z, first) {
    const { centre } = layout;
    const size = (/** @type {Point} */ at, /** @type {string} */ text, /** @type {number} */ gap) => ({
      at,
      wide: TOKEN_FONT * ems(text),
      high: TOKEN_FONT,
      gap,
    });
    const spots = (/** @type {Point[]} */ places, /** @type {number} */ reach) =>
      places.map((at, own) => ({ at, reach, own }));
    const arrow = [...along(centre, tip, 6), { at: tip, reach: 24 }];
    const sides = isAnswered()
      ? AROUND_KEYS.flatMap((j, k) => along(keys[j], keys[AROUND_KEYS[(k + 1) % AROUND_KEYS.length]]))
      : [];
    const byKeys = placeKeys(
      [...keys.map((at, j) => size(at, tokens[j], 9)), size(tip, "q", 18)],
      [...spots(keys, 9), ...arrow, ...sides],
    );
    const byValues = placeValues(
      [...values.map((at, j) => size(at, tokens[j], 10)), size(z, "z", 11)],
      [...spots([...values, z], 10), ...along(layout.ofValue([0, 0]), z)],
    );
    for (const [names, places] of /** @type {const} */ ([
      [[...keyNames, q], byKeys],
      [[...valueNames, nameOfZ], byValues],
    ])) {
      for (const [j, name] of names.entries()) {
        name.classList.toggle("attn-first", j === first);
        name.setAttribute("x", places[j][0].toFixed(1));
        name.setAttribute("y", (places[j][1] + 5).toFixed(1));
      }
    }
  }

  arrange(layout.width);
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (!width || width === layout.width) return;
    arrange(width);
    if (last) draw(last);
  }).observe(node);
  return Object.assign(
    eased(node, (now) => draw(now)),
    {
      /** What is not of the state has changed. */
      redraw() {
        if (last) draw(last);
      },
    },
  );
}
