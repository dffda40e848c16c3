// A key throws its shadow on a query: the two as arrows, which the reader can take hold of.

import { plane } from "../framework/plane.js";
import { formatNumber, live } from "../framework/ui.js";
import { dot, drawnAt, laid, long, placed } from "./laid.js";

/** @import { Hand, Point } from "../framework/hands.js" */
/** @import { Part } from "../framework/plane.js" */
/** @import { Frame } from "./laid.js" */

const KEY_STEP = 0.1;
const FAR_STEP = 0.5;
// how far a corner of the right angle is from where the perpendicular stands
const CORNER = 0.22;

/** The foot of the perpendicular from k to the line of q. @param {Point} q @param {Point} k @returns {Point} */
function footOf(q, k) {
  const share = long(q) ? dot(q, k) / dot(q, q) : 0;
  return q.map((x) => share * x);
}

/** The small square where the perpendicular stands. @param {Point} q @param {Point} k */
function cornerOf(q, k) {
  const foot = footOf(q, k);
  const high = k.map((x, r) => x - foot[r]);
  const [along, up] = [foot, high].map((way) =>
    long(way) > CORNER ? way.map((x) => (CORNER * x) / long(way)) : [0, 0],
  );
  const back = foot.map((x, r) => x - along[r]);
  return [back, back.map((x, r) => x + up[r]), foot.map((x, r) => x + up[r])];
}

/**
 * One direction of asking; `prefix` begins the names of its numbers, `whose` gives the two tokens.
 * @param {object} options
 * @param {string} options.caption
 * @param {string} options.prefix
 * @param {number} options.most the bound of a feature
 * @param {(now: any) => [query: number, key: number]} options.whose
 * @param {(label: "query" | "key", says: (now: any) => string, drag: (to: Point, now: any) => object, step: (by: Point, isFar: boolean, now: any) => object) => Hand} options.hand
 * @param {(now: any) => string} options.says what is drawn, in words
 * @param {string[]} options.words of the tokens
 */
export function shadowPicture({ caption, prefix, most, whose, hand, says, words }) {
  const [atQuery, atKey] = [`${prefix}q`, `${prefix}k`];
  /** @type {Frame | undefined} */
  let frame;
  let pair = "";

  /** The vectors of three features at a moment. @param {any} now @returns {number[][]} */
  const vectors = ({ numbers }) => [numbers[`${prefix}query`], numbers[`${prefix}key`]];

  /** @param {"Q" | "K"} name @param {number} side @param {Point} to @param {any} now */
  function taken(name, side, to, now) {
    const row = whose(now)[side] - 1;
    const vector = drawnAt(to, /** @type {Frame} */ (frame), most);
    return {
      [name]: now.state[name].map((/** @type {number[]} */ old, /** @type {number} */ i) => (i === row ? vector : old)),
    };
  }

  /** @type {(label: "query" | "key", name: "Q" | "K", side: number, place: string) => Hand} */
  const grip = (label, name, side, place) =>
    hand(
      label,
      (now) => says(now),
      (to, now) => taken(name, side, to, now),
      (by, isFar, now) => {
        const step = isFar ? FAR_STEP : KEY_STEP;
        const to = now.drawn[place].map((/** @type {number} */ x, /** @type {number} */ r) => x + step * by[r]);
        return taken(name, side, to, now);
      },
    );

  /** @type {(shape: (q: Point, k: Point) => Point[]) => (now: any) => Point[]} */
  const outline = (shape) => (now) => shape(now.drawn[atQuery], now.drawn[atKey]);
  const foot = (/** @type {any} */ { drawn }) => footOf(drawn[atQuery], drawn[atKey]);
  const shadow = (/** @type {any} */ now) => Number(now.named[`${prefix}shadow`]);

  /** @type {Part[]} */
  const parts = [
    // the line of the query as far as the shadow reaches
    { kind: "line", tone: "query", dashed: true, through: outline((q, k) => [[0, 0], footOf(q, k)]) },
    { kind: "line", tone: "key", dashed: true, through: outline((q, k) => [k, footOf(q, k)]) },
    { kind: "line", tone: "scores attn-corner", through: outline(cornerOf) },
    {
      kind: "line",
      tone: "signed attn-shadow",
      hollow: (now) => shadow(now) < 0,
      through: outline((q, k) => [[0, 0], footOf(q, k)]),
    },
    {
      kind: "dot",
      tone: "signed",
      size: 2.5,
      at: (now) => (now.numbers[`${prefix}query-length`] ? foot(now) : undefined),
      hollow: (now) => shadow(now) < 0,
      text: (now) => formatNumber(shadow(now), 2),
    },
    {
      kind: "arrow",
      tone: "query",
      at: ({ drawn }) => drawn[atQuery],
      text: (now) => `q ${words[whose(now)[0] - 1]}`,
      hand: grip("query", "Q", 0, atQuery),
    },
    {
      kind: "arrow",
      tone: "key",
      at: ({ drawn }) => drawn[atKey],
      text: (now) => `k ${words[whose(now)[1] - 1]}`,
      hand: grip("key", "K", 1, atKey),
    },
  ];
  const [picture, note] = plane(caption, parts);
  picture.classList.add("attn-shadows");
  live(picture, (/** @type {any} */ now) => {
    const [q, k] = vectors(now);
    const [i, j] = whose(now);
    if (pair !== `${i} ${j}`) frame = undefined;
    pair = `${i} ${j}`;
    // a plane that is held stays where it is: a way there and back ends where it began
    if (!frame || !picture.querySelector(".attn-held")) frame = laid(q, k, frame);
    [now.drawn[atQuery], now.drawn[atKey]] = placed(q, k, frame);
    picture.ariaLabel = says(now);
  });
  return [picture, note];
}
