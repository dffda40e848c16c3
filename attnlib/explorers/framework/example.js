// The running example and its one head.

import STORED from "../../example.json" with { type: "json" };
import { attend, multiply } from "./core.js";

export const EXAMPLE = STORED;

/** Its head. */
export const HEAD = selfAttention(EXAMPLE.X, EXAMPLE);

/**
 * Q, K, V, S, S_scaled, A and Z of an input; `weigh` makes weights of scaled scores.
 * @param {number[][]} X
 * @param {{W_Q: number[][], W_K: number[][], W_V: number[][]}} projections
 * @param {(S_scaled: number[][]) => number[][]} [weigh]
 */
export function selfAttention(X, { W_Q, W_K, W_V }, weigh) {
  const [Q, K, V] = [W_Q, W_K, W_V].map((W) => multiply(X, W));
  return { Q, K, V, ...attend(Q, K, V, weigh) };
}
