// An explorer: controls that write to a model, and a view that follows it.

import { entries } from "./core.js";
import { EXAMPLE } from "./example.js";
import { box, counted, formatNumber, h, matrix, number, rich, showNumber, showShare, table } from "./ui.js";

/**
 * What an explorer knows of its model: anywidget's in Jupyter, that of element.js on a page.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 */

/**
 * Bounds, of a matrix with its rows and columns; or the options of a string.
 * @typedef {[number, number] | [number, number, "whole"] | [number, number, number, number] | string[]} Range
 * @typedef {Record<string, Range>} Ranges
 */

/** @typedef {{numbers: Record<string, number>, [more: string]: any}} Result */

/** @typedef {{nodes: Node[], show?: (result: Result) => void, summary: (value: Record<string, any>) => string}} View */

const RESET = { en: "Reset", zh: "恢复初值" };

/** A group of controls under a heading; `tone` is a role of the palette. */
export function group(legend, tone, ...controls) {
  const nodes = controls.map((control) => control.node);
  return h("fieldset", { class: `attn-group attn-${tone}` }, h("legend", {}, ...rich(legend)), ...nodes);
}

/** The controls of an explorer; a group has a third of the width, where there is room. */
export function controlBar(...controls) {
  return box("controls", ...controls.map((control) => control.node ?? control));
}

/**
 * The nearest `lang` attribute decides; Jupyter may build a view before it is in the page.
 * @param {Element} el
 * @returns {"en" | "zh"}
 */
export function languageOf(el) {
  const { lang } = el.closest("[lang]") ?? document.documentElement;
  return /^zh\b/i.test(lang) ? "zh" : "en";
}

/**
 * The values of a model, or an error that names the one that cannot be.
 * @param {Model} model
 * @param {Ranges} ranges
 */
export function readState(model, ranges) {
  const read = ([name, range]) => {
    const value = model.get(name);
    const [low, high, rows, columns] = range;
    const isNumber = rows === "whole" ? Number.isInteger : Number.isFinite;
    const within = (x) => isNumber(x) && low <= x && x <= high;
    const isRow = (row) => row.length === columns && row.every(within);
    const fits = () => (columns ? value?.length === rows && value.every(isRow) : within(value));
    const valid = typeof low === "string" ? range.includes(value) : fits();
    if (!valid) throw new Error(`${name} must be in ${JSON.stringify(range)}, not ${JSON.stringify(value)}`);
    return [name, value];
  };
  return Object.fromEntries(Object.entries(ranges).map(read));
}

/**
 * Controls that write to the model and follow it.
 * @param {Model} model
 * @param {Ranges} ranges
 * @param {"en" | "zh"} language
 */
