// What explorers are made of on the page: symbols, numbers, bars, tables, matrices. Nothing here
// touches the document before it is called.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
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
export function line(name, ...pieces) {
  return h("p", { class: `attn-${name}` }, ...pieces.flatMap((piece) => (piece.split ? rich(piece) : piece)));
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Text with symbols between dollar signs: "mean $μ_q$". Letters are variables, three or
 * more in a row a name, and so is ln; _ and ^ take one character or a group in braces.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function rich(text) {
  const spans = (part, i) => (i % 2 ? h("span", { class: "attn-math" }, ...symbols(part)) : part);
  return text.split("$").map(spans).filter((piece) => piece);
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

/**
 * A place for the number that a result has under this name. `data-value` holds it in full.
 * @param {string} name
 * @param {{decimals?: number, percent?: boolean, copy?: boolean}} [options] `copy` where the
 *   number stands elsewhere already
 */
export function number(name, { decimals, percent, copy } = {}) {
  const place = h("span", { class: "attn-number", [copy ? "data-copy" : "data-name"]: name });
  if (decimals !== undefined) place.dataset.decimals = decimals;
  if (percent) place.dataset.percent = "";
  return place;
}

/** A place for a whole number. */
export function digit(name) {
  return number(name, { decimals: 0 });
}

/** Write a number into its place. */
export function showNumber(place, value) {
  const { name, copy, decimals, percent } = place.dataset;
  const x = value[name ?? copy];
  const fixed = decimals === undefined ? undefined : Number(decimals);
  const text = percent === undefined ? formatNumber(x, fixed) : `${formatNumber(100 * x, 1)} %`;
  if (place.textContent !== text) place.textContent = text;
  place.dataset.value = String(x);
}

/**
 * A number with a bar of its size; `tone` is a role of the palette.
 * @param {string} name
 * @param {number} most the value that fills the bar
 * @param {string} tone
 */
export function bar(name, most, tone) {
  const fill = h("span", { class: `attn-fill attn-${tone}`, "data-bar": name, "data-most": most });
  return h("div", { class: "attn-bar" }, number(name), h("span", { class: "attn-track" }, fill));
}

/**
 * A table whose rows and columns have header cells.
 * @param {string} caption
 * @param {string[]} head one label for each column, the corner first
 * @param {[string, ...Node[]][]} rows the label of the row, then its cells
 */
export function table(caption, head, rows) {
  const columns = head.map((label) => (label ? h("th", { scope: "col" }, ...rich(label)) : h("td")));
  const lines = rows.map(([label, ...cells]) =>
    h("tr", {}, h("th", { scope: "row" }, ...rich(label)), ...cells.map((cell) => h("td", {}, cell))),
  );
  return h(
    "table",
    { class: "attn-table" },
    h("caption", {}, ...rich(caption)),
    h("thead", {}, h("tr", {}, ...columns)),
    h("tbody", {}, ...lines),
  );
}

/** The labels 1 to n. @param {number} n @returns {string[]} */
export function counted(n) {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}

/**
 * A matrix as a table: entry i, j is the number `name-i-j`, shaded by its share of `most`, where
 * that is given; `columns` are their labels, or how many there are.
 * @param {{name: string, caption: string, corner?: string, rows: string[], columns: string[] | number,
 *   most?: number, tone: string, decimals?: number}} options
 */
export function matrix({ name, caption, corner = "", rows, columns, most, tone, decimals = 2 }) {
  const labels = columns.map ? columns : counted(columns);
  const lines = rows.map((label, i) => [
    label,
    ...labels.map((_, j) => {
      const place = number(`${name}-${i + 1}-${j + 1}`, { decimals });
      if (most) {
        place.classList.add("attn-shade");
        place.dataset.most = most;
      }
      return place;
    }),
  ]);
  const grid = table(caption, [corner, ...labels], lines);
  grid.classList.add("attn-matrix", `attn-${tone}`);
  return grid;
}

/**
 * A sum as a table, one row for each term: its factors, the term and the sum so far. The bar leads
 * from the sum before to the sum after; `most` is what it can reach.
 * @param {{caption: string, head: string[], rows: string[], factors: string[], term: string,
 *   sum: string, most: number, tone: string}} options
 */
export function runningSum({ caption, head, rows, factors, term, sum, most, tone }) {
  const lines = rows.map((label, t) => {
    const names = [...factors, term].map((name) => number(`${name}-${t + 1}`));
    const fill = h("span", { class: `attn-fill attn-${tone}`, "data-bar": `${term}-${t + 1}`, "data-most": most });
    if (t) fill.dataset.from = `${sum}-${t}`;
    const track = h("span", { class: "attn-track attn-centred" }, fill);
    return [label, ...names, h("div", { class: "attn-bar" }, number(`${sum}-${t + 1}`), track)];
  });
  const grid = table(caption, head, lines);
  grid.classList.add("attn-terms");
  return grid;
}

/**
 * A plane from −3 to 3 in both directions, or a multiple of it. `show` draws lines through points
 * and points with a text; what is `hollow` is drawn as an outline.
 * @typedef {{line?: number[][], at?: number[], text?: string, tone: string, hollow?: boolean,
 *   size?: number}} Shape
 * @param {string} label
 * @returns {{node: Element, show: (shapes: Shape[]) => void}}
 */
export function plane(label) {
  const shapesNode = svg("g");
  const ends = [[-3, 0.3], [3, 0.3], [0.3, -3], [0.3, 3]].map(([x, y]) =>
    svg("text", { x: 30 * x, y: -30 * y + 4, "text-anchor": "middle" }),
  );
  const grid = [-3, -2, -1, 0, 1, 2, 3].map((k) =>
    svg("path", { class: k ? "attn-grid" : "attn-axis", d: `M${30 * k} -90V90M-90 ${30 * k}H90` }),
  );
  const frame = { viewBox: "-104 -104 208 208", class: "attn-picture attn-plane", role: "img", "aria-label": label };
  const node = svg("svg", frame, ...grid, ...ends, shapesNode);

  function show(shapes) {
    const most = Math.max(...shapes.flatMap(({ line = [], at = [] }) => [line, at].flat(2)).map(Math.abs));
    let unit = 1;
    while (3 * unit < most) unit *= 2;
    ends.forEach((end, i) => (end.textContent = formatNumber(i % 2 ? 3 * unit : -3 * unit, 0)));
    const place = ([x, y]) => [(30 * x) / unit, (-30 * y) / unit];
    const drawn = shapes.map(({ line, at, text = "", tone, hollow, size = 4 }) => {
      const className = `attn-${tone}${hollow ? " attn-hollow" : ""}`;
      if (line) return svg("path", { class: `attn-line ${className}`, d: `M${line.map(place).join("L")}` });
      const [x, y] = place(at);
      const words = svg("text", { x: x + size + 3, y: y - size }, text);
      return svg("g", { class: className }, svg("circle", { cx: x, cy: y, r: size }), words);
    });
    shapesNode.replaceChildren(...drawn);
  }
  return { node, show };
}

/** Size or shade what stands for a number; in a running sum, place it too. */
export function showShare(place, value) {
  const { bar: name = place.dataset.name, most, from } = place.dataset;
  const share = value[name] / Number(most);
  const start = from ? value[from] / Number(most) : 0;
  place.style.setProperty("--attn-from", Math.min(start, start + share));
  place.style.setProperty("--attn-share", Math.min(1, Math.abs(share)));
  place.classList.toggle("attn-negative", share < 0);
}
