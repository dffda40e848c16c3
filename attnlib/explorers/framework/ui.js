// What explorers are made of on the page: symbols, numbers, bars, tables, matrices. Nothing here
// touches the document before it is called.

import { entryName } from "./core.js";

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
function pieces(words) {
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
 * @param {number} [most] shades the place by the number's share of it
 */
function place(name, write, most) {
  const node = html("span", { class: "attn-number", "data-name": name });
  if (most) node.classList.add("attn-shade");
  return live(node, (/** @type {Moment} */ { named }) => {
    const x = Number(named[name]);
    const text = write(x);
    if (node.textContent !== text) node.textContent = text;
    node.dataset.value = String(x);
    if (most) showShare(node, x / most);
  });
}

/** The number of this name. @param {string} name @param {number} [decimals] @param {number} [most] shades the place */
export function number(name, decimals, most) {
  return place(name, (x) => formatNumber(x, decimals), most);
}

/**
 * A node that is brought up to date with every moment.
 * @template {Element} Made
 * @param {Made} node
 * @param {(now: never) => void} update
 */
export function live(node, update) {
  node.classList.add("attn-live");
  return Object.assign(node, { update });
}

/** A place for words that follow the state. @param {(now: never) => string} read */
function said(read) {
  const node = html("span");
  return live(node, (now) => node.replaceChildren(...rich(read(now))));
}

/** A text with values in place of their names in braces: "token {i}". @param {string} text @param {Named} named */
export function fill(text, named) {
  return text.replace(/\{(.+?)\}/g, (_, name) => {
    const value = named[name];
    return typeof value === "string" ? value : spoken(value);
  });
}

/**
 * Size or shade a place by a share, from −1 to 1, which begins at `start`.
 * @param {HTMLElement} node
 * @param {number} share
 */
function showShare(node, share, start = 0) {
  node.style.setProperty("--attn-from", String(Math.min(start, start + share)));
  node.style.setProperty("--attn-share", String(Math.min(1, Math.abs(share))));
  node.classList.toggle("attn-negative", share < 0);
}

/**
 * A number with a bar of its size; `tone` is a role of the palette.
 * @param {string} name
 * @param {number} most the value that fills the bar
 * @param {string} tone
 */
export function bar(name, most, tone) {
  return barOf(name, "", tone, (named) => [Number(named[name]) / most]);
}

/**
 * @param {string} name
 * @param {string} kind
 * @param {string} tone
 * @param {(named: Named) => [share: number, start?: number]} shareOf
 */
function barOf(name, kind, tone, shareOf) {
  const part = html("span", { class: `attn-fill attn-${tone}` });
  const follow = (/** @type {Moment} */ { named }) => showShare(part, ...shareOf(named));
  return box("bar", number(name), html("span", { class: `attn-track ${kind}` }, live(part, follow)));
}

/**
 * A table whose rows and columns have header cells.
 * @param {string} caption
 * @param {Words[]} head one label for each column, the corner first
 * @param {[label: Words, ...cells: (Words | Node)[]][]} rows
 */
export function table(caption, head, rows) {
  const columns = head.map((label) => (label ? html("th", { scope: "col" }, ...pieces(label)) : html("td")));
  const lines = rows.map(([label, ...cells]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, ...pieces(label)),
      ...cells.map((cell) => html("td", {}, ...pieces(cell))),
    ),
  );
  const [top, body] = [html("thead", {}, html("tr", {}, ...columns)), html("tbody", {}, ...lines)];
  return html("table", { class: "attn-table" }, html("caption", {}, ...rich(caption)), top, body);
}

/** The labels 1 to n. @param {number} n @returns {string[]} */
export function counted(n) {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}

/**
 * How a matrix looks: the labels of its rows and of its columns, or how many columns there are; its
 * entries are shaded by their share of `most`, where that is given.
 * @typedef {{rows: Words[], columns: Words[] | number, corner?: string, most?: number}} Look
 */

/**
 * A matrix as a table: entry i, j is the number `name-i-j`.
 * @param {string} name
 * @param {string} caption
 * @param {string} tone
 * @param {Look} look
 */
export function matrixTable(name, caption, tone, { rows, columns, corner = "", most }) {
  const labels = Array.isArray(columns) ? columns : counted(columns);
  const entry = (/** @type {number} */ i, /** @type {number} */ j) => number(entryName(name, i + 1, j + 1), 2, most);
  const grid = table(
    caption,
    [corner, ...labels],
    rows.map((label, i) => [label, ...labels.map((_, j) => entry(i, j))]),
  );
  grid.classList.add("attn-matrix", `attn-${tone}`);
  return grid;
}

