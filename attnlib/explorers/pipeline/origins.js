// What an entry of each stage is made of, and the steps in which it is made.

import { each, product, softmaxOf, sumOf } from "../framework/provenance.js";
import { formatNumber } from "../framework/ui.js";
import { columnOf, symbol } from "./needs.js";

/** @import { Origin } from "../framework/provenance.js" */
/** @import { Named } from "../framework/ui.js" */
/** @import { Choice } from "./needs.js" */

const scaled = each("S_scaled", () => "");

/** @type {Record<string, Origin>} */
export const ORIGINS = {
  Q: product("X", "W_Q"),
  K: product("X", "W_K"),
  V: product("X", "W_V"),
  S: product("Q", "K", true),
  S_scaled: each("S", () => "÷ √2"),
  S_masked: {
    sources: scaled.sources,
    says: (i, j, named) => `${scaled.says(i, j, named)}+ ${named.causal === "on" && j > i ? "(−∞)" : 0}`,
  },
  A: softmaxOf("S_masked"),
  Z: product("A", "V"),
};

/**
 * One step of making a cell: the entries that meet in it, what they come to, the terms so far and their
 * sum. The last one is the whole of it.
 * @typedef {{lit: string[], says: string, before: string, sum: number, isWhole: boolean}} Step
 */

/**
 * The steps in which the chosen cell is made: one for each term of its sum, and one more where a sum is
 * not all.
 * @param {{state: Choice, named: Named}} now
 * @returns {Step[]}
 */
export function stepsOf({ state, named }) {
  const { stage, i } = state;
  const j = state[columnOf(stage)];
  const { terms, sources, says } = ORIGINS[stage];
  const whole = says(i, j, named);
  const parts = terms?.(i, j, named) ?? [];
  let sum = 0;
  const steps = parts.map((part, k) => {
    sum += part.value;
    const isWhole = k === parts.length - 1 && sumOf(parts) === whole;
    const before = parts.slice(0, k).map((earlier) => `${earlier.says} + `);
    return { lit: part.sources, says: part.says, before: before.join(""), sum, isWhole };
  });
  if (steps.at(-1)?.isWhole) return steps;
  return [...steps, { lit: sources(i, j, named), says: whole, before: "", sum, isWhole: true }];
}

/** The name of the chosen cell, as it is written. @param {Choice} state */
export const chosenCell = (state) => `$${symbol(state.stage)}_{${state.i}${state[columnOf(state.stage)]}}$`;

/** The chosen cell as its stage makes it, in numbers. @param {{state: Choice, named: Named}} now */
export function equationOf({ state, named }) {
  const { stage, i } = state;
  const j = state[columnOf(stage)];
  const value = formatNumber(Number(named[`${stage}-${i}-${j}`]), 2);
  return `${chosenCell(state)} = ${ORIGINS[stage].says(i, j, named)} = ${value}`;
}