function controlsOf(model, ranges, language) {
  const words = EXAMPLE.tokens.map((token, i) => `${i + 1} ${token}`);
  const gloss = (word, i) => (language === "zh" ? word : `${word} ${EXAMPLE.gloss[i]}`);
  const followers = [];
  // or JupyterLab takes arrows and letters for commands on the cell: d, d would delete it
  const control = (tag, attributes, ...children) =>
    h(tag, { ...attributes, "data-lm-suppress-shortcuts": "true" }, ...children);
  const write = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  const labelled = (label, value, input) =>
    h("label", { class: "attn-control" }, h("span", {}, ...rich(label)), value, input);
  return {
    followers,
    write,
    words,
    glossed: words.map(gloss),

    /** A slider: over `stops`, or from bound to bound in steps. */
    slider(name, label, { stops, step, decimals = 0 }) {
      const [low, high] = stops ? [0, stops.length - 1] : ranges[name];
      const input = control("input", { type: "range", name, min: low, max: high, step: stops ? 1 : step });
      input.addEventListener("input", () => {
        const position = Number(input.value);
        write({ [name]: stops ? stops[position] : position });
      });
      followers.push((state) => {
        const x = state[name];
        input.value = stops ? stops.findLastIndex((stop) => stop <= x) : x;
        input.ariaValueText = formatNumber(x, decimals);
      });
      const value = number(name, { decimals });
      value.ariaHidden = "true";
      return { node: labelled(label, value, input) };
    },

    /** A select; `options` are the texts, in the order of the values. */
    select(name, label, options) {
      const [low] = ranges[name];
      const values = typeof low === "string" ? ranges[name] : options.map((_, i) => low + i);
      const list = options.map((text, i) => h("option", { value: values[i] }, text));
      const input = control("select", { name }, ...list);
      input.addEventListener("change", () => write({ [name]: values[input.selectedIndex] }));
      followers.push((state) => (input.selectedIndex = values.indexOf(state[name])));
      return { node: labelled(label, "", input) };
    },

    /** A checkbox for a trait that is "on" or "off". */
    check(name, label) {
      const input = control("input", { type: "checkbox", name });
      input.addEventListener("change", () => write({ [name]: input.checked ? "on" : "off" }));
      followers.push((state) => (input.checked = state[name] === "on"));
      return { node: h("label", { class: "attn-check" }, input, label) };
    },

    /**
     * A matrix, its rows the tokens where nothing else is said: `mark` tells whether cell i, j
     * belongs to the state, `pick` what a click on it changes. Selects do the same by keyboard.
     */
    grid(name, caption, columns, tone, { mark, pick, ...more } = {}) {
      const node = matrix({ name, caption, rows: words, columns, tone, ...more });
      for (const cell of node.querySelectorAll("tbody td")) {
        const [i, j] = [cell.parentNode.rowIndex, cell.cellIndex];
        if (pick) cell.addEventListener("click", () => write(pick(i, j)));
        if (mark) followers.push((state) => (cell.ariaCurrent = mark(i, j, state) ? "true" : null));
      }
      if (pick) node.classList.add("attn-pick");
      return node;
    },

    /** A matrix whose entries are typed, or moved by a step with the arrow keys. */
    edit(name, caption, tone, labels) {
      const [low, high, n, m] = ranges[name];
      const entry = (i, j) => {
        const bounds = { min: low, max: high, step: 0.5, "aria-label": `${name} ${i + 1}, ${j + 1}` };
        const input = control("input", { type: "number", name: `${name}-${i + 1}-${j + 1}`, ...bounds });
        const follow = (matrix) => {
          input.dataset.value = matrix[i][j];
          if (input.valueAsNumber !== matrix[i][j]) input.value = matrix[i][j];
        };
        input.addEventListener("input", () => {
          const x = input.valueAsNumber;
          const changed = (row, k) => row.map((old, l) => (k === i && l === j ? x : old));
          if (low <= x && x <= high) write({ [name]: model.get(name).map(changed) });
        });
        // what is no number or out of bounds does not stay
        input.addEventListener("blur", () => follow(model.get(name)));
        followers.push((state) => follow(state[name]));
        return input;
      };
      const rows = counted(n).map((label, i) => [labels?.[i] ?? label, ...counted(m).map((_, j) => entry(i, j))]);
      const grid = table(caption, ["", ...counted(m)], rows);
      grid.classList.add("attn-matrix", `attn-${tone}`);
      return grid;
    },

    /** A button; `changes` tells what it does to the state. */
    button(name, label, changes) {
      const node = control("button", { type: "button", name }, label);
      node.addEventListener("click", () => write(changes(readState(model, ranges))));
      return { node: box("actions", node) };
    },
  };
}

/**
 * An explorer in anywidget's form.
 * @param {object} parts
 * @param {Ranges} parts.ranges
 * @param {{en: object, zh: object}} parts.texts
 * @param {(state: Record<string, any>) => Result} parts.compute
 * @param {(t: object, controls: object) => View} parts.view
 */
export function explorer({ ranges, texts, compute, view }) {
  /** @param {{model: Model, el: HTMLElement}} place */
  function render({ model, el }) {
    // what cannot be is refused before anything is made of it
    readState(model, ranges);
    const language = languageOf(el);
    const t = texts[language];
    const controls = controlsOf(model, ranges, language);
    const reset = controls.button("reset", RESET[language], () => model.get("_start"));
    const { nodes, show, summary } = view(t, { ...controls, reset });
    const status = h("p", { class: "attn-status", role: "status" });
    const root = h("div", { class: "attn-view", role: "group", "aria-label": t.title }, ...nodes, status);
    root.lang = language === "zh" ? "zh-CN" : "en";
    const places = root.querySelectorAll("[data-name], [data-copy]");
    const shares = root.querySelectorAll("[data-most]");
    let waiting = false;
    let closed = false;
    let timer = 0;

    function update() {
      const state = readState(model, ranges);
      const result = compute(state);
      const value = { ...entries(state), ...result.numbers };
      for (const follow of controls.followers) follow(state);
      for (const place of places) showNumber(place, value);
      for (const place of shares) showShare(place, value);
      show?.(result);
      return value;
    }

    // one update for all values that change together, and a word when the reader pauses
    function changed() {
      if (waiting) return;
      waiting = true;
      queueMicrotask(() => {
        waiting = false;
        if (closed) return;
        const value = update();
        clearTimeout(timer);
        timer = setTimeout(() => (status.textContent = summary(value)), 600);
      });
    }

    update();
    const listen = (how) => {
      for (const name in ranges) model[how](`change:${name}`, changed);
    };
    listen("on");
    el.append(root);
    return () => {
      closed = true;
      listen("off");
      clearTimeout(timer);
      root.remove();
    };
  }
  return { ranges, compute, render };
}
