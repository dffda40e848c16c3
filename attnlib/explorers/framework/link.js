// What a reader set, as a link: `?scaling.d_k=48&scaling.rho=0.5` is the explorer "scaling" where
// these two differ from its start; `scaling-2` is the second of that name on the page. A matrix is
// its entries, row by row, with _ between them. A page has this before element.js; Jupyter has not.
(() => {
  /** @typedef {import("./controls.js").Model} Model */
  /** @typedef {Record<string, any>} State */

  /** @type {Record<string, string[]>} */
  const words = {
    en: ["Copy link", "Link copied.", "Copy this link:"],
    "zh-CN": ["复制链接", "链接已复制。", "请复制此链接："],
  };

  /** What links and phrases call an explorer of the page. @param {Element} element */
  function nameOf(element) {
    const name = element.getAttribute("name");
    const place = [...document.querySelectorAll(`attn-explorer[name="${name}"]`)].indexOf(element);
    return `${name}${place ? `-${place + 1}` : ""}`;
  }

  /** The name of a trait in the query of the page's address. @param {Element} element @param {string} trait */
  const keyOf = (element, trait) => `${nameOf(element)}.${trait}`;

  const written = (/** @type {unknown} */ value) => [value].flat(2).join("_");

  /**
   * The value that a text stands for, of the kind of `start`; whether it is in range is not said.
   * @param {string} text
   * @param {any} start
   */
  function parsed(text, start) {
    if (typeof start === "string") return text;
    if (typeof start === "number") return JSON.parse(text);
    const numbers = text.split("_").map((entry) => JSON.parse(entry));
    return [.../** @type {number[][]} */ (start).map((row) => numbers.splice(0, row.length)), ...numbers];
  }

  /** The start of an explorer with the changes that the page's address asks for. @param {Element} element @param {State} start */
  function read(element, start) {
    const query = new URLSearchParams(location.search);
    const state = { ...start };
    for (const trait in start) {
      const text = query.get(keyOf(element, trait));
      if (text !== null) state[trait] = parsed(text, start[trait]);
    }
    return state;
  }

  /**
   * Put what differs from the start into the page's address; what else it says stays.
   * @param {Element} element
   * @param {State} start
   * @param {Model} model
   */
  function keep(element, start, model, anchor = "") {
    const url = new URL(location.href);
    for (const trait in start) {
      const text = written(model.get(trait));
      const key = keyOf(element, trait);
      if (text === written(start[trait])) url.searchParams.delete(key);
      else url.searchParams.set(key, text);
    }
    url.hash ||= anchor;
    history.replaceState(history.state, "", url);
    return url.href;
  }

  /**
   * A button beside "Reset" that copies the link; where it may not, the link is shown.
   * @param {Element} element
   * @param {State} start
   * @param {Model} model
   */
  function offer(element, start, model) {
    const button = document.createElement("button");
    const note = document.createElement("span");
    const link = document.createElement("a");
    const view = /** @type {HTMLElement} */ (element.querySelector(".attn-view"));
    const reset = /** @type {HTMLElement} */ (view.querySelector("[name=reset]"));
    const [label, copied, shown] = words[view.lang];
    Object.assign(button, { type: "button", name: "link", textContent: label });
    note.role = "status";
    link.style.cssText = "overflow-wrap: anywhere; line-height: 1.7";
    reset.after(button, note, link);

    /** @param {string} text */
    function say(text, href = "") {
      note.textContent = text;
      link.textContent = href;
      link.hidden = !href;
    }
    button.addEventListener("click", async () => {
      link.href = keep(element, start, model, element.closest("section")?.id);
      try {
        await navigator.clipboard.writeText(link.href);
        say(copied);
      } catch {
        say(shown, link.href);
        getSelection()?.selectAllChildren(link);
      }
    });
    reset.addEventListener("click", () => keep(element, start, model));
    for (const trait in start) model.on(`change:${trait}`, () => say(""));
  }

  globalThis.attnExplorerLink = { nameOf, parsed, written, read, offer };
})();
