// The shares that bring an output to a place: of the many mixtures, the most even one.

import { softmax, sum } from "../framework/core.js";
import { isInside, onBorder } from "../framework/hull.js";

/** @typedef {import("../framework/hull.js").Point} Point */

const ROUNDS = 100;

/**
 * Weights of largest entropy among those that mix points to a place; where none do, those of the
 * nearest point of the hull.
 * @param {Point[]} points @param {Point} place @returns {number[]}
 */
function mostEven(points, place) {
  if (!isInside(points, place)) {
    const { a, b, share } = onBorder(points, place);
    return points.map((_, j) => Number(j === a) * (1 - share) + Number(j === b) * share);
  }
  const offsets = points.map(([x, y]) => [x - place[0], y - place[1]]);
  const along = (/** @type {Point} */ [x, y]) => offsets.map(([a, b]) => a * x + b * y);
  let slope = [0, 0];
  // Newton's steps; no score changes by more than 1 in one of them
  for (let round = 0; round < ROUNDS; round++) {
    const weights = softmax(along(slope));
    const mean = (/** @type {(offset: Point) => number} */ f) =>
      sum(offsets.map((offset, j) => weights[j] * f(offset)));
    const [x, y] = [mean(([a]) => a), mean(([, b]) => b)];
    const xx = mean(([a]) => a * a) - x * x;
    const xy = mean(([a, b]) => a * b) - x * y;
    const yy = mean(([, b]) => b * b) - y * y;
    const size = xx * yy - xy * xy;
    const step = [(yy * x - xy * y) / size, (xx * y - xy * x) / size];
    const largest = Math.max(...along(step).map(Math.abs));
    slope = slope.map((s, r) => s - step[r] / Math.max(1, largest));
    if (largest < 1e-12) break;
  }
  return softmax(along(slope));
}

/** Weights as whole percents that sum to 100: the largest remainders are rounded up. @param {number[]} weights */
function wholePercents(weights) {
  // what differs by rounding errors only is a tie, which the first wins
  const fine = weights.map((weight) => Math.floor(1e11 * weight + 0.5));
  const percents = fine.map((x) => Math.floor(x / 1e9));
  const order = percents.map((_, j) => j).sort((a, b) => percents[a] * 1e9 - fine[a] - (percents[b] * 1e9 - fine[b]));
  for (const j of order.slice(0, 100 - sum(percents))) percents[j] += 1;
  return percents;
}

/** The shares, in whole percents, with which points are mixed to a place. @param {Point[]} points @param {Point} place */
export const sharesAt = (points, place) => wholePercents(mostEven(points, place));
