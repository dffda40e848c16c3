// What an entry of a matrix is made of: which entries, and the arithmetic in words. A table of numbers
// is walked with the arrow keys; the cell at hand lights up its sources and says its line.

import { entryName } from "./core.js";
import { formatNumber, html, rich } from "./ui.js";

/** @import { Named } from "./ui.js" */

/**
 * A term of a sum: the names of what it is made of, how it is written, and what it comes to.
 * @typedef {{sources: string[], says: string, value: number}} Term
 */

/**
 * Of entry i, j, counted from 1: the names of the entries that it is made of, and the right side of
 * its equation; `terms` are those of the sum in it, where there is one.
 * @typedef {object} Origin
 * @property {(i: number, j: number, named: Named) => string[]} sources
 * @property {(i: number, j: number, named: Named) => string} says
 * @property {(i: number, j: number, named: Named) => Term[]} [terms]
 */

/** A number as a term of an equation: what is below 0 in brackets. @param {number | string} x */
export function term(x) {
  const written = formatNumber(Number(x), 2);
  return Number(x) < 0 ? `(${written})` : written;
}

/** The places 1, 2, … for which there is a number. @param {Named} named @param {(t: number) => string} nameOf */
function places(named, nameOf) {
  const found = [];
  for (let t = 1; nameOf(t) in named; t++) found.push(t);
  return found;
}

/** The places 1, 2, … for which a row of a matrix has one. @param {Named} named @param {string} name @param {number} i */
export const columnsOf = (named, name, i) => places(named, (t) => entryName(name, i, t));

/** A sum, as it is written. @param {Term[]} terms */
export const sumOf = (terms) => terms.map(({ says }) => says).join(" + ");

/**
 * The product of two matrices, of the second turned where `isTurned`.
 * @param {string} left
 * @param {string} right
 * @returns {Origin}
 */
export function product(left, right, isTurned = false) {
  /** @type {(i: number, j: number, named: Named) => Term[]} */
  const terms = (i, j, named) =>
    columnsOf(named, left, i).map((t) => {
      const sources = [entryName(left, i, t), isTurned ? entryName(right, j, t) : entryName(right, t, j)];
      const [a, b] = sources.map((name) => Number(named[name]));
      return { sources, says: `${term(a)} × ${term(b)}`, value: a * b };
    });
  return {
    terms,
    sources: (i, j, named) => terms(i, j, named).flatMap(({ sources }) => sources),
    says: (i, j, named) => sumOf(terms(i, j, named)),
  };
}

/**
 * A matrix, entry by entry, and something done to each.
 * @param {string} name
 * @param {(i: number, j: number) => string} rest
 * @returns {Origin}
 */
export function each(name, rest) {
  return {
    sources: (i, j) => [entryName(name, i, j)],
    says: (i, j, named) => `${term(named[entryName(name, i, j)])} ${rest(i, j)}`,
  };
}

/**
 * Softmax along the rows of a matrix.
 * @param {string} name
 * @returns {Origin}
 */
export function softmaxOf(name) {
  /** @type {(i: number, j: number, named: Named) => Term[]} */
  const terms = (i, _, named) =>
    columnsOf(named, name, i).map((t) => {
      const source = entryName(name, i, t);
      const x = Number(named[source]);
      return { sources: [source], says: `$e^{${formatNumber(x, 2)}}$`, value: Math.exp(x) };
    });
  return {
    terms,
    sources: (i, j, named) => terms(i, j, named).flatMap(({ sources }) => sources),
    says(i, j, named) {
      const powers = terms(i, j, named);
      return `${powers[j - 1].says} ÷ (${sumOf(powers)})`;
    },
  };
}

/** The cells of a table that can be walked: tables whose entries say where they come from. */
const CELL = "tbody td:has([data-name])";
const CELLS = `.attn-walk ${CELL}`;

/** @param {EventTarget | null} target @returns {HTMLTableCellElement | null} */
const cellOf = (target) => (target instanceof Element ? target.closest(CELLS) : null);

