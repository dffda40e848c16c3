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
 * @param {number[][]} Q
 * @param {number[][]} K
 * @param {number[][]} V
 * @param {(S_scaled: number[][]) => number[][]} [weigh]
 */
export function attend(Q, K, V, weigh = (S_scaled) => S_scaled.map(softmax)) {
  const S = multiply(Q, transpose(K));
  const root = Math.sqrt(K[0].length);
  const S_scaled = S.map((row) => row.map((s) => s / root));
  const A = weigh(S_scaled);
  return { S, S_scaled, A, Z: multiply(A, V) };
}

/**
 * The entries up to column i + `ahead` of row i; `rest` in place of those after it.
 * @param {number[][]} M
 * @param {number} ahead
 * @param {number} rest
 */
export function keep(M, ahead, rest) {
  return M.map((row, i) => row.map((x, j) => (j <= i + ahead ? x : rest)));
}

/** The name that an entry has in the page, its place counted from 1: A-1-1. @param {(string | number)[]} parts */
export function entryName(...parts) {
  return parts.join("-");
}

/**
 * Numbers, lists and matrices entry by entry, by the names they have in the page.
 * @template Entry
 * @param {Record<string, Entry | Entry[] | Entry[][]>} arrays
 * @returns {Record<string, Entry>}
 */
export function entries(arrays) {
  /** @type {Record<string, Entry>} */
  const found = {};
  /** @type {(name: string, x: Entry | Entry[] | Entry[][]) => void} */
  const add = (name, x) => {
    if (Array.isArray(x)) for (const [i, part] of x.entries()) add(entryName(name, i + 1), part);
    else found[name] = x;
  };
  for (const name in arrays) add(name, arrays[name]);
  return found;
}

/** Sums of the first one, two, … numbers. @param {number[]} terms @returns {number[]} */
export function partialSums(terms) {
  let total = 0;
  return terms.map((term) => {
    total += term;
    return total;
  });
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
 * @param {number[][]} M
 * @returns {number}
 */
export function norm(M) {
  return Math.sqrt(sum(M.map((row) => sum(row.map((entry) => entry * entry)))));
}

/**
 * How many values fall into each of `bins` intervals of this width, the first starting at `low`.
 * @param {ArrayLike<number>} x
 * @param {number} low
 * @param {number} width
 * @param {number} bins
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
