// Tables of an explorer: bars, running sums, matrices.

import { entryName } from "./core.js";
import { box, counted, eased, html, live, number, pieces, rich } from "./ui.js";

/** @import { Origin } from "./provenance.js" */
/** @import { Moment, Named, Words } from "./ui.js" */

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

/** A place that is shaded by a number's share of `most`. @param {HTMLElement} node @param {string} name @param {number} most */
function shaded(node, name, most) {
  node.classList.add("attn-shade");
  return eased(node, (/** @type {Moment} */ { named }) => showShare(node, Number(named[name]) / most));
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
 * @param {number} [decimals]
 */
function barOf(name, kind, tone, shareOf, decimals) {
  const part = html("span", { class: `attn-fill attn-${tone}` });
  const follow = (/** @type {Moment} */ { named }) => showShare(part, ...shareOf(named));
  return box("bar", number(name, decimals), html("span", { class: `attn-track ${kind}` }, eased(part, follow)));
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

/**
 * How a matrix looks: the labels of its rows and of its columns, or how many columns there are; its
 * entries are shaded by their share of `most`, where that is given. `from` tells what an entry is made
 * of, `symbol` what it is called there, where that is not the name.
 * @typedef {{rows: Words[], columns: Words[] | number, corner?: string, most?: number, from?: Origin,
 *   symbol?: string}} Look
 */

/**
 * A matrix as a table: entry i, j is the number `name-i-j`.
 * @param {string} name
 * @param {string} caption
 * @param {string} tone
 * @param {Look} look
 */
export function matrixTable(name, caption, tone, { rows, columns, corner = "", most, from, symbol = name }) {
  const labels = Array.isArray(columns) ? columns : counted(columns);
  const entry = (/** @type {number} */ i, /** @type {number} */ j) => {
    const place = entryName(name, i + 1, j + 1);
    return most ? shaded(number(place, 2), place, most) : number(place, 2);
  };
  const grid = table(
    caption,
    [corner, ...labels],
    rows.map((label, i) => [label, ...labels.map((_, j) => entry(i, j))]),
  );
  grid.classList.add("attn-matrix", "attn-walk", `attn-${tone}`);
  grid.role = "grid";
  // without this JupyterLab takes arrows for commands on the cell
  grid.dataset.lmSuppressShortcuts = "true";
  return Object.assign(grid, { origin: from, symbol });
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
 * far. The bar leads from the sum before to the sum after; `most` is what it can reach, always or at a
 * moment. `decimals` are fixed, where they are given.
 * @param {{caption: string, head: string[], rows: string[], parts: string[], tone: string,
 *   most: number | ((named: Named) => number), decimals?: number}} options
 */
export function runningSum({ caption, head, rows, parts, most, tone, decimals }) {
  const [term, sum] = parts.slice(-2);
  const reach = typeof most === "number" ? () => most : most;
  /** @type {(label: string, t: number) => [string, ...Node[]]} */
  const row = (label, t) => {
    const numbers = parts.slice(0, -1).map((name) => number(entryName(name, t), decimals));
    const part = (/** @type {Named} */ named, /** @type {string} */ name, /** @type {number} */ at) =>
      Number(named[entryName(name, at)]) / reach(named);
    /** @type {(named: Named) => [number, number]} */
    const leads = (named) => [part(named, term, t), t > 1 ? part(named, sum, t - 1) : 0];
    return [label, ...numbers, barOf(entryName(sum, t), "attn-centred", tone, leads, decimals)];
  };
  const grid = table(
    caption,
    head,
    rows.map((label, i) => row(label, i + 1)),
  );
  grid.classList.add("attn-terms");
  return grid;
}
