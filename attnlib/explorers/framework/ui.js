// What explorers are made of on the page: elements, words, symbols, numbers. Nothing here touches the
// document before it is called.

/**
 * What an explorer shows at a moment: what is computed and what the reader has set, and each number
 * of both by the name that it has in the page.
 * @template {(state: any) => object} Compute
 * @typedef {ReturnType<Compute> & {state: Parameters<Compute>[0], named: Named}} Now
 */

/** @typedef {Record<string, number | string>} Named */

/** What is the same in every explorer. @typedef {{named: Named}} Moment */

// A function that takes never can be any that takes its own Now.
/** A text with symbols and numbers, or what makes one of a moment. @typedef {string | ((now: never) => string)} Words */

/** An element with its attributes and children. @typedef {Record<string, string | number>} Attributes */

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** A box of the layout: `attn-controls`, `attn-panels`, … @param {string} name @param {Node[]} children */
export function box(name, ...children) {
  return html("div", { class: `attn-${name}` }, ...children);
}

/** Columns side by side, where there is room; each is a list of nodes. @param {Node[][]} columns */
export function panels(...columns) {
  return box(columns.length > 1 ? "panels" : "panels attn-wide", ...columns.map((nodes) => html("div", {}, ...nodes)));
}

/** A line of words; `name` says where it stands. @param {string} name @param {Words} words */
export function line(name, words) {
  return html("p", { class: `attn-${name}` }, ...pieces(words));
}

/** Words, or a node among them, as nodes. @param {Words | Node} words @returns {(Node | string)[]} */
export function pieces(words) {
  if (typeof words === "string") return rich(words);
  return [typeof words === "function" ? said(words) : words];
}

/**
 * Text with symbols between dollar signs and numbers by their names in braces: "mean $μ_q$ = {mean}".
 * Letters are variables, three or more in a row a name, and so is ln; _ and ^ take one character or
 * a group in braces.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function rich(text) {
  /** @type {(part: string) => (Node | string)[]} */
  const numbers = (part) => part.split(/[{}]/).map((piece, i) => (i % 2 ? place(piece, spoken) : piece));
  return text
    .split("$")
    .flatMap((part, i) => (i % 2 ? html("span", { class: "attn-math" }, ...symbols(part)) : numbers(part)))
    .filter((piece) => piece);
}

/** @param {string} math @returns {(Node | string)[]} */
function symbols(math) {
  const found = math.matchAll(/([_^])(?:\{(.*?)\}|(.))|ln|[A-Za-z]{3,}|(\p{L}\u0303?)|[^_^\p{L}]+/gu);
  return Array.from(found, ([all, level, group, one, letter]) => {
    if (level) return html(level === "_" ? "sub" : "sup", {}, ...symbols(group ?? one));
    return letter ? html("i", {}, letter) : all;
  });
}

/**
 * At least two significant decimals: 0.125, 12.50, 512.0, 2.3×10⁻¹⁴, 4.9×10⁸.
 * @param {number} x
 * @param {number} [decimals] fixed, where it is given
 */
export function formatNumber(x, decimals) {
  const size = Math.abs(x);
  const sign = x < 0 ? "−" : "";
  if (size === Infinity) return `${sign}∞`;
  if (decimals === undefined && ((size > 0 && size < 0.01) || size >= 1e5)) {
    const [digits, exponent] = size.toExponential(1).replace("+", "").split("e");
    return `${sign}${digits}×10${exponent.replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)])}`;
  }
  const text = size.toFixed(decimals ?? (size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0));
  return Number(text) ? sign + text : text;
}

/** A number among words: a whole one has no decimals. @param {number} x */
export function spoken(x) {
  return formatNumber(x, x % 1 ? undefined : 0);
}

/**
 * A place for the number of this name, as `write` puts it. `data-value` holds it in full.
 * @param {string} name
 * @param {(x: number) => string} write
 */
export function place(name, write) {
  const node = html("span", { class: "attn-number", "data-name": name });
  return live(node, (/** @type {Moment} */ { named }) => {
    const x = Number(named[name]);
    const text = write(x);
    if (node.textContent !== text) node.textContent = text;
    node.dataset.value = String(x);
  });
}

/** The number of this name. @param {string} name @param {number} [decimals] */
export function number(name, decimals) {
  return place(name, (x) => formatNumber(x, decimals));
}

/**
 * A node that is brought up to date with every moment, at once: words, numbers, controls, marks.
 * @template {Element} Made
 * @param {Made} node
 * @param {(now: never) => void} update
 */
export function live(node, update) {
  node.classList.add("attn-live");
  return Object.assign(node, { update });
}

/**
 * A node that shows numbers by place, size or shade, and so may ease from one moment to the next:
 * `draw` also gets moments in between.
 * @template {Element} Made
 * @param {Made} node
 * @param {(now: never) => void} draw
 */
export function eased(node, draw) {
  node.classList.add("attn-eased");
  return Object.assign(node, { draw });
}

/** A place for words that follow the state. @param {(now: never) => string} read */
function said(read) {
  const node = html("span");
  return live(node, (now) => node.replaceChildren(...rich(read(now))));
}

/** The labels 1 to n. @param {number} n @returns {string[]} */
export function counted(n) {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}

/** A text with values in place of their names in braces: "token {i}". @param {string} text @param {Named} named */
export function fill(text, named) {
  return text.replace(/\{(.+?)\}/g, (_, name) => {
    const value = named[name];
    return typeof value === "string" ? value : spoken(value);
  });
}