/** @type {Record<string, [down: number, right: number]>} */
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Where a key leads from a cell: to its neighbour, or to the end of its row.
 * @param {HTMLTableCellElement} cell
 * @param {string} key
 */
function walked(cell, key) {
  const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
  const body = /** @type {HTMLTableSectionElement} */ (row.parentElement);
  if (key === "Home") return row.querySelector(CELLS);
  if (key === "End") return [...row.querySelectorAll(CELLS)].at(-1);
  const [down, right] = WAYS[key] ?? [0, 0];
  const rows = [...body.rows].filter(({ hidden }) => !hidden);
  return cellOf(rows[rows.indexOf(row) + down]?.cells[cell.cellIndex + right] ?? null);
}

/**
 * The line that an explorer says of the cell at hand; without one it tells how to find out.
 * @param {HTMLElement} root
 * @param {string} invitation
 */
export function pointing(root, invitation) {
  const words = html("p", { class: "attn-made" }, invitation);
  /** @type {HTMLTableCellElement | undefined} */
  let at;
  /** @type {Named} */
  let named = {};

  function light() {
    for (const lit of root.querySelectorAll(".attn-source")) lit.classList.remove("attn-source");
    for (const lit of root.querySelectorAll(".attn-pointed")) lit.classList.remove("attn-pointed");
    words.classList.toggle("attn-says", Boolean(at));
    if (!at) {
      words.replaceChildren(invitation);
      return;
    }
    const grid = /** @type {HTMLTableElement & {origin?: Origin, symbol: string}} */ (at.closest("table"));
    const place = [/** @type {HTMLTableRowElement} */ (at.parentNode).rowIndex, at.cellIndex];
    const [i, j] = place;
    const name = at.querySelector("[data-name]")?.getAttribute("data-name") ?? "";
    at.classList.add("attn-pointed");
    const left = `$${grid.symbol}_{${i}${j}}$`;
    const value = formatNumber(Number(named[name]), 2);
    const { origin } = grid;
    for (const source of origin?.sources(i, j, named) ?? []) {
      const lit = root.querySelector(`[data-name="${source}"], input[name="${source}"]`);
      lit?.closest("td")?.classList.add("attn-source");
    }
    const middle = origin ? `= ${origin.says(i, j, named)} ` : "";
    words.replaceChildren(...rich(`${left} ${middle}= ${value}`));
    at.ariaDescription = words.textContent;
  }

  /** @param {HTMLTableCellElement | null | undefined} cell */
  function point(cell) {
    if (cell === at) return;
    if (at) at.ariaDescription = null;
    at = cell ?? undefined;
    light();
  }

  /** The cell that Tab leads to in its table. @param {HTMLTableCellElement} cell */
  function enter(cell) {
    for (const other of cell.closest("table")?.querySelectorAll("td[tabindex='0']") ?? []) {
      other.setAttribute("tabindex", "-1");
    }
    cell.tabIndex = 0;
  }

  root.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "mouse" && cellOf(target)) point(cellOf(target));
  });
  root.addEventListener("pointerleave", ({ pointerType }) => {
    // what has the focus stays lit
    if (pointerType === "mouse") point(cellOf(document.activeElement));
  });
  root.addEventListener("focusin", ({ target }) => {
    const cell = cellOf(target);
    if (cell) enter(cell);
    point(cell);
  });
  root.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      cell.click();
    }
    if (!(event.key in WAYS) && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const next = /** @type {HTMLElement | null | undefined} */ (walked(cell, event.key));
    next?.focus();
  });
  for (const grid of root.querySelectorAll(".attn-walk")) {
    const [first, ...others] = /** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll(CELL));
    if (first) first.tabIndex = 0;
    for (const cell of others) cell.tabIndex = -1;
  }
  return {
    words,
    /** The numbers have changed. @param {Named} changed */
    update(changed) {
      named = changed;
      if (at) light();
    },
  };
}
