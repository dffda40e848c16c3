// An explorer: controls that write to a model, and a view that follows it.

import { controlsOf, readState } from "./controls.js";
import { entries } from "./core.js";
import { fill, html } from "./ui.js";

/** @import { Controls, Model } from "./controls.js" */
/** @import { Settings } from "./settings.js" */
/** @import { Named, Now } from "./ui.js" */

/** What is computed of a state: numbers by name, and what else the view needs. @typedef {{numbers: Numbers}} Result */

/** @typedef {Record<string, number | number[] | number[][]>} Numbers */

/**
 * What is on the page; and a summary, with what it names in braces beyond the numbers.
 * @template {(state: any) => Result} Compute
 * @typedef {{title: string, nodes: Node[], summary: string, values?: (now: Now<Compute>) => Named}} View
 */

/** The words in the language of the page. @typedef {ReturnType<typeof chooser>} Choose */

/**
 * Choose words by the language; those that several explorers say are there by name.
 * @param {"en" | "zh"} language
 */
function chooser(language) {
  /** @type {<Said>(english: Said, chinese: Said) => Said} */
  const t = (english, chinese) => (language === "zh" ? chinese : english);
  return Object.assign(t, {
    token: t("token $i$", "Token $i$"),
    row: t("row $i$", "第 $i$ 行"),
    key: t("key $j$", "键 $j$"),
    soFar: t("sum so far", "累加至此"),
    none: t("none", "无"),
  });
}

/**
 * The nearest `lang` attribute decides; Jupyter may build a view before it is in the page.
 * @param {Element} el
 * @returns {"en" | "zh"}
 */
function languageOf(el) {
  const place = /** @type {HTMLElement | null} */ (el.closest("[lang]")) ?? document.documentElement;
  return /^zh\b/i.test(place.lang) ? "zh" : "en";
}

/**
 * An explorer in anywidget's form.
 * @template {(state: any) => Result} Compute
 * @param {object} parts
 * @param {Settings} parts.settings
 * @param {Compute} parts.compute
 * @param {(t: Choose, controls: Controls & {reset: Node}) => View<Compute>} parts.view
 */
export function explorer({ settings, compute, view }) {
  /** @param {{model: Model, el: HTMLElement}} place */
  function render({ model, el }) {
    // what cannot be is refused before anything is made of it
    readState(model, settings);
    const t = chooser(languageOf(el));
    const controls = controlsOf(model, settings, t);
    const reset = controls.button("reset", t("Reset", "恢复初值"), () => model.get("_start"));
    const { title, nodes, summary, values } = view(t, { ...controls, reset });
    const status = html("p", { class: "attn-status", role: "status" });
    const label = t("Explorer: ", "交互演示：") + title;
    const root = html("div", { class: "attn-view", role: "group", "aria-label": label }, ...nodes, status);
    root.lang = t("en", "zh-CN");
    /** @type {NodeListOf<Element & {update: (now: Now<Compute>) => void}>} */
    const lively = root.querySelectorAll(".attn-live");
    let waiting = false;
    let closed = false;
    let timer = 0;

    function update() {
      const state = readState(model, settings);
      const result = /** @type {ReturnType<Compute>} */ (compute(state));
      const named = entries({ ...state, ...result.numbers });
      const now = { ...result, state, named };
      for (const node of lively) node.update(now);
      return () => fill(summary, { ...named, ...values?.(now) });
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
        timer = setTimeout(() => {
          status.textContent = words();
        }, 600);
      });
    }

    update();
    for (const name in settings) model.on(`change:${name}`, changed);
    el.append(root);
    return () => {
      closed = true;
      for (const name in settings) model.off(`change:${name}`, changed);
      clearTimeout(timer);
      root.remove();
    };
  }

  /** What is computed, its numbers by the names they have in the page. @param {Parameters<Compute>[0]} state */
  function named(state) {
    const result = compute(state);
    return { ...result, numbers: entries(result.numbers) };
  }

  return { settings, compute: named, render };
}
