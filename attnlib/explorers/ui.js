// What explorers are made of on the page: symbols, controls, numbers, tables, and the bond
// between a view and its model. Nothing here touches the document before `render` is called.

/**
 * What an explorer knows of its model: anywidget's in Jupyter, that of element.js on a page.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 */

/** @typedef {Record<string, [number, number] | string[]>} Ranges bounds, or the options of a string */

/** @typedef {{numbers: Record<string, number>, [more: string]: any}} Result */

/** @typedef {{nodes: Node[], show?: (result: Result) => void, summary: (value: Record<string, any>) => string}} View */

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Text with symbols between dollar signs: "mean $μ_q$". One letter is a variable, two or more
 * Latin letters are a name; _ and ^ take one character or a group in braces.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function rich(text) {
  return text.split("$").flatMap((part, i) => (i % 2 ? symbols(part) : part ? [part] : []));
}

function symbols(math) {
  const pieces = math.matchAll(/([_^])(?:\{(.*?)\}|(.))|[A-Za-z]{2,}|(\p{L}\u0303?)|[^_^\p{L}]+/gu);
  return Array.from(pieces, ([all, level, group, one, letter]) => {
    if (level) return h(level === "_" ? "sub" : "sup", {}, ...symbols(group ?? one));
    return letter ? h("i", {}, letter) : all;
  });
}

/**
 * At least two significant decimals: 0.125, 12.50, 512.0, 2.3×10⁻¹⁴.
 * @param {number} x
 * @param {number} [decimals] fixed, where it is given
 */
export function formatNumber(x, decimals) {
  const size = Math.abs(x);
  const sign = x < 0 ? "−" : "";
  if (decimals === undefined && size > 0 && size < 0.01) {
    const [digits, exponent] = size.toExponential(1).split("e");
    return `${sign}${digits}×10${exponent.replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)])}`;
  }
  return sign + size.toFixed(decimals ?? (size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0));
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

function showNumber(place, value) {
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

/**
 * A matrix as a table: entry i, j is the number `name-i-j`, shaded by its share of `most`.
 * @param {{name: string, caption: string, corner?: string, rows: string[], columns: string[],
 *   most: number, tone: string, decimals?: number}} options
 */
export function matrix({ name, caption, corner = "", rows, columns, most, tone, decimals = 2 }) {
  const lines = rows.map((label, i) => [
    label,
    ...columns.map((_, j) => {
      const place = number(`${name}-${i + 1}-${j + 1}`, { decimals });
      place.classList.add("attn-shade", `attn-${tone}`);
      place.dataset.most = most;
      return place;
    }),
  ]);
  const grid = table(caption, [corner, ...columns], lines);
  grid.classList.add("attn-matrix");
  return grid;
}

function showShare(place, value) {
  const { bar: name = place.dataset.name, most } = place.dataset;
  const share = value[name] / Number(most);
  place.style.setProperty("--attn-share", Math.min(1, Math.abs(share)));
  place.classList.toggle("attn-negative", share < 0);
}

/** A group of controls under a heading; `tone` is a role of the palette. */
export function group(legend, tone, ...controls) {
  const nodes = controls.map((control) => control.node);
  return h("fieldset", { class: `attn-group attn-${tone}` }, h("legend", {}, ...rich(legend)), ...nodes);
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
    const valid =
      typeof range[0] === "string"
        ? range.includes(value)
        : Number.isFinite(value) && value >= range[0] && value <= range[1];
    if (!valid) throw new Error(`${name} must be in ${JSON.stringify(range)}, not ${value}`);
    return [name, value];
  };
  return Object.fromEntries(Object.entries(ranges).map(read));
}

/**
 * Controls that write to the model and follow it.
 * @param {Model} model
 * @param {Ranges} ranges
 */
function controlsOf(model, ranges) {
  const followers = [];
  const write = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  const labelled = (label, value, control) =>
    h("label", { class: "attn-control" }, h("span", {}, ...rich(label)), value, control);
  return {
    followers,
    write,

    /** A slider: over `stops`, or from bound to bound in steps. */
    slider(name, label, { stops, step, decimals = 0 }) {
      const [low, high] = stops ? [0, stops.length - 1] : ranges[name];
      const input = h("input", { type: "range", name, min: low, max: high, step: stops ? 1 : step });
      input.addEventListener("input", () => {
        const position = Number(input.value);
        write({ [name]: stops ? stops[position] : position });
      });
      followers.push((state) => {
        const x = state[name];
        input.value = stops ? stops.findLastIndex((stop) => stop <= x) : x;
        input.setAttribute("aria-valuetext", formatNumber(x, decimals));
      });
      const value = number(name, { decimals });
      value.setAttribute("aria-hidden", "true");
      return { node: labelled(label, value, input) };
    },

    /** A select; `options` are the texts, in the order of the values. */
    select(name, label, options) {
      const values = ranges[name];
      const list = options.map((text, i) => h("option", { value: values[i] }, text));
      const input = h("select", { name }, ...list);
      input.addEventListener("change", () => write({ [name]: input.value }));
      followers.push((state) => {
        input.value = state[name];
      });
      return { node: labelled(label, "", input) };
    },

    /** A button; `changes` tells what it does to the state. */
    button(name, label, changes) {
      const node = h("button", { type: "button", name }, label);
      node.addEventListener("click", () => write(changes(readState(model, ranges))));
      return { node };
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
    const opening = readState(model, ranges);
    const language = languageOf(el);
    const t = texts[language];
    const controls = controlsOf(model, ranges);
    const reset = controls.button("reset", t.reset, () => model.get("_start") ?? opening);
    const { nodes, show, summary } = view(t, { ...controls, reset });
    const status = h("p", { class: "attn-status", role: "status" });
    const root = h("div", { class: "attn-view", role: "group", "aria-label": t.title }, ...nodes, status);
    root.lang = language === "zh" ? "zh-CN" : "en";
    // JupyterLab would take arrows and letters for commands on the cell
    root.dataset.lmSuppressShortcuts = "true";
    const places = root.querySelectorAll("[data-name], [data-copy]");
    const shares = root.querySelectorAll("[data-most]");
    let waiting = false;
    let closed = false;
    let timer = 0;

    function update() {
      const state = readState(model, ranges);
      const result = compute(state);
      const value = { ...state, ...result.numbers };
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
    const events = Object.keys(ranges).map((name) => `change:${name}`);
    for (const event of events) model.on(event, changed);
    el.append(root);
    return () => {
      closed = true;
      for (const event of events) model.off(event, changed);
      clearTimeout(timer);
      root.remove();
    };
  }
  return { ranges, compute, render };
}
