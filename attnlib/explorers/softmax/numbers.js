// The numbers of the softmax explorer: what softmax is taken of, and what comes out.

import { entropy, softmax, softmaxJacobian, sum } from "../framework/core.js";

export const PLACES = [1, 2, 3, 4, 5];

/** The scores are numbers, too. @param {{temperature: number, shift: number, [score: string]: number}} state */
export function compute({ temperature, shift, ...rest }) {
  const scores = PLACES.map((j) => rest[`score_${j}`]);
  const x = scores.map((s) => (s + shift) / temperature);
  const exp = x.map(Math.exp);
  const weight = softmax(x);
  const J = softmaxJacobian(weight).map((row) => row.map((slope) => slope / temperature));
  const totals = { "exp-sum": sum(exp), "weight-sum": sum(weight), entropy: entropy(weight) };
  return { numbers: { x, exp, weight, J, ...totals }, drawn: { scores } };
}
