// What declared.py does, for a page: judge a written answer by the properties of an exercise, the
// data of which exported.py gives.

/** What a field holds: a number or a row of them, a word, or the members of a set.
 * @typedef {number | string | (number | string)[]} Value */

/** @typedef {{name: string, kind: "numbers", size: number, are: "numbers" | "shares" | "sizes"}} Numbers */
/** @typedef {{name: string, kind: "choice", options: {en: string}[]}} Choice */
/** @typedef {{name: string, kind: "set", options: (number | string)[], least: number}} Members */
/** @typedef {Numbers | Choice | Members} Field */

/** @typedef {{kind: string, field: string | null, expected: any, within: number | null}} Rule */
/** @typedef {{fields: Field[], properties: {rule: Rule}[]}} Exercise */

const TOLERANCE = 1e-5;

/** A row, or what stands for one. @param {any} value @returns {any[]} */
const row = (value) => (Array.isArray(value) ? value : [value]);

/** @param {any} value @param {any} expected @param {(expected: number) => number} allowed */
const close = (value, expected, allowed) => {
  const right = row(expected);
  return row(value).every((x, i) => Math.abs(x - right[i]) <= allowed(right[i]));
};

/** The same but for rounding. @param {any} value @param {any} expected */
function same(value, expected) {
  const largest = Math.max(1, ...row(expected).map(Math.abs));
  return close(value, expected, (x) => TOLERANCE * (largest + Math.abs(x)));
}

/** @param {any} value @param {any} expected @param {number} within */
const near = (value, expected, within) => close(value, expected, () => within);

/** Whether a dot product is positive, and not just by rounding. @param {number[]} value @param {number[]} other */
const ahead = (value, other) =>
  other.reduce((sum, x, i) => sum + x * value[i], 0) > TOLERANCE * Math.max(...value.map(Math.abs));

const sorted = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b);

/** Whether all members of a set are in another. @param {any} value @param {any} others */
const inside = (value, others) => row(value).every((x) => row(others).map(String).includes(String(x)));

/** @type {Record<string, (value: any, expected: any, within: any) => boolean>} */
const KINDS = {
  form: () => true,
  is: same,
  near,
  sum: (value, expected, within) =>
    Math.abs(value.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) - expected) < within,
  signs: (value, expected) =>
    value.every((/** @type {number} */ x, /** @type {number} */ i) => Math.sign(x) === expected[i]),
  multiset: (value, expected) => same(sorted(value), sorted(expected)),
  proportional: (value, expected, within) =>
    value[0] > 0 &&
    near(
      value.map((/** @type {number} */ x) => (x * expected[0]) / value[0]),
      expected,
      within,
    ),
  positive: (value, expected) => expected.every((/** @type {number[]} */ other) => ahead(value, other)),
  word: (value, expected) => value === expected,
  set: (value, expected) => inside(value, expected) && inside(expected, value),
  "one of": (value, expected) => row(value).length > 0 && inside(value, expected),
};

/** Whether a value is of the form that a field asks for. @param {Field} field @param {any} value */
function fits(field, value) {
  if (field.kind === "choice") return field.options.some((option) => option.en === value);
  const parts = row(value);
  if (field.kind === "set") {
    return parts.length >= field.least && inside(parts, field.options);
  }
  const alone = field.size === 1 || Array.isArray(value);
  return alone && parts.length === field.size && parts.every((part) => typeof part === "number");
}

/**
 * Judge an answer: how many properties hold, one after the other, and whether that is all.
 * @param {Exercise} exercise
 * @param {Record<string, Value>} answer
 */
export function judge({ fields, properties }, answer) {
  const names = fields.map((field) => field.name);
  const readable =
    Object.keys(answer).every((name) => names.includes(name)) &&
    fields.every((field) => Object.hasOwn(answer, field.name) && fits(field, answer[field.name]));
  const failed = properties.findIndex(({ rule: { kind, field, expected, within } }) => {
    return !(readable && KINDS[kind](field === null ? null : answer[field], expected, within));
  });
  return { held: failed < 0 ? properties.length : failed, right: failed < 0 };
}
