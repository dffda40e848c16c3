// The custom element attn-explorer: a static page's stand-in for Jupyter's widget manager.
//
// A classic script, because a page that is opened as a file may not import module files. The
// modules come as strings (`attnExplorerSources`, one script for each part) and are imported
// through a Blob. The scripts run as soon as they are there, in any order, beside the parser: an
// explorer starts when its table has been read, not when the page has. Whatever fails, the table
// stays.
(() => {
  const { attnExplorerLink: link, attnExplorerPhrases: phrases } = globalThis;
  // filled by scripts that may come later
  globalThis.attnExplorerSources ??= {};
  const { attnExplorerSources: sources } = globalThis;

  /** @typedef {import("./controls.js").Model} Watched */
  /** @typedef {Record<string, any>} State */
  /** @typedef {{settings: import("./settings.js").Settings, render: (place: {model: Watched, el: Element}) => () => void}} Explorer */
  /** @typedef {{default: Explorer, readState: typeof import("./controls.js").readState}} Module */

  /** @type {Record<string, Promise<Module>>} */
  const modules = {};

  const failed = {
    en: "The interactive version could not start here; the table shows its first state.",
    zh: "交互版本未能启动，表格所示为其初始状态。",
  };

  const moment = () => new Promise((done) => setTimeout(done, 16));

  /** Whether the parser is still inside a node. @param {Node | null} node @returns {boolean} */
  const unread = (node) => !node || (!node.nextSibling && unread(node.parentNode));

  /** Import an explorer's module, once for each page, when its scripts have run. @param {string} name */
  async function load(name) {
    while (name === "shared" || !Object.hasOwn(sources, "shared") || !Object.hasOwn(sources, name)) {
      if (document.readyState === "complete") throw new Error(`no explorer is called "${name}"`);
      await moment();
    }
    if (!modules[name]) {
      const blob = new Blob([sources.shared, sources[name], "export { readState };"], { type: "text/javascript" });
      const url = URL.createObjectURL(blob);
      modules[name] = import(url).finally(() => URL.revokeObjectURL(url));
    }
    return modules[name];
  }

  /** The part of anywidget's model that an explorer uses. */
  class Model extends EventTarget {
    /** @type {State} */
    #state;

    on = this.addEventListener;

    off = this.removeEventListener;

    /** @param {State} state */
    constructor(state) {
      super();
      this.#state = { ...state };
    }

    /** @param {string} name */
    get(name) {
      return this.#state[name];
    }

    /** @param {string} name @param {unknown} value */
    set(name, value) {
      if (Object.is(this.#state[name], value)) return;
      this.#state[name] = value;
      this.dispatchEvent(new Event(`change:${name}`));
    }

    save_changes() {}
  }

  class AttnExplorer extends HTMLElement {
    /** @type {State | undefined} */
    #start;

    /** @type {Model | undefined} */
    #model;

    /** @type {(() => void) | undefined} */
    #cleanup;

    async connectedCallback() {
      try {
        while (document.readyState === "loading" && unread(this)) await moment();
        // what a saved page holds is all there only now
        this.#forget();
        this.#start ??= /** @type {State} */ (JSON.parse(this.getAttribute("state") ?? ""));
        const start = this.#start;
        const { default: explorer, readState } = await load(this.getAttribute("name") ?? "");
        if (!this.isConnected || this.#cleanup) return;
        const render = (/** @type {Model} */ model) => {
          this.#cleanup = explorer.render({ model, el: this });
          this.#model = model;
          return model;
        };
        const modelOf = (/** @type {State} */ state) => new Model({ ...state, _start: start });
        let model;
        try {
          model = render(this.#model ?? modelOf(link.read(this, start)));
        } catch {
          model = render(modelOf(start));
        }
        link.offer(this, start, model);
        phrases.join(this, start, model, (changes) => {
          readState(new Model({ ...start, ...changes }), explorer.settings);
        });
        this.dataset.status = "live";
      } catch (error) {
        this.#fail(error);
      }
    }

    disconnectedCallback() {
      phrases.leave(this);
      this.#cleanup?.();
      this.#cleanup = undefined;
      delete this.dataset.status;
    }

    /** A copy of the page that a browser has saved holds what was made in it: it starts anew. */
    #forget() {
      if (this.#cleanup) return;
      delete this.dataset.status;
      for (const made of this.querySelectorAll(":scope > .attn-view, :scope > .attn-failed")) made.remove();
    }

    /** @param {unknown} error */
    #fail(error) {
      console.warn("attn-explorer:", error);
      if (this.dataset.status === "failed") return;
      this.dataset.status = "failed";
      const { lang } = /** @type {HTMLElement | null} */ (this.closest("[lang]")) ?? document.documentElement;
      const textContent = failed[/^zh\b/i.test(lang) ? "zh" : "en"];
      this.append(Object.assign(document.createElement("p"), { className: "attn-failed", textContent }));
    }
  }

  if (!customElements.get("attn-explorer")) customElements.define("attn-explorer", AttnExplorer);
})();
