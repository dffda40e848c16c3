// What explorers are made of on the page: symbols, numbers, bars, tables, matrices. Nothing here
// touches the document before it is called.

/** An HTML element. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A box of the layout: `attn-controls`, `attn-panels`, … */
export function box(name, ...children) {
  return h("div", { class: `attn-${name}` }, ...children);
}

/** Columns side by side, where there is room; each is a list of nodes. */
export function panels(...columns) {
  return box(columns.length > 1 ? "panels" : "panels attn-wide", ...columns.map((nodes) => h("div", {}, ...nodes)));
}

/** A line of words with symbols and numbers; `name` says where it stands. */
export function line(name, text) {
  return h("p", { class: `attn-${name}` }, ...pieces(text));
}

/** A text in pieces; words that follow the state, where it is a function; or the node that it is. */
function pieces(text) {
  return text.split ? rich(text) : [text.call ? said(text) : text];
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Text with symbols between dollar signs and numbers by their names in braces: "mean $μ_q$ = {mean}".
 * Letters are variables, three or more in a row a name, and so is ln; _ and ^ take one character or
 * a group in braces.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function rich(text) {
  const numbers = (part) => part.split(/[{}]/).map((piece, i) => (i % 2 ? number(piece, "") : piece));
  const spans = (part, i) => (i % 2 ? h("span", { class: "attn-math" }, ...symbols(part)) : numbers(part));
  return text
    .split("$")
    .flatMap(spans)
    .filter((piece) => piece);
}

function symbols(math) {
  const pieces = math.matchAll(/([_^])(?:\{(.*?)\}|(.))|ln|[A-Za-z]{3,}|(\p{L}\u0303?)|[^_^\p{L}]+/gu);
  return Array.from(pieces, ([all, level, group, one, letter]) => {
    if (level) return h(level === "_" ? "sub" : "sup", {}, ...symbols(group ?? one));
    return letter ? h("i", {}, letter) : all;
  });
}

/**
 * At least two significant decimals: 0.125, 12.50, 512.0, 2.3×10⁻¹⁴, 4.9×10⁸.
 * @param {number} x
 * @param {number | string} [decimals] fixed, where it is given
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

/** A number among words: a whole one has no decimals. */
export function spoken(x) {
  return formatNumber(x, x % 1 ? undefined : 0);
}

/**
 * A place for the number that a result has under this name. `data-value` holds it in full.
 * @param {string} name
 * @param {number | ""} [decimals] "" for a number among words
 * @param {number} [most] shades the place by the number's share of it
 */
export function number(name, decimals, most) {
  const place = h("span", { class: "attn-number", "data-name": name });
  if (most) place.classList.add("attn-shade");
  return live(place, (value) => {
    const x = value[name];
    const text = decimals === "" ? spoken(x) : formatNumber(x, decimals);
    if (place.textContent !== text) place.textContent = text;
    place.dataset.value = x;
    if (most) showShare(place, x / most);
  });
}

/** A node that is brought up to date with every new result. */
export function live(node, update) {
  node.classList.add("attn-live");
  return Object.assign(node, { update });
}

/** A place for words that follow the state: what `read` makes of a result, symbols in dollar signs. */
function said(read) {
  const place = h("span");
  return live(place, (value, result) => place.replaceChildren(...rich(read(value, result))));
}

/** A text with values in place of their names in braces: "token {i}". */
export function fill(text, value) {
  return text.replace(/\{(.+?)\}/g, (_, name) => (value[name].at ? value[name] : spoken(value[name])));
}

/** Size or shade a place by a share, from −1 to 1, which begins at `start`. */
function showShare(place, share, start = 0) {
  place.style.setProperty("--attn-from", Math.min(start, start + share));
  place.style.setProperty("--attn-share", Math.min(1, Math.abs(share)));
  place.classList.toggle("attn-negative", share < 0);
}

/**
 * A number with a bar of its size; `tone` is a role of the palette.
 * @param {string} name
 * @param {number} most the value that fills the bar
 * @param {string} tone
 */
export function bar(name, most, tone) {
  return barOf(name, "", tone, (value) => [value[name] / most]);
}

function barOf(name, kind, tone, shareOf) {
  const fill = h("span", { class: `attn-fill attn-${tone}` });
  const track = h(
    "span",
    { class: `attn-track ${kind}` },
    live(fill, (value) => showShare(fill, ...shareOf(value))),
  );
  return box("bar", number(name), track);
}

/**
 * A table whose rows and columns have header cells.
 * @param {string} caption
 * @param {(string | Function)[]} head one label for each column, the corner first
 * @param {(string | Function | Node)[][]} rows the label of the row, then its cells
 */
export function table(caption, head, rows) {
  const columns = head.map((label) => (label ? h("th", { scope: "col" }, ...pieces(label)) : h("td")));
  const lines = rows.map(([label, ...cells]) =>
    h("tr", {}, h("th", { scope: "row" }, ...pieces(label)), ...cells.map((cell) => h("td", {}, ...pieces(cell)))),
  );
  const [top, body] = [h("thead", {}, h("tr", {}, ...columns)), h("tbody", {}, ...lines)];
  return h("table", { class: "attn-table" }, h("caption", {}, ...rich(caption)), top, body);
}

/** The labels 1 to n. @param {number} n @returns {string[]} */
export function counted(n) {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}

/**
 * A matrix as a table: entry i, j is the number `name-i-j`, shaded by its share of `most`, where
 * that is given; `columns` are their labels, or how many there are.
 * @param {string} name
 * @param {string} caption
 * @param {(string | Function)[] | number} columns
 * @param {string} tone
 * @param {{rows: (string | Function)[], corner?: string, most?: number}} look
 */
export function matrix(name, caption, columns, tone, { corner = "", rows, most }) {
  const labels = columns.map ? columns : counted(columns);
  const lines = rows.map((label, i) => [label, ...labels.map((_, j) => number(`${name}-${i + 1}-${j + 1}`, 2, most))]);
  const grid = table(caption, [corner, ...labels], lines);
  grid.classList.add("attn-matrix", `attn-${tone}`);
  return grid;
}

/** Mark cells of a matrix: what `isMarked` says of row i, column j. */
export function mark(grid, isMarked) {
  for (const cell of grid.querySelectorAll("tbody td")) {
    const [i, j] = [cell.parentNode.rowIndex, cell.cellIndex];
    live(cell, (value, result) => (cell.ariaCurrent = isMarked(i, j, value, result) || null));
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
  const lines = rows.map((label, t) => {
    const numbers = parts.slice(0, -1).map((name) => number(`${name}-${t + 1}`));
    const share = (value) => [value[`${term}-${t + 1}`] / most, t && value[`${sum}-${t}`] / most];
    return [label, ...numbers, barOf(`${sum}-${t + 1}`, "attn-centred", tone, share)];
  });
  const grid = table(caption, head, lines);
  grid.classList.add("attn-terms");
  return grid;
}

/**
 * A plane from −3 to 3 in both directions, or a multiple of it, with lines through points and points
 * with a text; what is `hollow` is drawn as an outline.
 * @typedef {{line?: number[][], at?: number[], text?: string | number, tone: string, hollow?: boolean,
 *   size?: number}} Shape
 * @param {string} caption
 * @param {(value: Record<string, any>, result: any) => Shape[]} shapesOf
 */
export function plane(caption, shapesOf) {
  const node = svg("svg", { viewBox: "-104 -104 208 208", class: "attn-picture attn-plane", role: "img" });
  node.ariaLabel = caption.replaceAll("$", "");
  const grid = [-3, -2, -1, 0, 1, 2, 3].map((k) =>
    svg("path", { class: k ? "attn-grid" : "attn-axis", d: `M${30 * k} -90V90M-90 ${30 * k}H90` }),
  );
  const ends = [
    [-90, 13],
    [90, 13],
    [9, 94],
    [9, -86],
  ];

  live(node, (value, result) => {
    const shapes = shapesOf(value, result);
    const most = Math.max(...shapes.flatMap(({ line = [], at = [] }) => [line, at].flat(2)).map(Math.abs));
    let unit = 1;
    while (3 * unit < most) unit *= 2;
    const place = ([x, y]) => [(30 * x) / unit, (-30 * y) / unit];
    const drawn = shapes.map(({ line, at, text = "", tone, hollow, size = 4 }) => {
      const className = `attn-${tone}${hollow ? " attn-hollow" : ""}`;
      if (line) return svg("path", { class: `attn-line ${className}`, d: `M${line.map(place).join("L")}` });
      const [x, y] = place(at);
      const words = svg("text", { x: x + size + 3, y: y - size }, text);
      return svg("g", { class: className }, svg("circle", { cx: x, cy: y, r: size }), words);
    });
    const bounds = ends.map(([x, y], i) =>
      svg("text", { x, y, "text-anchor": "middle" }, spoken(i % 2 ? 3 * unit : -3 * unit)),
    );
    node.replaceChildren(...grid, ...bounds, ...drawn);
  });
  return [node, line("note", caption)];
}
