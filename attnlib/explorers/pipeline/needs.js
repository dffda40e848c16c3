// The matrices of the formula, and which of their entries depend on which.

import { SETTINGS } from "../framework/settings.js";
import { counted } from "../framework/ui.js";

/**
 * @typedef {{stage: string, i: number, j: number, r: number, causal: string, X: number[][],
 *   W_Q: number[][], W_K: number[][], W_V: number[][]}} State
 */

/** Some rows and columns of a matrix, counted from 1. @typedef {{rows: number[], columns: number[]}} Block */

/** Each matrix: its size, and the role of its colour. */
export const MATRICES = {
  X: { rows: 5, columns: 2, tone: "scores" },
  W_Q: { rows: 2, columns: 2, tone: "query" },
  W_K: { rows: 2, columns: 2, tone: "key" },
  W_V: { rows: 2, columns: 2, tone: "value" },
  Q: { rows: 5, columns: 2, tone: "query" },
  K: { rows: 5, columns: 2, tone: "key" },
  V: { rows: 5, columns: 2, tone: "value" },
  S: { rows: 5, columns: 5, tone: "signed" },
  S_scaled: { rows: 5, columns: 5, tone: "signed" },
  S_masked: { rows: 5, columns: 5, tone: "signed" },
  A: { rows: 5, columns: 5, tone: "weights" },
  Z: { rows: 5, columns: 2, tone: "output" },
};

/** @typedef {keyof typeof MATRICES} Name */

export const STAGES = Object.keys(SETTINGS.stage?.options ?? {});

/** @param {number} n */
export const upTo = (n) => counted(n).map(Number);
const FEATURES = upTo(2);

/** @type {(name: string) => string} */
export const symbol = (name) => ({ S_scaled: "S̃", S_masked: "(S̃ + M)" })[name] ?? name;

/** The trait that has the column of the chosen cell. @param {string} stage @returns {"j" | "r"} */
export const columnOf = (stage) => (MATRICES[/** @type {Name} */ (stage)].columns === 5 ? "j" : "r");

/** @param {{i: number, causal: string}} state */
export const seenBy = ({ i, causal }) => upTo(causal === "on" ? i : 5);

/** @typedef {Pick<State, "stage" | "i" | "j" | "r" | "causal">} Choice */

/**
 * By matrix, the chosen cell and all it depends on, from Z back to X.
 * @param {Choice} state
 */
export function needs(state) {
  const { stage, i } = state;
  const seen = seenBy(state);
  /** @typedef {(block: Block) => Record<string, Block>} Source */
  /** @type {(left: string, right: string, inner: number[]) => Source} */
  const factors =
    (left, right, inner) =>
    ({ rows, columns }) => ({
      [left]: { rows, columns: inner },
      [right]: { rows: inner, columns },
    });
  /** @type {Record<string, Source>} */
  const sources = {
    Z: factors("A", "V", seen),
    // the weight of a key that is seen alone is 1, whatever the score
    A: ({ rows, columns: [j] }) => ({ S_masked: { rows, columns: seen.length > 1 && seen.includes(j) ? seen : [] } }),
    S_masked: ({ rows, columns }) => ({ S_scaled: { rows, columns: columns.filter((j) => seen.includes(j)) } }),
    S_scaled: (block) => ({ S: block }),
    S: ({ rows, columns }) => ({ Q: { rows, columns: FEATURES }, K: { rows: columns, columns: FEATURES } }),
    V: factors("X", "W_V", FEATURES),
    K: factors("X", "W_K", FEATURES),
    Q: factors("X", "W_Q", FEATURES),
  };
  /** @type {Record<string, Block>} */
  const found = { [stage]: { rows: [i], columns: [state[columnOf(stage)]] } };
  for (const name in sources) {
    const blocks = found[name] ? sources[name](found[name]) : {};
    for (const [source, { rows, columns }] of Object.entries(blocks)) {
      const all = [...rows, ...(found[source]?.rows ?? [])];
      if (rows.length && columns.length) found[source] = { rows: upTo(5).filter((row) => all.includes(row)), columns };
    }
  }
  return found;
}

/** An entry of a matrix, its place counted from 1. @typedef {{name: string, i: number, j: number}} Entry */

/** Whether an entry is in a block. @param {Block | undefined} block @param {number} i @param {number} j */
export const isIn = (block, i, j) => Boolean(block?.rows.includes(i) && block.columns.includes(j));

/** @type {Record<string, Entry[]>} */
const KNOWN = {};

/**
 * All entries that depend on one of what is given: the way of a number through the formula.
 * @param {Entry} given
 * @param {string} causal
 */
export function followersOf({ name, i, j }, causal) {
  const key = [name, i, j, causal].join(" ");
  KNOWN[key] ??= STAGES.flatMap((stage) => {
    const { rows, columns } = MATRICES[/** @type {Name} */ (stage)];
    const cells = upTo(rows).flatMap((row) => upTo(columns).map((column) => ({ name: stage, i: row, j: column })));
    return cells.filter((cell) => isIn(needs({ stage, i: cell.i, j: cell.j, r: cell.j, causal })[name], i, j));
  });
  return KNOWN[key];
}
