// What the causal explorer computes: the head before and after the change, trained and written.

import { attend, keep, multiply, softmax, sum } from "../framework/core.js";
import { EXAMPLE, HEAD, selfAttention } from "../framework/example.js";

/** @typedef {{mask: string, token: number, factor: number, i: number, step: number}} CausalState */

/** How each mask makes weights of scaled scores. @type {Record<string, (S: number[][]) => number[][]>} */
const WEIGH = {
  none: (S) => S.map(softmax),
  causal: (S) => keep(S, 0, -Infinity).map(softmax),
  zero_before: (S) => keep(S, 0, 0).map(softmax),
  zero_after: (S) => keep(S.map(softmax), 0, 0),
  off_by_one: (S) => keep(S, 1, -Infinity).map(softmax),
};

/** The largest difference of each pair of rows. @param {number[][]} A @param {number[][]} B */
const apartOf = (A, B) => A.map((row, i) => Math.max(...row.map((x, r) => Math.abs(B[i][r] - x))));

/** The output of each token when it is read and no later one is there. @param {number[][]} X */
function writtenOf(X) {
  const [Q, K, V] = [EXAMPLE.W_Q, EXAMPLE.W_K, EXAMPLE.W_V].map((W) => multiply(X, W));
  return X.map((_, i) => attend([Q[i]], K.slice(0, i + 1), V.slice(0, i + 1)).Z[0]);
}

/** @param {CausalState} state */
export function causalNumbers({ mask, token, factor, i, step }) {
  const changed = EXAMPLE.X.map((row, j) => (j === token - 1 ? row.map((x) => factor * x) : row));
  const { V, A, Z } = selfAttention(EXAMPLE.X, EXAMPLE, WEIGH[mask]);
  const { V: V_after, A: A_after, Z: after } = selfAttention(changed, EXAMPLE, WEIGH[mask]);
  const written = writtenOf(changed);
  const [free, kept] = [HEAD.A[i - 1], A[i - 1]];
  const seen = (/** @type {number[]} */ row) => sum(row.slice(0, i));
  const rows = Array.from({ length: step }, (_, k) => k + 1);
  const numbers = {
    V,
    A,
    Z,
    V_after,
    A_after,
    after,
    moved: apartOf(Z, after),
    onToken: A.map((row) => row[token - 1]),
    free,
    kept,
    "seen-free": seen(free),
    "seen-kept": seen(kept),
    written,
    apart: apartOf(after, written),
    masked: A.length * A.length,
    cached: sum(rows),
    afresh: sum(rows.map((n) => n * n)),
  };
  // a token that is not changed is taken once
  return { numbers, drawn: { factors: A.map((_, j) => (j === token - 1 ? factor : 1)) } };
}
