// The sample of the scaling explorer: 100 queries, each with 8 keys of its own; their dot products, and
// how some of these are added up product by product.

import { SETTINGS } from "../framework/settings.js";
import { fillNormals, toGrid } from "./draws.js";

export const ROWS = 100;
export const KEYS = 8;
const PER_FEATURE = ROWS * (1 + KEYS);

/**
 * @typedef {object} State
 * @property {number} d_k
 * @property {"none" | "sqrt_d_k" | "d_k"} scaling
 * @property {number} mu_q
 * @property {number} mu_k
 * @property {number} sigma_q
 * @property {number} sigma_k
 * @property {number} rho
 * @property {number} seed
 */

/** The last sample: its seed, and how many features of it are drawn. */
const sample = { seed: -1, features: 0, z: new Float64Array(0) };

/**
 * The sample's normal numbers for at least so many features.
 * @param {number} seed
 * @param {number} features
 */
function normals(seed, features) {
  if (!sample.z.length) sample.z = new Float64Array(SETTINGS.d_k.high * PER_FEATURE);
  if (sample.seed !== seed) Object.assign(sample, { seed, features: 0 });
  if (sample.features < features) {
    fillNormals(sample.z, seed, sample.features * PER_FEATURE, features * PER_FEATURE);
    sample.features = features;
  }
  return sample.z;
}

/** Dot products q·k: for each of 100 queries those with its 8 keys. @param {State} state */
export function dotProducts({ d_k, mu_q, mu_k, sigma_q, sigma_k, rho, seed }) {
  const z = normals(seed, d_k);
  const rest = Math.sqrt(1 - rho * rho);
  const products = new Float64Array(ROWS * KEYS);
  let next = 0;
  for (let r = 0; r < d_k; r++) {
    for (let first = 0; first < ROWS * KEYS; first += KEYS) {
      const z_q = z[next++];
      const q = toGrid(mu_q + sigma_q * z_q);
      for (let j = 0; j < KEYS; j++) {
        products[first + j] += q * toGrid(mu_k + sigma_k * (rho * z_q + rest * z[next++]));
      }
    }
  }
  return products;
}

/**
 * Sums of the first 0, 1, … 512 products: of query 1 with its 8 keys, and of every query with its first.
 * @typedef {{row: Float64Array[], crowd: Float64Array[]}} Walks
 */

/** @type {{of: string, walks: Walks}} */
const kept = { of: "", walks: { row: [], crowd: [] } };

/**
 * The walks of a sample. They depend on neither d_k nor the divisor: while only these change, it is the
 * same object that is given.
 * @param {State} state
 */
export function walksOf({ mu_q, mu_k, sigma_q, sigma_k, rho, seed }) {
  const of = [mu_q, mu_k, sigma_q, sigma_k, rho, seed].join();
  if (kept.of === of) return kept.walks;
  const most = SETTINGS.d_k.high;
  const z = normals(seed, most);
  const rest = Math.sqrt(1 - rho * rho);
  const walk = (/** @type {number} */ i, /** @type {number} */ j) => {
    const sums = new Float64Array(most + 1);
    for (let r = 0, at = i * (1 + KEYS); r < most; r++, at += PER_FEATURE) {
      const k = mu_k + sigma_k * (rho * z[at] + rest * z[at + 1 + j]);
      sums[r + 1] = sums[r] + toGrid(mu_q + sigma_q * z[at]) * toGrid(k);
    }
    return sums;
  };
  const row = Array.from({ length: KEYS }, (_, j) => walk(0, j));
  const crowd = Array.from({ length: ROWS }, (_, i) => (i ? walk(i, 0) : row[0]));
  return Object.assign(kept, { of, walks: { row, crowd } }).walks;
}
