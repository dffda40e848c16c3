// The custom element attn-explorer: a static page's stand-in for Jupyter's widget manager.
//
// A classic script, because a page that is opened as a file may not import module files. The
// modules come as strings (`attnExplorerSources`, one script for each part) and are imported
// through a Blob. Whatever fails, the plain table inside the element stays.
(() => {
  const sources = globalThis.attnExplorerSources ?? {};
  const modules = {};

  const failed = {
    en: "The interactive version could not start here; the table shows its first state.",
    zh: "交互版本未能启动，表格所示为其初始状态。",
  };

  /** Import an explorer's module, once for each page. */
  function load(name) {
    if (!Object.hasOwn(sources, name) || name === "shared") {
      return Promise.reject(new Error(`no explorer is called "${name}"`));
    }
    if (!modules[name]) {
      const blob = new Blob([sources.shared, sources[name]], { type: "text/javascript" });
      const url = URL.createObjectURL(blob);
      modules[name] = import(url).finally(() => URL.revokeObjectURL(url));
    }
    return modules[name];
  }

  /** The part of anywidget's model that an explorer uses. */
  class Model {
    #state;
    #callbacks = new Map();

    constructor(state) {
      this.#state = { ...state };
    }

    get(name) {
      return this.#state[name];
    }

    set(name, value) {
      if (Object.is(this.#state[name], value)) return;
      this.#state[name] = value;
      for (const callback of [...(this.#callbacks.get(`change:${name}`) ?? [])]) callback();
    }

    save_changes() {}

    on(event, callback) {
      if (!this.#callbacks.has(event)) this.#callbacks.set(event, new Set());
      this.#callbacks.get(event).add(callback);
    }

    off(event, callback) {
      this.#callbacks.get(event)?.delete(callback);
    }
  }

  class AttnExplorer extends HTMLElement {
    #model;
    #cleanup;

    async connectedCallback() {
      try {
        this.#model ??= new Model(JSON.parse(this.getAttribute("state")));
        const { default: explorer } = await load(this.getAttribute("name"));
        if (!this.isConnected || this.#cleanup) return;
        this.#cleanup = explorer.render({ model: this.#model, el: this });
        this.dataset.status = "live";
      } catch (error) {
        this.#fail(error);
      }
    }

    disconnectedCallback() {
      this.#cleanup?.();
      this.#cleanup = undefined;
      delete this.dataset.status;
    }

    #fail(error) {
      console.warn("attn-explorer:", error);
      if (this.dataset.status === "failed") return;
      this.dataset.status = "failed";
      const { lang } = this.closest("[lang]") ?? document.documentElement;
      const line = document.createElement("p");
      line.className = "attn-failed";
      line.textContent = failed[/^zh\b/i.test(lang) ? "zh" : "en"];
      this.append(line);
    }
  }

  if (!customElements.get("attn-explorer")) customElements.define("attn-explorer", AttnExplorer);
})();
