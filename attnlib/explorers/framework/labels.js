// Where labels go so that none covers another, a point or a line.

/** @typedef {import("./hands.js").Point} Point */

/** A label to be put beside a point: how wide and high it is, and how far from the point it begins. */
/** @typedef {{at: Point, wide: number, high: number, gap: number}} Label */

/** A round spot that labels keep off; a label may touch the spot of its own point. @typedef {{at: Point, reach: number, own?: number}} Spot */

const DIRECTIONS = 8;
const RINGS = 2;
// a place that a label has is kept unless another is better by as much
const STAY = 5;

/** Spots along a line, so that labels keep off it. @param {Point} from @param {Point} to @returns {Spot[]} */
export function along(from, to, reach = 3) {
  const parts = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 8));
  return Array.from({ length: parts + 1 }, (_, k) => ({
    at: from.map((x, r) => x + ((to[r] - x) * k) / parts),
    reach,
  }));
}

/** How much of one line another covers. @param {number} reach the most distance at which they touch @param {number} distance */
const overlap = (reach, distance) => Math.max(0, reach - Math.abs(distance));

/**
 * A placer of labels that remembers where it put them: gives the middle of each label, in order.
 * @param {{left: number, right: number, top: number, bottom: number}} frame in which labels stay
 */
export function placer({ left, right, top, bottom }) {
  /** @type {number[]} */
  let before = [];

  /** @param {Label[]} labels @param {Spot[]} spots @returns {Point[]} */
  return (labels, spots) => {
    /** @type {{middle: Point, wide: number, high: number}[]} */
    const put = [];
    before = labels.map(({ at: [x, y], wide, high, gap }, own) => {
      let best = { cost: Infinity, place: 0, middle: [x, y] };
      for (let place = 0; place < DIRECTIONS * RINGS; place++) {
        const turn = ((place % DIRECTIONS) * 2 * Math.PI) / DIRECTIONS;
        const far = gap + (place < DIRECTIONS ? 0 : 8);
        const middle = [x + Math.cos(turn) * (far + wide / 2), y - Math.sin(turn) * (far + high / 2)];
        let cost = place < DIRECTIONS ? 0 : 6;
        // up and to the right is where a reader looks first
        cost += Math.min(place % DIRECTIONS, Math.abs(DIRECTIONS - (place % DIRECTIONS) + 1)) / 4;
        if (place === before[own]) cost -= STAY;
        for (const { at, reach, own: whose } of spots) {
          if (whose === own) continue;
          cost += overlap(wide / 2 + reach, middle[0] - at[0]) * overlap(high / 2 + reach, middle[1] - at[1]);
        }
        for (const other of put) {
          const across = overlap((wide + other.wide) / 2 + 2, middle[0] - other.middle[0]);
          cost += 4 * across * overlap((high + other.high) / 2 + 1, middle[1] - other.middle[1]);
        }
        const isOut = middle[0] - wide / 2 < left || middle[0] + wide / 2 > right;
        if (isOut || middle[1] - high / 2 < top || middle[1] + high / 2 > bottom) cost += 1e4;
        if (cost < best.cost) best = { cost, place, middle };
      }
      put.push({ middle: best.middle, wide, high });
      return best.place;
    });
    return put.map(({ middle }) => middle);
  };
}

/** About how wide a text is, in ems: Chinese is twice as wide as most else. @param {string} text */
export function ems(text) {
  return Array.from(text, (letter) => (letter > "⺀" ? 1 : 0.55)).reduce((total, x) => total + x, 0);
}
