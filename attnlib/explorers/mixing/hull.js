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
