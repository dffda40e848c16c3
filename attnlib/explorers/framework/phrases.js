// Phrases of the text that set an explorer: `<span class="attn-set" data-set="scaling?d_k=64">` is a
// button while the explorer "scaling" of the page lives, and plain words at any other time. Names
// and values are written as in a link (link.js, which comes before); element.js comes after.
(() => {
  const { attnExplorerLink: link } = globalThis;

  /** @typedef {import("./controls.js").Model} Model */
  /** @typedef {Record<string, any>} State */

  /**
   * An explorer that lives. `check` throws where changes cannot be; `ends` is what its phrases leave to end.
   * @typedef {{element: HTMLElement, start: State, model: Model, check: (changes: State) => void,
   *   ends: (() => void)[]}} Live
   */

  /** Those of the page, by the names that phrases call them. @type {Map<string, Live>} */
  const living = new Map();

  /** The phrases that are buttons. @type {Set<Element>} */
  const buttons = new Set();

  /** @type {Record<string, string>} */
  const back = { en: "Back to the text", "zh-CN": "回到正文" };

  /** An element of another kind in the place of a phrase, with its words. @param {HTMLElement} phrase @param {"button" | "span"} tag */
  function exchanged(phrase, tag) {
    const other = document.createElement(tag);
    other.className = "attn-set";
    Object.assign(other.dataset, phrase.dataset);
    other.append(...phrase.childNodes);
    phrase.replaceWith(other);
    return other;
  }

  /** What a phrase asks of an explorer; nothing, where that cannot be. @param {string | undefined} query @param {Live} explorer */
  function asked(query, { start, check }) {
    const pairs = new URLSearchParams(query);
    // a sentence that tells numbers of the start holds there only
    /** @type {State} */
    const changes = pairs.get("from") === "start" ? { ...start } : {};
    pairs.delete("from");
    try {
      for (const [trait, text] of pairs) changes[trait] = link.parsed(text, start[trait]);
      check(changes);
      return query ? changes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Scroll to a place, at once for a reader who wants no motion. @param {Element} place @param {ScrollLogicalPosition} block */
  function show(place, block) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    place.scrollIntoView({ block, behavior: still ? "instant" : "smooth" });
  }

  /** Whether of a view at least a half is seen, or half a window full. @param {Element} view */
  function inSight(view) {
    const { top, bottom, height } = view.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0) >= Math.min(height, innerHeight) / 2;
  }

  /** Lead the reader to a view that is out of sight, and offer the way back. @param {HTMLElement} view @param {HTMLElement} phrase */
  function lead(view, phrase) {
    view.querySelector("[name=to-text]")?.remove();
    if (inSight(view)) return;
    const way = document.createElement("button");
    Object.assign(way, { type: "button", name: "to-text", textContent: back[view.lang] });
    way.addEventListener("click", () => {
      way.remove();
      phrase.focus({ preventScroll: true });
      show(phrase, "center");
    });
    view.querySelector("[name=reset]")?.before(way);
    show(view, "start");
  }

  /** @param {HTMLElement} words @param {State} changes @param {Live} explorer */
  function makeButton(words, changes, { element, model, ends }) {
    const button = /** @type {HTMLButtonElement} */ (exchanged(words, "button"));
    const wanted = Object.entries(changes);
    function follow() {
      const agrees = wanted.every(([trait, value]) => link.written(model.get(trait)) === link.written(value));
      button.ariaPressed = String(agrees);
    }
    button.type = "button";
    // formulas have no name that every reader of screens finds
    button.ariaLabel = words.dataset.words ?? null;
    button.setAttribute("aria-controls", element.id);
    button.addEventListener("click", () => {
      for (const [trait, value] of wanted) model.set(trait, value);
      model.save_changes();
      // on paper it stands as it was set
      element.toggleAttribute("data-changed", true);
      lead(/** @type {HTMLElement} */ (element.querySelector(".attn-view")), button);
    });
    follow();
    for (const [trait] of wanted) model.on(`change:${trait}`, follow);
    buttons.add(button);
    ends.push(() => {
      for (const [trait] of wanted) model.off(`change:${trait}`, follow);
      buttons.delete(button);
      exchanged(button, "span");
    });
  }

  /** Make buttons of the phrases that have been read and whose explorers live. */
  function update() {
    for (const found of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".attn-set"))) {
      if (buttons.has(found)) continue;
      // a copy of the page that a browser has saved holds buttons that do nothing
      const words = found.matches("button") ? exchanged(found, "span") : found;
      const [name, query] = (words.dataset.set ?? "").split("?");
      const explorer = living.get(name);
      const changes = explorer && asked(query, explorer);
      if (changes) makeButton(words, changes, explorer);
    }
  }

  /**
   * An explorer lives.
   * @param {HTMLElement} element
   * @param {State} start
   * @param {Model} model
   * @param {(changes: State) => void} check
   */
  function join(element, start, model, check) {
    const name = link.nameOf(element);
    element.id ||= `explorer-${name}`;
    living.set(name, { element, start, model, check, ends: [] });
    update();
  }

  /** It does not live any more. @param {HTMLElement} element */
  function leave(element) {
    for (const [name, explorer] of living) {
      if (explorer.element !== element) continue;
      living.delete(name);
      for (const end of explorer.ends) end();
    }
  }

  // explorers start while the rest of the page is still being read
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", update);
  else update();

  globalThis.attnExplorerPhrases = { join, leave };
})();
