// Where things of the first explorer stand, in pixels: beside each other, or one above the other.

import { SETTINGS } from "../framework/settings.js";

/** @import { Point } from "../framework/hands.js" */

/** The length of the longest query: it reaches the rim. */
export const TO_THE_RIM = SETTINGS.length.high;
const WORDS = 5;

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {boolean} isTall one plane above the other
 * @property {Point} centre of the keys
 * @property {number} radius
 * @property {{x: number, y: number, width: number, height: number}[]} words the buttons
 * @property {(at: Point) => Point} ofKey where a key or a query stands
 * @property {(at: Point) => Point} toQuery the query that a place stands for
 * @property {(at: Point) => Point} ofValue where a value stands
 * @property {number} thickest a ribbon of the whole weight
 */

/** @param {number} width @returns {Layout} */
export function layoutFor(width) {
  const isTall = width < 560;
  const radius = isTall ? Math.min(150, width / 2 - 12) : Math.min(196, width * 0.21);
  const centre = isTall ? [width / 2, radius + 34] : [radius + 20, 236];
  const unit = radius / TO_THE_RIM;
  const gap = isTall ? 4 : 9;
  const high = isTall ? 64 : 62;
  const wide = isTall ? (width - 8 - gap * (WORDS - 1)) / WORDS : Math.min(158, width * 0.19);
  const unitOfValues = isTall ? 46 : Math.min(80, width * 0.085);
  const free = width - (centre[0] + radius) - 2 * unitOfValues - 64 - wide;
  const first = isTall ? [4, centre[1] + radius + 18] : [centre[0] + radius + 0.46 * free, 62];
  const origin = isTall
    ? [width / 2 - unitOfValues, first[1] + high + 3 * unitOfValues + 44]
    : [first[0] + wide + 0.54 * free, 342];
  return {
    width,
    height: isTall ? origin[1] + unitOfValues + 40 : 452,
    isTall,
    centre,
    radius,
    words: Array.from({ length: WORDS }, (_, j) => ({
      x: isTall ? first[0] + j * (wide + gap) : first[0],
      y: isTall ? first[1] : first[1] + j * (high + gap),
      width: wide,
      height: high,
    })),
    ofKey: ([x, y]) => [centre[0] + unit * x, centre[1] - unit * y],
    toQuery: ([x, y]) => [(x - centre[0]) / unit, (centre[1] - y) / unit],
    ofValue: ([x, y]) => [origin[0] + unitOfValues * x, origin[1] - unitOfValues * y],
    thickest: isTall ? 22 : 32,
  };
}
