// Two vectors of three features lie in a plane, whatever they are. How that plane is laid into the
// picture: their lengths and the angle between them are as they are there.

import { sum } from "../framework/core.js";

/** @typedef {number[]} Vector */

/** The directions among the features that are drawn to the right and up. @typedef {{right: Vector, up: Vector}} Frame */

/** What of a length must lie beside a direction for the two to span a plane that rounding leaves in place. */
const CLEAR = 0.02;

/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => sum(a.map((x, r) => x * b[r]));

/** @param {Vector} a */
export const long = (a) => Math.hypot(...a);

/** @param {Vector} a @param {number} s @param {Vector} b @param {number} t @returns {Vector} */
const blend = (a, s, b, t) => a.map((x, r) => s * x + t * b[r]);

/** @param {Vector} a @returns {Vector} */
const unit = (a) => a.map((x) => x / long(a));

/** What of a vector is at right angles to a unit vector. @param {Vector} a @param {Vector} e */
const beside = (a, e) => blend(a, 1, e, -dot(a, e));

/** A unit vector at right angles to another: beside it the feature that has least of it. @param {Vector} e */
function aside(e) {
  const least = e.map(Math.abs).indexOf(Math.min(...e.map(Math.abs)));
  const axis = e.map((_, r) => Number(r === least));
  return unit(beside(axis, e));
}

/** The angle from one vector of three features to another, in radians; 90° where one has no direction. @param {Vector} q @param {Vector} k */
export function angleBetween(q, k) {
  const across = q.map((_, r) => q[(r + 1) % 3] * k[(r + 2) % 3] - q[(r + 2) % 3] * k[(r + 1) % 3]);
  return long(q) && long(k) ? Math.atan2(long(across), dot(q, k)) : Math.PI / 2;
}

/** Where a vector is drawn, as an angle. @param {Vector} a @param {Frame} frame */
const turnOf = (a, { right, up }) => Math.atan2(dot(a, up), dot(a, right));

/** The direction that is drawn at right angles to an angle, to its left. @param {number} turn @param {Frame} frame */
const leftOf = (turn, { right, up }) => blend(right, -Math.sin(turn), up, Math.cos(turn));

/**
 * The plane of a query and a key. At first the query points to the right, and the key above it; then
 * the query stays where it is drawn, and the key on its side, as far as that can be.
 * @param {Vector} q
 * @param {Vector} k
 * @param {Frame} [before]
 * @returns {Frame}
 */
export function laid(q, k, before) {
  const [first, second] = long(q) ? [q, k] : [k, q];
  if (!long(first)) return before ?? { right: [1, 0, 0], up: [0, 1, 0] };
  const ahead = unit(first);
  const start = first === q ? 0 : Math.PI / 2;
  const turn = before ? turnOf(first, before) : start;
  const was = before ? beside(leftOf(turn, before), ahead) : undefined;
  const off = beside(second, ahead);
  let left = was && long(was) > CLEAR ? unit(was) : aside(ahead);
  // where the two are nearly one line, the plane is what it was
  if (long(off) > CLEAR * long(second)) left = unit(off.map((x) => (was && dot(off, was) < 0 ? -x : x)));
  return {
    right: blend(ahead, Math.cos(turn), left, -Math.sin(turn)),
    up: blend(ahead, Math.sin(turn), left, Math.cos(turn)),
  };
}

/** Where both are drawn: as long as they are, the angle between them as it is. @param {Vector} q @param {Vector} k @param {Frame} frame */
export function placed(q, k, frame) {
  const turn = turnOf(q, frame);
  const side = dot(k, leftOf(turn, frame)) < 0 ? -1 : 1;
  const other = long(q) && long(k) ? turn + side * angleBetween(q, k) : turnOf(k, frame);
  return [
    [long(q) * Math.cos(turn), long(q) * Math.sin(turn)],
    [long(k) * Math.cos(other), long(k) * Math.sin(other)],
  ];
}

/**
 * The vector that is drawn at a place: as long as its features can be, none of them above `most`.
 * @param {number[]} place
 * @param {Frame} frame
 * @param {number} most
 */
export function drawnAt([x, y], { right, up }, most) {
  const vector = blend(right, x, up, y);
  const share = Math.min(1, most / Math.max(...vector.map(Math.abs)));
  return vector.map((feature) => share * feature);
}