/** The row and the column of an entry, counted from 1. @param {HTMLTableCellElement} cell @returns {[number, number]} */
export function placeOf(cell) {
  return [/** @type {HTMLTableRowElement} */ (cell.parentNode).rowIndex, cell.cellIndex];
}

/**
 * Mark entries of a matrix with `aria-current`: what is said of row i, column j.
 * @param {HTMLTableElement} grid
 * @param {(i: number, j: number, now: never) => boolean | "location" | undefined} markOf
 */
export function mark(grid, markOf) {
  for (const cell of grid.querySelectorAll("td")) {
    if (!cell.closest("tbody")) continue;
    const [i, j] = placeOf(cell);
    live(cell, (now) => {
      cell.ariaCurrent = String(markOf(i, j, now) || "") || null;
    });
  }
}

/**
 * A sum as a table, one row for each term: its `parts`, the last of which are the term and the sum so
 * far. The bar leads from the sum before to the sum after; `most` is what it can reach.
 * @param {{caption: string, head: string[], rows: string[], parts: string[], most: number,
 *   tone: string}} options
 */
export function runningSum({ caption, head, rows, parts, most, tone }) {
  const [term, sum] = parts.slice(-2);
  /** @type {(label: string, t: number) => [string, ...Node[]]} */
  const row = (label, t) => {
    const numbers = parts.slice(0, -1).map((name) => number(entryName(name, t)));
    const part = (/** @type {Named} */ named, /** @type {string} */ name, /** @type {number} */ at) =>
      Number(named[entryName(name, at)]) / most;
    const bar = barOf(entryName(sum, t), "attn-centred", tone, (named) => [
      part(named, term, t),
      t > 1 ? part(named, sum, t - 1) : 0,
    ]);
    return [label, ...numbers, bar];
  };
  const grid = table(
    caption,
    head,
    rows.map((label, i) => row(label, i + 1)),
  );
  grid.classList.add("attn-terms");
  return grid;
}

/**
 * Lines through points, and points with a text; what is `hollow` is drawn as an outline.
 * @typedef {{line?: number[][], at?: number[], text?: string | number, tone: string, hollow?: boolean,
 *   size?: number}} Shape
 */

/**
 * A plane from −3 to 3 in both directions, or a multiple of it.
 * @param {string} caption
 * @param {(now: never) => Shape[]} shapesOf
 */
export function plane(caption, shapesOf) {
  const node = svg("svg", { viewBox: "-104 -104 208 208", class: "attn-picture attn-plane", role: "img" });
  node.ariaLabel = caption.replaceAll("$", "");
  const grid = [-3, -2, -1, 0, 1, 2, 3].map((k) =>
    svg("path", { class: k ? "attn-grid" : "attn-axis", d: `M${30 * k} -90V90M-90 ${30 * k}H90` }),
  );

  live(node, (now) => {
    const shapes = shapesOf(now);
    const most = Math.max(...shapes.flatMap(({ line = [], at = [] }) => [...line.flat(), ...at]).map(Math.abs));
    let unit = 1;
    while (3 * unit < most) unit *= 2;
    const onPlane = (/** @type {number[]} */ [x, y]) => [(30 * x) / unit, (-30 * y) / unit];
    const drawn = shapes.map(({ line, at = [], text = "", tone, hollow, size = 4 }) => {
      const className = `attn-${tone}${hollow ? " attn-hollow" : ""}`;
      if (line) return svg("path", { class: `attn-line ${className}`, d: `M${line.map(onPlane).join("L")}` });
      const [x, y] = onPlane(at);
      const words = svg("text", { x: x + size + 3, y: y - size }, String(text));
      return svg("g", { class: className }, svg("circle", { cx: x, cy: y, r: size }), words);
    });
    const bound = (/** @type {number} */ end, /** @type {number} */ x, /** @type {number} */ y) =>
      svg("text", { x, y, "text-anchor": "middle" }, spoken(end * unit));
    const bounds = [bound(-3, -90, 13), bound(3, 90, 13), bound(-3, 9, 94), bound(3, 9, -86)];
    node.replaceChildren(...grid, ...bounds, ...drawn);
  });
  return [node, line("note", caption)];
}
