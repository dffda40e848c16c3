// What a reader of an explorer sees: its tables, controls and lines by their words alone.
(() => {
  const language = document.documentElement.lang.slice(0, 2);

  /** The text of a node in the language of the page. */
  function words(node) {
    const copy = node.cloneNode(true);
    for (const part of copy.querySelectorAll("select, [lang]")) {
      if (!part.lang.startsWith(language)) part.remove();
    }
    return copy.textContent.replace(/\s+/g, " ").trim();
  }

  const DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  /** A number as it is written, or NaN. */
  function written(text) {
    const exponent = (_, sign, digits) => `e${sign && "-"}${[...digits].map((d) => DIGITS.indexOf(d)).join("")}`;
    const plain = text.replace("−", "-").replace("∞", "Infinity").replace(/×10(⁻?)([⁰-⁹¹²³]+)/, exponent);
    return text ? Number(plain) : NaN;
  }

  /** A cell: its number in full where it has one, else as it is written, else its words. */
  function content(cell) {
    const held = cell.querySelector("[data-value]");
    const text = words(cell);
    const x = held ? Number(held.dataset.value) : written(text);
    return Number.isNaN(x) ? text : x;
  }

  /** Red, green and blue to 255, and opacity where a colour has one. */
  const rgb = (text) => {
    const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
    return text.startsWith("color(") ? numbers.map((x, i) => (i < 3 ? 255 * x : x)) : numbers;
  };

  /** A shaded number and its colour. */
  const shade = (place) => ({ x: Number(place.dataset.value), colour: rgb(getComputedStyle(place).backgroundColor) });

  const table = (node) => {
    const rows = [...node.tBodies[0].rows].filter((row) => !row.hidden);
    const parts = ([label, ...cells]) => ({ label: words(label), cells: cells.map(content), marks: cells.map((cell) => cell.ariaCurrent) });
    return {
      caption: words(node.caption),
      tone: rgb(getComputedStyle(node.caption).color),
      shades: [...node.querySelectorAll(".attn-shade")].map(shade),
      head: [...node.tHead.rows[0].cells].slice(1).map(words),
      rows: rows.map((row) => parts(row.cells)),
    };
  };

  const labelOf = (control) => {
    if (control.tagName === "BUTTON") return words(control);
    const label = control.closest("label");
    return words(control.type === "checkbox" ? label : label.firstChild);
  };

  const control = (node) => ({
    label: labelOf(node),
    legend: words(node.closest("fieldset")?.querySelector("legend") ?? document.createElement("p")),
    options: node.tagName === "SELECT" ? [...node.options].map((option) => option.textContent) : [],
    chosen: node.tagName === "SELECT" ? node.selectedOptions[0]?.textContent : "",
    value: node.type === "range" ? Number(node.closest("label").querySelector("[data-value]").dataset.value) : null,
  });

  /** A point of a picture: its text, the colour of its border, and whether it is filled with that. */
  const point = (group) => {
    const { fill, stroke } = getComputedStyle(group.querySelector("circle"));
    const [x, y] = ["cx", "cy"].map((name) => Number(group.querySelector("circle").getAttribute(name)));
    return { text: words(group), colour: rgb(stroke), filled: fill === stroke, at: [x, y] };
  };

  const viewOf = (name) => document.querySelector(`attn-explorer[name="${name}"] .attn-view`);
  const controls = (root) => [...root.querySelectorAll("select, input:not([type=number]), button")].filter((node) => !node.closest("[hidden]"));

  function read(root) {
    const all = (selector, made) => [...root.querySelectorAll(selector)].map(made);
    return {
      tables: all("table", table),
      controls: controls(root).map(control),
      lines: all("p:not(.attn-status)", words),
      names: all("[data-name]", (place) => place.dataset.name),
      points: all(".attn-plane g", point),
      heights: all(".attn-count", (bar) => Number(bar.getAttribute("height"))),
      notes: all(".attn-picture text", words),
    };
  }

  /** Do to the one control with these words what a reader can; gives what is seen then. */
  async function act(name, place, change) {
    const root = viewOf(name);
    const found = controls(root).filter((node) => place === control(node)[change.by]);
    if (found.length !== 1) throw new Error(`${found.length} controls are called ${place}`);
    const [node] = found;
    if ("option" in change) node.selectedIndex = [...node.options].findIndex(({ text }) => text === change.option);
    if ("value" in change) node.value = change.value;
    if (node.tagName === "BUTTON" || node.type === "checkbox") node.click();
    else node.dispatchEvent(new Event(node.tagName === "SELECT" ? "change" : "input"));
    await null;
    await null;
    return read(root);
  }

  /** Type into the entry of a table that has this caption. */
  async function type(name, caption, row, column, x) {
    const root = viewOf(name);
    const [node] = [...root.querySelectorAll("table")].filter((one) => words(one.caption) === caption);
    const input = node.tBodies[0].rows[row].cells[column + 1].querySelector("input");
    Object.assign(input, { value: x }).dispatchEvent(new Event("input"));
    await null;
    await null;
    return read(root);
  }

  /** What the plain table of an explorer says in the language of the page. */
  function plain(html) {
    return read(Object.assign(document.createElement("div"), { innerHTML: html }));
  }

  globalThis.labelled = { view: (name) => read(viewOf(name)), act, type, plain };
})();
