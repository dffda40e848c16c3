// The convex hull of points in the plane.

/** @typedef {number[]} Point */

/** Positive where a, b, c turn left. @param {Point} a @param {Point} b @param {Point} c */
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * The corners of the convex hull of points, in order around it: their indices.
 * @param {Point[]} points @returns {number[]}
 */
export function hull(points) {
  const order = points.map((_, i) => i).sort((a, b) => points[a][0] - points[b][0] || points[a][1] - points[b][1]);
  /** @type {(sorted: number[]) => number[]} */
  const half = (sorted) => {
    /** @type {number[]} */
    const kept = [];
    for (const i of sorted) {
      const turnsLeft = () => turn(points[kept[kept.length - 2]], points[kept[kept.length - 1]], points[i]) > 0;
      while (kept.length > 1 && !turnsLeft()) kept.pop();
      kept.push(i);
    }
    return kept.slice(0, -1);
  };
  const around = [...half(order), ...half(order.reverse())];
  return around.length ? around : [0];
}

// what is nearer to the border than this counts as on it
const NEAR = 1e-6;

/**
 * The pairs of corners between which the border runs; one point is a pair.
 * @param {Point[]} points @returns {[number, number][]}
 */
function sidesOf(points) {
  const around = hull(points);
  return around.map((a, k) => [a, around[(k + 1) % around.length]]);
}

/** Whether a place lies inside the hull, not on its border. @param {Point[]} points @param {Point} place */
export function isInside(points, place) {
  const sides = sidesOf(points);
  const depths = sides.map(([a, b]) => {
    const [p, q] = [points[a], points[b]];
    return turn(p, q, place) / Math.hypot(q[0] - p[0], q[1] - p[1]);
  });
  // a hull of one or two corners has no inside
  return sides.length > 2 && Math.min(...depths) > NEAR;
}

/**
 * The two corners between which the border is nearest to a place, and how far along: 0 at the first.
 * @param {Point[]} points @param {Point} place
 */
export function onBorder(points, place) {
  const found = sidesOf(points).map(([a, b]) => {
    const [[x, y], [right, up]] = [points[a], points[b]];
    const [across, high] = [right - x, up - y];
    const along = ((place[0] - x) * across + (place[1] - y) * high) / (across * across + high * high || 1);
    const share = Math.min(1, Math.max(0, along));
    const distance = Math.hypot(x + share * across - place[0], y + share * high - place[1]);
    return { distance, a, b, share };
  });
  return found.reduce((best, one) => (one.distance < best.distance ? one : best));
}
