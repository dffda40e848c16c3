// What a reader set, as a link: `?scaling.d_k=48&scaling.rho=0.5` is the explorer "scaling" where
// these two differ from its start; `scaling-2` is the second of that name on the page. A matrix is
// its entries, row by row, with _ between them. A page has this before element.js; Jupyter has not.
(() => {
  const words = {
    en: ["Copy link", "Link copied.", "Copy this link:"],
    "zh-CN": ["复制链接", "链接已复制。", "请复制此链接："],
  };

  /** The name of a trait in the query of the page's address. */
  function keyOf(element, trait) {
    const name = element.getAttribute("name");
    const place = [...document.querySelectorAll(`attn-explorer[name="${name}"]`)].indexOf(element);
    return `${name}${place ? `-${place + 1}` : ""}.${trait}`;
  }

  const written = (value) => [value].flat(2).join("_");

  /** The value that a text stands for, of the kind of `start`; whether it is in range is not said. */
  function parsed(text, start) {
    if (!start.map) return typeof start === "string" ? text : JSON.parse(text);
    const numbers = text.split("_").map((entry) => JSON.parse(entry));
    return [...start.map((row) => numbers.splice(0, row.length)), ...numbers];
  }

  /** The start of an explorer with the changes that the page's address asks for. */
  function read(element, start) {
    const query = new URLSearchParams(location.search);
    const state = { ...start };
    for (const trait in start) {
      const text = query.get(keyOf(element, trait));
      if (text !== null) state[trait] = parsed(text, start[trait]);
    }
    return state;
  }

  /** Put what differs from the start into the page's address; what else it says stays. */
  function keep(element, start, model, anchor = "") {
    const url = new URL(location);
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

  /** A button beside "Reset" that copies the link; where it may not, the link is shown. */
  function offer(element, start, model) {
    const [button, note, link] = ["button", "span", "a"].map((tag) => document.createElement(tag));
    const reset = element.querySelector("[name=reset]");
    const [label, copied, shown] = words[reset.closest("[lang]").lang];
    Object.assign(button, { type: "button", name: "link", textContent: label });
    note.role = "status";
    link.style = "overflow-wrap: anywhere; line-height: 1.7";
    reset.after(button, note, link);

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
        getSelection().selectAllChildren(link);
      }
    });
    reset.addEventListener("click", () => keep(element, start, model));
    for (const trait in start) model.on(`change:${trait}`, () => say(""));
  }

  globalThis.attnExplorerLink = { read, offer };
})();
