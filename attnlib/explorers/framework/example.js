// The running example, as in attnlib/example.py, and its one head.

import { attend, multiply } from "./core.js";

export const EXAMPLE = {
  tokens: ["小明", "把", "书", "送给", "小红"],
  gloss: ["Xiaoming", "BA", "book", "gives", "Xiaohong"],
  X: [
    [1, -1, 0, 0],
    [0, 0, -1, 1],
    [0, -1, 0, -1],
    [1, 1, 1, -1],
    [2, 0, 1, 1],
  ],
  W_Q: [
    [1, 1, 1],
    [-1, 0, 0],
    [0, 0, -1],
    [0, 0, -1],
  ],
  W_K: [
    [1, 1, -1],
    [1, -1, -1],
    [-1, 0, 1],
    [-1, 0, 0],
  ],
  W_V: [
    [1, 1],
    [2, -1],
    [-1, 0],
    [0, 1],
  ],
};

/** Its head. */
export const HEAD = selfAttention(EXAMPLE.X, EXAMPLE);

/** Two of its features each, as `TWO_FEATURES` of sentence.py. */
export const TWO_FEATURES = {
  X: [
    [1, 0],
    [0, 1],
    [0, -1],
    [1, -1],
    [2, 1],
  ],
  W_Q: [
    [1, 1],
    [0, -1],
  ],
  W_K: [
    [1, -1],
    [-1, 0],
  ],
  W_V: [
    [1, 1],
    [0, 1],
  ],
};

/** The ranges of these matrices where the reader may change them. */
export const TWO_FEATURES_RANGES = { X: [-3, 3, 5, 2], W_Q: [-3, 3, 2, 2], W_K: [-3, 3, 2, 2], W_V: [-3, 3, 2, 2] };

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
