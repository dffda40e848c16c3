// An explorer: controls that write to a model, and a view that follows it.

import { entries } from "./core.js";
import { EXAMPLE } from "./example.js";
import { box, counted, fill, formatNumber, h, live, mark, matrix, number, rich, table } from "./ui.js";

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

/** @typedef {{numbers: Record<string, number | number[] | number[][]>, [more: string]: any}} Result */

/** The words in the language of the page. @typedef {<T>(english: T, chinese: T) => T} Choose */

/**
 * What is on the page; and a summary, with what it names in braces beyond the numbers.
 * @typedef {{title: string, nodes: Node[], summary: string,
 *   values?: (value: Record<string, any>, result: Result) => Record<string, any>}} View
 */

/**
 * Choose words by the language; those that several explorers say are there by name.
 * @param {"en" | "zh"} language
 * @returns {Choose}
 */
function chooser(language) {
  const t = (english, chinese) => (language === "zh" ? chinese : english);
  return Object.assign(t, {
    token: t("token $i$", "Token $i$"),
    row: t("row $i$", "第 $i$ 行"),
    key: t("key $j$", "键 $j$"),
    soFar: t("sum so far", "累加至此"),
    none: t("none", "无"),
  });
}

/** A group of controls under a heading; `tone` is a role of the palette. */
export function group(legend, tone, ...controls) {
  return h("fieldset", { class: `attn-group attn-${tone}` }, h("legend", {}, ...rich(legend)), ...controls);
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
 * @param {Choose} t
 */
function controlsOf(model, ranges, t) {
  const words = EXAMPLE.tokens.map((token, i) => `${i + 1} ${token}`);
  const glossed = words.map((word, i) => t(`${word} ${EXAMPLE.gloss[i]}`, word));
  const write = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  // without the mark JupyterLab takes arrows and letters for commands on the cell: d, d would delete it
  const control = (tag, attributes, event, changes, ...children) => {
    const node = h(tag, { ...attributes, "data-lm-suppress-shortcuts": "true" }, ...children);
    node.addEventListener(event, () => write(changes(node)));
    return node;
  };
  const labelled = (label, value, input) =>
    h("label", { class: "attn-control" }, h("span", {}, ...rich(label)), value, input);
  return {
    words,
    glossed,

    /** A slider: over `stops`, or from bound to bound in steps; two decimals where they are finer than 1. */
    slider(name, label, { stops, step = 1 } = {}) {
      const decimals = step < 1 ? 2 : 0;
      const [low, high] = stops ? [0, stops.length - 1] : ranges[name];
      const read = ({ value }) => ({ [name]: stops ? stops[value] : Number(value) });
      const input = control("input", { type: "range", name, min: low, max: high, step }, "input", read);
      live(input, (value) => {
        const x = value[name];
        input.value = stops ? stops.findLastIndex((stop) => stop <= x) : x;
        input.ariaValueText = formatNumber(x, decimals);
      });
      const place = number(name, decimals);
      place.ariaHidden = "true";
      return labelled(label, place, input);
    },

    /** A select; `options` are the texts, in the order of the values; the tokens, if nothing else is said. */
    select(name, label, options = glossed) {
      const [low] = ranges[name];
      const values = typeof low === "string" ? ranges[name] : options.map((_, i) => low + i);
      const list = options.map((text, i) => h("option", { value: values[i] }, text));
      const read = ({ selectedIndex }) => ({ [name]: values[selectedIndex] });
      const input = control("select", { name }, "change", read, ...list);
      return labelled(
        label,
        "",
        live(input, (value) => (input.selectedIndex = values.indexOf(value[name]))),
      );
    },

    /** A checkbox for a trait that is "on" or "off". */
    check(name, label) {
      const read = ({ checked }) => ({ [name]: checked ? "on" : "off" });
      const input = control("input", { type: "checkbox", name }, "change", read);
      live(input, (value) => (input.checked = value[name] === "on"));
      return h("label", { class: "attn-check" }, input, label);
    },

    /**
     * A matrix, its rows the tokens where nothing else is said: `pick` tells what a click on cell i, j
     * changes (selects do the same by keyboard); where the state is that already, the cell is marked.
     */
    grid(name, caption, columns, tone, { pick, ...look }) {
      const node = matrix(name, caption, columns, tone, { rows: words, ...look });
      if (!pick) return node;
      node.classList.add("attn-pick");
      node.addEventListener("click", ({ target }) => {
        const cell = target.closest("tbody td");
        if (cell) write(pick(cell.parentNode.rowIndex, cell.cellIndex));
      });
      mark(node, (i, j, value) => Object.entries(pick(i, j)).every(([trait, x]) => value[trait] === x));
      return node;
    },

    /** A matrix whose entries are typed, or moved by a step with the arrow keys. */
    edit(name, tone, labels) {
      const [low, high, n, m] = ranges[name];
      const entry = (i, j) => {
        const bounds = { min: low, max: high, step: 0.5, "aria-label": `${name} ${i + 1}, ${j + 1}` };
        const read = ({ valueAsNumber: x }) => {
          const changed = (row, k) => row.map((old, l) => (k === i && l === j ? x : old));
          return low <= x && x <= high ? { [name]: model.get(name).map(changed) } : {};
        };
        const input = control("input", { type: "number", name: `${name}-${i + 1}-${j + 1}`, ...bounds }, "input", read);
        const follow = (x) => {
          input.dataset.value = x;
          if (input.valueAsNumber !== x) input.value = x;
        };
        // what is no number or out of bounds does not stay
        input.addEventListener("blur", () => follow(model.get(name)[i][j]));
        return live(input, (value) => follow(value[input.name]));
      };
      const rows = counted(n).map((label, i) => [labels?.[i] ?? label, ...counted(m).map((_, j) => entry(i, j))]);
      const grid = table(`$${name}$`, ["", ...counted(m)], rows);
      grid.classList.add("attn-matrix", `attn-${tone}`);
      return grid;
    },

    /** A button; `changes` tells what it does to the state. */
    button(name, label, changes) {
      const read = () => changes(readState(model, ranges));
      return box("actions", control("button", { type: "button", name }, "click", read, label));
    },
  };
}

/**
 * An explorer in anywidget's form.
 * @param {object} parts
 * @param {Ranges} parts.ranges
 * @param {(state: Record<string, any>) => Result} parts.compute
 * @param {(t: Choose, controls: object) => View} parts.view
 */
export function explorer({ ranges, compute, view }) {
  /** @param {{model: Model, el: HTMLElement}} place */
  function render({ model, el }) {
    // what cannot be is refused before anything is made of it
    readState(model, ranges);
    const t = chooser(languageOf(el));
    const controls = controlsOf(model, ranges, t);
    const reset = controls.button("reset", t("Reset", "恢复初值"), () => model.get("_start"));
    const { title, nodes, summary, values } = view(t, { ...controls, reset });
    const status = h("p", { class: "attn-status", role: "status" });
    const label = t("Explorer: ", "交互演示：") + title;
    const root = h("div", { class: "attn-view", role: "group", "aria-label": label }, ...nodes, status);
    root.lang = t("en", "zh-CN");
    const lively = root.querySelectorAll(".attn-live");
    let waiting = false;
    let closed = false;
    let timer = 0;

    function update() {
      const state = readState(model, ranges);
      const result = compute(state);
      const value = entries({ ...state, ...result.numbers });
      for (const node of lively) node.update(value, result);
      return () => fill(summary, { ...value, ...values?.(value, result) });
    }

    // one update for all values that change together, and a word when the reader pauses
    function changed() {
      if (waiting) return;
      waiting = true;
      queueMicrotask(() => {
        waiting = false;
        if (closed) return;
        const words = update();
        clearTimeout(timer);
        timer = setTimeout(() => (status.textContent = words()), 600);
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
  const named = (result) => ({ ...result, numbers: entries(result.numbers) });
  return { ranges, compute: (state) => named(compute(state)), render };
}
