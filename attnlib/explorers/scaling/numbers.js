// The numbers of the scaling explorer: what is derived, what is drawn, and what softmax makes of it.

import {
  entropy,
  entryName,
  histogram,
  mean,
  norm,
  softmax,
  softmaxJacobian,
  sum,
  variance,
} from "../framework/core.js";
import { dotProducts, KEYS, ROWS, walksOf } from "./sample.js";

/** @import { State } from "./sample.js" */

export const BINS = 32;
// a weight that reacts to its own score by less is stuck, in the words of chapter 4
export const STUCK = 0.001;

/** The three divisors, by the name of their option. @param {number} d_k @returns {Record<string, number>} */
const divisorsOf = (d_k) => ({ none: 1, sqrt_d_k: Math.sqrt(d_k), d_k });

/** What follows from the assumptions alone, with no sample drawn. @param {State} state */
function derive({ d_k, scaling, mu_q, mu_k, sigma_q, sigma_k, rho }) {
  const divisor = divisorsOf(d_k)[scaling];
  const scale = 1 / divisor;
  const [s_q, s_k, m_q, m_k] = [sigma_q, sigma_k, mu_q, mu_k].map((x) => x * x);
  const cross = rho * sigma_q * sigma_k * mu_q * mu_k;
  const meanPerFeature = mu_q * mu_k + rho * sigma_q * sigma_k;
  const perFeature = s_q * s_k * (1 + rho * rho) + s_q * m_k + s_k * m_q + 2 * cross;
  const unscaled = d_k * perFeature;
  const scaled = scale * scale * unscaled;
  return {
    divisor,
    scale,
    mean: scale * (d_k * meanPerFeature),
    "mean-per-feature": meanPerFeature,
    "variance-per-feature": perFeature,
    "unscaled-sd": Math.sqrt(unscaled),
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

/** The middle of some numbers. @param {number[]} x */
function median(x) {
  const [half, sorted] = [x.length / 2, Float64Array.from(x).sort()];
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2;
}

/** Medians over rows: of the largest of a row, of the second one, … @param {number[][]} rows */
function typicalOf(rows) {
  const sorted = rows.map((row) => Float64Array.from(row).sort().reverse());
  return rows[0].map((_, rank) => median(sorted.map((row) => row[rank])));
}

/** @param {State} state */
export function compute(state) {
  const derived = derive(state);
  const sums = Array.from(dotProducts(state));
  const scores = sums.map((product) => product * derived.scale);
  const rows = Array.from({ length: ROWS }, (_, i) => scores.slice(i * KEYS, (i + 1) * KEYS));
  const weights = rows.map(softmax);
  const entropies = weights.map(entropy);
  const norms = weights.map((p) => norm(softmaxJacobian(p)));
  const reach = reachOf(state.scaling, derived["variance-per-feature"]);
  const low = derived.mean - reach;
  const counts = histogram(scores, low, (2 * reach) / BINS, BINS);
  const row = sums.slice(0, KEYS);
  const reactions = weights[0].map((p) => p - p * p);
  // the same row, were it divided by another divisor
  const others = Object.entries(divisorsOf(state.d_k)).map(([of, divisor]) => [
    entryName("weights", of),
    softmax(row.map((s) => s * (1 / divisor))),
  ]);
  const numbers = {
    ...derived,
    "measured-mean": mean(scores),
    "measured-variance": variance(scores),
    "measured-sd": Math.sqrt(variance(scores)),
    "measured-unscaled-sd": Math.sqrt(variance(sums)),
    "measured-row-sd": Math.sqrt(mean(rows.map(variance))),
    tallest: Math.max(...counts),
    outside: 1 - sum(counts) / scores.length,
    entropy: entropies[0],
    "mean-entropy": mean(entropies),
    "jacobian-norm": norms[0],
    "mean-jacobian-norm": mean(norms),
    sums: row,
    scores: rows[0],
    weights: weights[0],
    reactions,
    stuck: reactions.filter((reaction) => reaction < STUCK).length,
    typical: typicalOf(weights),
    .../** @type {Record<string, number[]>} */ (Object.fromEntries(others)),
  };
  const drawn = { features: state.d_k, counts };
  // a function, so that nobody pays for what is not drawn
  return { numbers, drawn, counts, low, high: derived.mean + reach, walks: () => walksOf(state) };
}
