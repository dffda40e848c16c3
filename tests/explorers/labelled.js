// What a reader of an explorer sees: its tables, controls and lines by their words alone.
(() => {
  const language = document.documentElement.lang.slice(0, 2);

  /** The text of a node in the language of the page. @param {Element | null | undefined} node */
  function words(node) {
    const copy = /** @type {Element | undefined} */ (node?.cloneNode(true));
    for (const part of copy?.querySelectorAll("select, [lang]") ?? []) {
      if (!part.getAttribute("lang")?.startsWith(language)) part.remove();
    }
    return (copy?.textContent ?? "").replace(/\s+/g, " ").trim();
  }

  /** A number as it is written, or NaN. @param {string} text */
  function written(text) {
    const plain = text.replace("−", "-").replace("∞", "Infinity").replace("×10", "e");
    const level = plain.replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (mark) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(mark)]);
    return text ? Number(level) : NaN;
  }

  /** The number in full that an element shows. @param {Element | null} place */
  const held = (place) => Number(place?.getAttribute("data-value"));

  /** A cell: its number in full where it has one, else as it is written, else its words. @param {Element} cell */
  function content(cell) {
    const text = words(cell);
    const place = cell.querySelector("[data-value]");
    const x = place ? held(place) : written(text);
    return Number.isNaN(x) ? text : x;
  }

  /** Red, green and blue to 255, and opacity where a colour has one. @param {string} text */
  function rgb(text) {
    const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
    return text.startsWith("color(") ? numbers.map((x, i) => (i < 3 ? 255 * x : x)) : numbers;
  }

  /** A shaded number and its colour. @param {Element} place */
  const shade = (place) => ({ x: held(place), colour: rgb(getComputedStyle(place).backgroundColor) });

  /** @param {Element[]} cells */
  const row = ([label, ...cells]) => ({
    label: words(label),
    cells: cells.map(content),
    marks: cells.map((cell) => cell.ariaCurrent),
  });

  /** @param {Element} node */
  function table(node) {
    const caption = node.querySelector("caption");
    return {
      caption: words(caption),
      tone: caption && rgb(getComputedStyle(caption).color),
      shades: [...node.querySelectorAll(".attn-shade")].map(shade),
      head: [...node.querySelectorAll("thead > tr > :not(:first-child)")].map(words),
      rows: [...node.querySelectorAll("tbody > tr:not([hidden])")].map(({ children }) => row([...children])),
    };
  }

  /** @param {Element} node */
  function labelOf(node) {
    const label = node.closest("label");
    return words(label && !node.matches("[type=checkbox]") ? label.firstElementChild : (label ?? node));
  }

  /** @param {Element} node */
  function control(node) {
    const select = node instanceof HTMLSelectElement ? node : undefined;
    return {
      label: labelOf(node),
      legend: words(node.closest("fieldset")?.querySelector("legend")),
      options: [...(select?.options ?? [])].map(({ text }) => text),
      chosen: select?.selectedOptions[0]?.text,
      value: held(node.closest("label")?.querySelector("[data-value]") ?? null),
    };
  }

  /** A point of a picture: its text, the colour of its border, and whether it is filled with that. @param {Element} group */
  function point(group) {
    const mark = group.querySelector("circle:not(.attn-halo), path:not(.attn-line)");
    const { fill, stroke } = getComputedStyle(mark ?? group);
    const at = group.getAttribute("data-at")?.split(" ").map(Number);
    return { text: words(group), colour: rgb(stroke), filled: fill === stroke, at };
  }

  /** @param {Element} root */
  function controls(root) {
    const all = root.querySelectorAll("select, input:not([type=number]), button");
    return [...all].filter((node) => !node.closest("[hidden]"));
  }

  /** @param {Element} root */
  function read(root) {
    /** @type {<T>(selector: string, made: (node: Element) => T) => T[]} */
    const all = (selector, made) => [...root.querySelectorAll(selector)].map(made);
    return {
      tables: all("table", table),
      controls: controls(root).map(control),
      lines: all("p:not(.attn-status)", words),
      names: all("[data-name]", (place) => place.getAttribute("data-name")),
      points: all(".attn-plane g[data-at]:not([hidden])", point),
      heights: all(".attn-count", (bar) => Number(bar.getAttribute("height"))),
      notes: all(".attn-picture text", words),
    };
  }

  /** @param {string} name */
  function viewOf(name) {
    const root = document.querySelector(`attn-explorer[name="${name}"] .attn-view`);
    if (!root) throw new Error(`no explorer ${name} lives on this page`);
    return root;
  }

  /**
   * Do to the one thing that is found what a reader can; gives what is seen then.
   * @param {string} name @param {Element[]} found @param {{option?: string, value?: number}} change
   */
  async function act(name, found, { option, value }) {
    const [node] = found;
    if (found.length !== 1) throw new Error(`${found.length} things have these words`);
    if (node instanceof HTMLSelectElement) {
      node.selectedIndex = [...node.options].findIndex(({ text }) => text === option);
      node.dispatchEvent(new Event("change"));
    } else if (node instanceof HTMLInputElement && node.type !== "checkbox") {
      node.value = String(value);
      node.dispatchEvent(new Event("input"));
    } else if (node instanceof HTMLElement) node.click();
    await new Promise((done) => setTimeout(done));
    return read(viewOf(name));
  }

  const labelled = {
    /** @param {string} name */
    view: (name) => read(viewOf(name)),

    /** @param {string} name @param {string} label @param {object} change */
    act(name, label, change) {
      const found = controls(viewOf(name)).filter((node) => labelOf(node) === label);
      return act(name, found, change);
    },

    /** Type into an entry of a table. @param {string} name @param {string} caption @param {number} i @param {number} j @param {number} value */
    type(name, caption, i, j, value) {
      const tables = [...viewOf(name).querySelectorAll("table")];
      const found = tables.filter((node) => words(node.caption) === caption);
      const entries = found.map((node) => node.tBodies[0].rows[i].cells[j + 1].children[0]);
      return act(name, entries, { value });
    },

    /** What a plain table says in the language of the page. @param {string} html */
    plain: (html) => read(Object.assign(document.createElement("div"), { innerHTML: html })),
  };
  Object.assign(globalThis, { labelled });
})();
