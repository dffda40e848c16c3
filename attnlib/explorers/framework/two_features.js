// The running example cut down to two features, small enough to be drawn.

import { EXAMPLE, selfAttention } from "./example.js";
import KEPT from "./two_features.json" with { type: "json" };

/** @type {(M: number[][], rows: number[]) => number[][]} */
const rowsOf = (M, rows) => rows.map((i) => M[i]);
/** @type {(M: number[][], columns: number[]) => number[][]} */
const columnsOfAll = (M, columns) => M.map((row) => columns.map((j) => row[j]));

const { features, of_queries_and_keys: kept } = KEPT;
const [W_Q, W_K] = [EXAMPLE.W_Q, EXAMPLE.W_K].map((W) => columnsOfAll(rowsOf(W, features), kept));

/** Its queries, keys and values. */
export const SMALL = selfAttention(columnsOfAll(EXAMPLE.X, features), {
  W_Q,
  W_K,
  W_V: rowsOf(EXAMPLE.W_V, features),
});
