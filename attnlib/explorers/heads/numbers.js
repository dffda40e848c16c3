// What the heads explorer computes: the stored model on the stored sentences.

import ROLE from "../../tasks/role_weights.json" with { type: "json" };
import { attend, multiply, norm, partialSums, softmax, sum, transpose } from "../framework/core.js";

export const STORY = ROLE;

/** The switches of the heads are strings. @typedef {{sentence: number, swap: string, feature: number, ablation: string, [head: string]: number | string}} HeadsState */

/** Tokens, the place of the verb, the answers. @typedef {{tokens: number[], verb: number, answers: number[]}} Sentence */

export const FOUR = [1, 2, 3, 4]; // heads, features of a head, questions
const scaled = (/** @type {number[][]} */ W) => W.map((row) => row.map((w) => w / ROLE.unit));
const { token_embedding, position_embedding, W_Q, W_K, W_V, W_O, readout } = ROLE.params;
const [EMBEDDED, POSITIONS, OUTPUT] = [token_embedding, position_embedding, W_O].map(scaled);
// these are stored in tenths
const AVERAGES = ROLE.averages.map((row) => row.map((x) => x / 10));
const PROJECTIONS = [W_Q, W_K, W_V].map(scaled);
const READOUT = readout.map(scaled);
export const LONGEST = Math.max(...ROLE.sentences.map(({ tokens }) => tokens.length));

export const isOn = (/** @type {HeadsState} */ state, /** @type {number} */ head) => state[`head_${head}`] === "on";

/** A sentence, its two names exchanged where that is wanted. @param {number} number @param {boolean} isSwapped @returns {Sentence} */
export function sentenceOf(number, isSwapped) {
  const { tokens, verb, answers } = ROLE.sentences[number - 1];
  if (!isSwapped) return { tokens, verb, answers };
  const [giver, thing, receiver, time] = answers;
  const other = (/** @type {number} */ token) => (token === giver ? receiver : token === receiver ? giver : token);
  return { tokens: tokens.map(other), verb, answers: [receiver, thing, giver, time] };
}

/** The verb's row with all heads on: input, and weights, outputs and shares of the heads. @param {Sentence} sentence */
function readVerb({ tokens, verb, answers }) {
  const X = tokens.map((token, j) => {
    const position = POSITIONS[j - verb + ROLE.verb_slot];
    return EMBEDDED[token].map((x, r) => x + position[r]);
  });
  const [Q, K, V] = PROJECTIONS.map((W) => transpose(multiply(X, W)));
  const heads = FOUR.map((h) => {
    const [q, k, v] = [Q, K, V].map((M) => transpose(M.slice(4 * h - 4, 4 * h)));
    return attend([q[verb]], k, v);
  });
  const C = heads.map(({ Z }) => Z[0]);
  const shares = C.map((z, i) => multiply([z], OUTPUT.slice(4 * i, 4 * i + 4))[0]);
  return { x: X[verb], A: heads.map(({ A }) => A[0]), C, shares, answers };
}

/** They do not depend on the switches. @type {Map<string, ReturnType<typeof readVerb>>} */
const READ = new Map();
for (const isSwapped of [false, true]) {
  for (const number of ROLE.sentences.keys()) {
    const sentence = sentenceOf(number + 1, isSwapped);
    // the second sentence is the first one exchanged
    const key = sentence.tokens.join();
    if (!READ.has(key)) READ.set(key, readVerb(sentence));
  }
}

/** The shares as they count: in place of those of heads that are off nothing, or their average. */
/** @param {HeadsState} state @param {number[][]} shares */
function countedShares(state, shares) {
  return shares.map((row, i) => {
    if (isOn(state, i + 1)) return row;
    return state.ablation === "mean" ? AVERAGES[i] : row.map(() => 0);
  });
}

/** @param {HeadsState} state @param {ReturnType<typeof readVerb>} read */
function logitsOf(state, { x, shares }) {
  const y = transpose([x, ...countedShares(state, shares)]).map(sum);
  return READOUT.map((R) => {
    const logits = R[0].map(() => 0);
    for (const [r, row] of R.entries()) for (let word = 0; word < row.length; word++) logits[word] += y[r] * row[word];
    return logits;
  });
}

const likeliest = (/** @type {number[]} */ row) => row.indexOf(Math.max(...row));

/** @param {HeadsState} state */
export function headsNumbers(state) {
  const isSwapped = state.swap === "on";
  const sentence = sentenceOf(state.sentence, isSwapped);
  const read = /** @type {ReturnType<typeof readVerb>} */ (READ.get(sentence.tokens.join()));
  const shares = countedShares(state, read.shares);
  const O = transpose(shares).map(sum);
  const r = state.feature - 1;
  const share = shares.map((row) => row[r]);
  const kept = read.C.map((z, i) => (isOn(state, i + 1) ? z : z.map(() => 0)));
  const instead = share.filter((_, i) => !isOn(state, i + 1));
  const logits = logitsOf(state, read);
  const everywhere = [...READ.values()].map((one) => ({
    answers: one.answers,
    said: logitsOf(state, one).map(likeliest),
  }));
  const numbers = {
    o: O[r],
    concat: multiply([kept.flat()], OUTPUT)[0][r] + sum(instead),
    A: Array.from({ length: LONGEST }, (_, j) => read.A.map((row) => row[j] ?? 0)),
    sum: read.A.map(sum),
    norm: shares.map((row) => norm([row])),
    norm_o: norm([O]),
    norm_x: norm([read.x]),
    stream: FOUR.map((h) => norm([transpose([read.x, ...shares.slice(0, h)]).map(sum)])),
    share,
    so_far: partialSums(share),
    p: logits.map((row, q) => softmax(row)[sentence.answers[q]]),
    answer: logits.map(likeliest),
    right: FOUR.map((_, q) => everywhere.filter(({ answers, said }) => said[q] === answers[q]).length),
  };
  const rowOf = (/** @type {number} */ q) => sentence.tokens.indexOf(sentence.answers[q]);
  // where the one who gives in the sentence as it is stored stands, and the one who receives
  return { numbers, drawn: { names: isSwapped ? [rowOf(2), rowOf(0)] : [rowOf(0), rowOf(2)] } };
}
