// The level line through z and the one that no mixture passes, across the direction of a pull.

/** @typedef {import("../framework/hull.js").Point} Point */

const EDGE = 3;

/** The direction of so many degrees, of length 1. @param {number} degrees @returns {Point} */
export function wayOf(degrees) {
  const turned = (degrees / 180) * Math.PI;
  return [Math.cos(turned), Math.sin(turned)];
}

/** The whole degrees, from 0 to 359, of the way from one point to another. @param {Point} from @param {Point} to */
export function degreesOf([x, y], [right, up]) {
  const degrees = Math.round((Math.atan2(up - y, right - x) / Math.PI) * 180);
  return (degrees + 360) % 360;
}

/**
 * The ends, on the edge of the plane, of the line of all points at a height in a direction.
 * @param {Point} way @param {number} height @returns {[Point, Point]}
 */
export function levelLine([x, y], height) {
  const middle = [height * x, height * y];
  const along = [-y, x];
  let [from, to] = [-Infinity, Infinity];
  for (const r of [0, 1]) {
    if (Math.abs(along[r]) < 1e-9) continue;
    const [a, b] = [-EDGE, EDGE].map((edge) => (edge - middle[r]) / along[r]).sort((s, t) => s - t);
    [from, to] = [Math.max(from, a), Math.min(to, b)];
  }
  const at = (/** @type {number} */ t) => middle.map((m, r) => Math.min(EDGE, Math.max(-EDGE, m + t * along[r])));
  return [at(from), at(to)];
}
