// The arrows of one plane: a row of X or of a product, made of two terms that are laid tip to tail.

import { formatNumber } from "../framework/ui.js";

/** @import { Hand, Point } from "../framework/hands.js" */
/** @import { Part } from "../framework/plane.js" */

/**
 * Where the arrows of a plane end: what the reader holds, by rows; and by how much each is taken.
 * @typedef {{rows: Point[], by: Point, whole: Point}} Arrows
 */

/** One row as often as its factor says. @param {Arrows} arrows @param {number} r @returns {Point} */
const termOf = ({ rows, by }, r) => rows[r].map((x) => by[r] * x);

/**
 * The two terms: the first from 0, the second from its tip; it ends at the whole. Beside each stands
 * by how much its row is taken, and `names` of the rows.
 * @param {(now: any) => Arrows} arrowsOf
 * @param {string} tone
 * @param {string[]} names
 * @returns {Part[]}
 */
export function twoTerms(arrowsOf, tone, names) {
  /** @type {(now: any, r: number) => {from: Point, to: Point, by: number, isNothing: boolean}} */
  const term = (now, r) => {
    const arrows = arrowsOf(now);
    const first = termOf(arrows, 0);
    const [from, to] = r ? [first, arrows.whole] : [[0, 0], first];
    return { from, to, by: arrows.by[r], isNothing: Math.hypot(to[0] - from[0], to[1] - from[1]) < 0.05 };
  };
  return [0, 1].flatMap((r) => [
    /** @type {Part} */ ({
      kind: "arrow",
      tone,
      dashed: true,
      from: (now) => term(now, r).from,
      at: (now) => term(now, r).to,
    }),
    /** @type {Part} */ ({
      kind: "dot",
      tone,
      size: 0,
      at(now) {
        const { from, to, isNothing } = term(now, r);
        return isNothing ? undefined : from.map((x, k) => (x + to[k]) / 2);
      },
      text: (now) => `${formatNumber(term(now, r).by, 2)}${names[r]}`,
    }),
  ]);
}

/** A pair of numbers in brackets, which stays on one line. @param {number[]} pair */
export const pairOf = (pair) => `(${pair.map((x) => formatNumber(x, 2)).join(",\u00a0")})`;

/** The sum that a plane shows, in numbers: 1.00 × (0.50, 2.00) + … @param {Arrows} arrows */
export function tipToTail({ rows, by, whole }) {
  const factor = (/** @type {number} */ x) => (x < 0 ? `(${formatNumber(x, 2)})` : formatNumber(x, 2));
  return `${by.map((x, r) => `${factor(x)} × ${pairOf(rows[r])}`).join(" + ")} = ${pairOf(whole)}`;
}

/**
 * A matrix in which one row is replaced.
 * @param {number[][]} matrix @param {number} r @param {Point} row
 */
export const withRow = (matrix, r, row) => matrix.map((old, k) => (k === r ? row : old));
