// Seeded random numbers, the same bits as draws.py: integers modulo 2³², and floating-point
// operations that IEEE 754 rounds the same way everywhere (+ − × ÷ √).

const GOLDEN = 0x9e3779b9;
const PAIRS = 2 ** 19;

/** @param {number} x */
function scramble(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Between −1 and 1, neither included nor 0. @param {number} key @param {number} index */
function uniform(key, index) {
  return (scramble((key + Math.imul(index, GOLDEN)) | 0) + 0.5) / 2147483648;
}

/** ln x for 0 < x < 1, to 10 digits. @param {number} x */
function ln(x) {
  let halvings = 0;
  for (; x < 0.75; x *= 2) halvings += 1;
  const f = (x - 1) / (x + 1);
  const g = f * f;
  const series = g * (1 / 3 + g * (1 / 5 + g * (1 / 7 + g * (1 / 9 + g * (1 / 11 + g / 13)))));
  return 2 * f * (1 + series) - halvings * Math.LN2;
}

/**
 * Write standard normal numbers into `out[from … to − 1]`, both even, at most 2²⁰. Number i is
 * a function of `seed` and i alone (the polar method: a point in the disc gives two numbers).
 * @param {Float64Array} out
 * @param {number} seed
 * @param {number} from
 * @param {number} to
 */
export function fillNormals(out, seed, from, to) {
  const key = scramble(seed ^ GOLDEN);
  for (let pair = from / 2; pair < to / 2; pair++) {
    let a;
    let b;
    let s;
    let index = 2 * pair;
    do {
      a = uniform(key, index);
      b = uniform(key, index + 1);
      s = a * a + b * b;
      index += 2 * PAIRS;
    } while (s >= 1);
    const stretch = Math.sqrt((-2 * ln(s)) / s);
    out[2 * pair] = a * stretch;
    out[2 * pair + 1] = b * stretch;
  }
}

/** Round to the nearest multiple of 2⁻¹⁶: products and sums of such numbers carry no rounding. @param {number} x */
export function toGrid(x) {
  return Math.floor(x * 65536 + 0.5) / 65536;
}
