// The numbers of the scaling explorer: what is derived, what is drawn, and what softmax makes of it.

import { entropy, histogram, mean, norm, softmax, softmaxJacobian, sum, variance } from "../framework/core.js";
import { SETTINGS } from "../framework/settings.js";
import { fillNormals, toGrid } from "./draws.js";

export const KEYS = 8;
export const BINS = 32;
const ROWS = 100;
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
function dotProducts({ d_k, mu_q, mu_k, sigma_q, sigma_k, rho, seed }) {
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

/** What follows from the assumptions alone, with no sample drawn. @param {State} state */
function derive({ d_k, scaling, mu_q, mu_k, sigma_q, sigma_k, rho }) {
  const divisor = { none: 1, sqrt_d_k: Math.sqrt(d_k), d_k }[scaling];
  const scale = 1 / divisor;
  const [s_q, s_k, m_q, m_k] = [sigma_q, sigma_k, mu_q, mu_k].map((x) => x * x);
  const cross = rho * sigma_q * sigma_k * mu_q * mu_k;
  const perFeature = s_q * s_k * (1 + rho * rho) + s_q * m_k + s_k * m_q + 2 * cross;
  const unscaled = d_k * perFeature;
  const scaled = scale * scale * unscaled;
  return {
    divisor,
    scale,
    mean: scale * (d_k * (mu_q * mu_k + rho * sigma_q * sigma_k)),
    "variance-per-feature": perFeature,
    "unscaled-variance": unscaled,
    variance: scaled,
    sd: Math.sqrt(scaled),
    "row-sd": scale * Math.sqrt(s_k * (1 - rho * rho) * (d_k * (s_q + m_q))),
  };
}

/**
 * Half the width of the histogram: fixed while only d_k changes, so that growth is seen.
 * @param {string} scaling
 * @param {number} perFeature
 */
function reachOf(scaling, perFeature) {
  let reach = scaling === "none" ? 64 : 4;
  for (let fits = 2.25; perFeature > fits; fits *= 4) reach *= 2;
  return reach;
}

/** @param {State} state */
export function compute(state) {
  const derived = derive(state);
  const scores = Array.from(dotProducts(state), (product) => product * derived.scale);
  const rows = Array.from({ length: ROWS }, (_, i) => scores.slice(i * KEYS, (i + 1) * KEYS));
  const weights = rows.map(softmax);
  const entropies = weights.map(entropy);
  const norms = weights.map((p) => norm(softmaxJacobian(p)));
  const reach = reachOf(state.scaling, derived["variance-per-feature"]);
  const low = derived.mean - reach;
  const counts = histogram(scores, low, (2 * reach) / BINS, BINS);
  const numbers = {
    ...derived,
    "measured-mean": mean(scores),
    "measured-variance": variance(scores),
    "measured-sd": Math.sqrt(variance(scores)),
    "measured-row-sd": Math.sqrt(mean(rows.map(variance))),
    tallest: Math.max(...counts),
    outside: 1 - sum(counts) / scores.length,
    entropy: entropies[0],
    "mean-entropy": mean(entropies),
    "jacobian-norm": norms[0],
    "mean-jacobian-norm": mean(norms),
    scores: rows[0],
    weights: weights[0],
  };
  return { numbers, counts, low, high: derived.mean + reach };
}
