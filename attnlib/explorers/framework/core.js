// The arithmetic of the explorers. Nothing here knows of a page.

/**
 * Weights exp(x_j) / Σ exp(x_t), the maximum subtracted first.
 * @param {ArrayLike<number>} x
 * @returns {number[]}
 */
export function softmax(x) {
  const row = Array.from(x);
  const top = Math.max(...row);
  const powers = row.map((value) => Math.exp(value - top));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/** @param {ArrayLike<number>} x @returns {number} */
export function sum(x) {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i];
  return total;
}

/** @param {number[][]} A @returns {number[][]} */
export function transpose(A) {
  return A[0].map((_, j) => A.map((row) => row[j]));
}

/** The matrix product A B. @param {number[][]} A @param {number[][]} B @returns {number[][]} */
export function multiply(A, B) {
  const columns = transpose(B);
  return A.map((row) => columns.map((column) => sum(row.map((a, t) => a * column[t]))));
}

/**
 * One head: S = Q Kᵀ, S / √d_k, A, Z = A V; `weigh` makes weights of scaled scores.
 * @param {(S_scaled: number[][]) => number[][]} [weigh]
 */
export function attend(Q, K, V, weigh = (S_scaled) => S_scaled.map(softmax)) {
  const S = multiply(Q, transpose(K));
  const root = Math.sqrt(K[0].length);
  const S_scaled = S.map((row) => row.map((s) => s / root));
  const A = weigh(S_scaled);
  return { S, S_scaled, A, Z: multiply(A, V) };
}

/** The entries up to column i + `ahead` of row i; `rest` in place of those after it. */
export function keep(M, ahead, rest) {
  return M.map((row, i) => row.map((x, j) => (j <= i + ahead ? x : rest)));
}

/**
 * Matrices entry by entry, `A-1-1`, and lists, `sum-1`, by the names they have in the page.
 * @param {Record<string, number[][] | number[]>} arrays
 * @returns {Record<string, number>}
 */
export function entries(arrays) {
  const named = ([name, x]) =>
    Array.isArray(x) ? x.flatMap((part, i) => named([`${name}-${i + 1}`, part])) : [[name, x]];
  return Object.fromEntries(Object.entries(arrays).flatMap(named));
}

/** Sums of the first one, two, … numbers. @param {number[]} terms @returns {number[]} */
export function partialSums(terms) {
  let total = 0;
  return terms.map((term) => (total += term));
}

/**
 * The corners of the convex hull of points in the plane, in order around it: their indices.
 * @param {number[][]} points @returns {number[]}
 */
export function hull(points) {
  const order = points.map((_, i) => i).sort((a, b) => points[a][0] - points[b][0] || points[a][1] - points[b][1]);
  const turn = ([a, b], [c, d], [e, f]) => (c - a) * (f - b) - (d - b) * (e - a);
  const half = (sorted) =>
    sorted.reduce((kept, i) => {
      while (kept.length > 1 && turn(points[kept.at(-2)], points[kept.at(-1)], points[i]) <= 0) kept.pop();
      return [...kept, i];
    }, []);
  const around = [...half(order).slice(0, -1), ...half(order.reverse()).slice(0, -1)];
  return around.length ? around : [0];
}

/** @param {ArrayLike<number>} x @returns {number} */
export function mean(x) {
  return sum(x) / x.length;
}

/**
 * Sample variance, divided by n − 1.
 * @param {ArrayLike<number>} x
 * @returns {number}
 */
export function variance(x) {
  const centre = mean(x);
  let total = 0;
  for (let i = 0; i < x.length; i++) total += (x[i] - centre) * (x[i] - centre);
  return total / (x.length - 1);
}

/**
 * −Σ p ln p, where 0 ln 0 is 0.
 * @param {ArrayLike<number>} p
 * @returns {number}
 */
export function entropy(p) {
  let total = 0;
  for (let i = 0; i < p.length; i++) if (p[i] > 0) total -= p[i] * Math.log(p[i]);
  return total;
}

/**
 * The Jacobian of softmax at weights p: diag(p) − pᵀp.
 * @param {ArrayLike<number>} p
 * @returns {number[][]}
 */
export function softmaxJacobian(p) {
  const row = Array.from(p);
  return row.map((a, i) => row.map((b, j) => (i === j ? a - a * b : -a * b)));
}

/**
 * Frobenius norm: the root of the sum of all squared entries.
 * @param {number[][]} matrix
 * @returns {number}
 */
export function norm(matrix) {
  return Math.sqrt(sum(matrix.map((row) => sum(row.map((entry) => entry * entry)))));
}

/**
 * How many values fall into each of `bins` intervals of this width, the first starting at `low`.
 * @param {ArrayLike<number>} x
 * @returns {number[]}
 */
export function histogram(x, low, width, bins) {
  const counts = new Array(bins).fill(0);
  for (let i = 0; i < x.length; i++) {
    const bin = Math.floor((x[i] - low) / width);
    if (bin >= 0 && bin < bins) counts[bin] += 1;
  }
  return counts;
}

/** Round to the nearest multiple of 2⁻¹⁶: products and sums of such numbers carry no rounding. */
export function toGrid(x) {
  return Math.floor(x * 65536 + 0.5) / 65536;
}

// Seeded random numbers, the same bits as attnlib/explorers/draws.py: integers modulo 2³², and
// floating-point operations that IEEE 754 rounds the same way everywhere (+ − × ÷ √).

const GOLDEN = 0x9e3779b9;
const PAIRS = 2 ** 19;

function scramble(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Between −1 and 1, neither included nor 0. */
function uniform(key, index) {
  return (scramble((key + Math.imul(index, GOLDEN)) | 0) + 0.5) / 2147483648;
}

/** ln x for 0 < x < 1, to 10 digits. */
function ln(x) {
  let halvings = 0;
  for (; x < 0.75; x *= 2) halvings += 1;
  const f = (x - 1) / (x + 1);
  const g = f * f;
  const series = g * (1 / 3 + g * (1 / 5 + g * (1 / 7 + g * (1 / 9 + g * (1 / 11 + g / 13)))));
  return 2 * f * (1 + series) - halvings * Math.LN2;
}

/**
 * Write standard normal numbers into `out[from … to − 1]`, both even, at most 2²⁰. Number i is
 * a function of `seed` and i alone (the polar method: a point in the disc gives two numbers).
 * @param {Float64Array} out
 * @param {number} seed
 */
export function fillNormals(out, seed, from, to) {
  const key = scramble(seed ^ GOLDEN);
  for (let pair = from / 2; pair < to / 2; pair++) {
    let a;
    let b;
    let s;
    let index = 2 * pair;
    do {
      a = uniform(key, index);
      b = uniform(key, index + 1);
      s = a * a + b * b;
      index += 2 * PAIRS;
    } while (s >= 1);
    const stretch = Math.sqrt((-2 * ln(s)) / s);
    out[2 * pair] = a * stretch;
    out[2 * pair + 1] = b * stretch;
  }
}
