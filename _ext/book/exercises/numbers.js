// Numbers as people write them: 0.3, 0,3, .5, 1/4, 40 %, in full-width digits and with any minus.

/** What is wrong with what was written.
 * @typedef {"empty" | "number" | "zero" | "percent" | "negative" | "whole"} Fault */

const DECIMAL = String.raw`([-+]?)\s*(\d+(?:[.,]\d*)?|[.,]\d+)`;
const WRITTEN = new RegExp(String.raw`^${DECIMAL}(?:\s*/\s*${DECIMAL})?\s*(%?)$`);

const decimal = (/** @type {string} */ sign, /** @type {string} */ digits) =>
  Number(`${sign}${digits.replace(",", ".")}`);

/** The same in the characters of a plain keyboard. @param {string} text */
const plain = (text) =>
  text
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[−‐‑‒–]/g, "-")
    .replace(/[⁄∕]/g, "/")
    .replace(/[。｡]/g, ".")
    .trim();

/**
 * Read what somebody wrote into a field.
 * @param {string} text
 * @param {"numbers" | "shares" | "sizes"} are what is asked for
 * @returns {number | Fault}
 */
export function readNumber(text, are) {
  const written = plain(text);
  if (!written) return "empty";
  const found = WRITTEN.exec(written);
  if (!found) return "number";
  const [, sign, digits, sign2, digits2, percent] = found;
  const below = digits2 ? decimal(sign2, digits2) : 1;
  if (below === 0) return "zero";
  const value = decimal(sign, digits) / below;
  if (!Number.isFinite(value)) return "number";
  if (percent && are !== "shares") return "percent";
  if (are === "shares" && value < 0) return "negative";
  if (are === "sizes" && !(Number.isInteger(value) && value > 0)) return "whole";
  return percent ? value / 100 : value;
}
