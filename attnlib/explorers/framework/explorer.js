// An explorer: controls that write to a model, and a view that follows it.

import { controlsOf, readState } from "./controls.js";
import { entries } from "./core.js";
import { mixed, motion } from "./motion.js";
import { inUse } from "./phone.js";
import { pointing } from "./provenance.js";
import { fill, html } from "./ui.js";

/** @import { Controls, Model } from "./controls.js" */
/** @import { Settings } from "./settings.js" */
/** @import { Named, Now } from "./ui.js" */

/**
 * What is computed of a state: numbers by name, and what else the view needs. What a picture needs
 * beyond the numbers is `drawn`, which eases as they do.
 * @typedef {{numbers: Numbers, drawn?: Record<string, any>}} Result
 */

/** @typedef {Record<string, number | number[] | number[][]>} Numbers */

/**
 * What is on the page; and a summary, with what it names in braces beyond the numbers. `end` stops
 * what the view has started, when it goes.
 * @template {(state: any) => Result} Compute
 * @typedef {{title: string, nodes: Node[], summary: string, values?: (now: Now<Compute>) => Named,
 *   end?: () => void}} View
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
 * @param {(from: any, to: any, share: number) => any} [parts.between] the state on the way from one to
 *   another; without it numbers go straight to what they will be
 */
export function explorer({ settings, compute, view, between }) {
  /** @param {{model: Model, el: HTMLElement}} place */
  function render({ model, el }) {
    // what cannot be is refused before anything is made of it
    readState(model, settings);
    const t = chooser(languageOf(el));
    const controls = controlsOf(model, settings, t);
    const reset = controls.button("reset", t("Reset", "恢复初值"), () => model.get("_start"));
    const { title, nodes, summary, values, end } = view(t, { ...controls, reset });
    const status = html("p", { class: "attn-status", role: "status" });
    const label = t("Explorer: ", "交互演示：") + title;
    const root = html("div", { class: "attn-view", role: "group", "aria-label": label }, ...nodes, status);
    root.lang = t("en", "zh-CN");
    const pointed = root.querySelector(".attn-walk")
      ? pointing(
          root,
          t("Point at a number or tap it, or walk with the arrow keys.", "指向或点按一个数，或用方向键移动。"),
        )
      : undefined;
    if (pointed) status.before(pointed.words);
    const held = inUse(root);
    /** @typedef {Now<Compute>} Moment */
    /** @type {NodeListOf<Element & {update: (now: Moment) => void}>} */
    const lively = root.querySelectorAll(".attn-live");
    /** @type {NodeListOf<Element & {draw: (now: Moment) => void}>} */
    const moving = root.querySelectorAll(".attn-eased");
    const pictures = motion((/** @type {Moment} */ moment) => {
      for (const node of moving) node.draw(moment);
    }, onTheWay);
    let waiting = false;
    let closed = false;
    let timer = 0;

    /** @param {any} state @returns {Moment} */
    function momentOf(state) {
      const result = /** @type {ReturnType<Compute>} */ (compute(state));
      return { ...result, state, named: entries({ ...state, ...result.numbers }) };
    }

    /** @param {Moment} from @param {Moment} to @param {number} share @returns {Moment} */
    function onTheWay(from, to, share) {
      if (between) return momentOf(between(from.state, to.state, share));
      const numbers = Object.fromEntries(
        Object.entries(to.numbers).map(([name, x]) => [name, mixed(from.numbers[name], x, share)]),
      );
      const drawn = Object.fromEntries(
        Object.entries(to.drawn ?? {}).map(([name, x]) => [name, mixed(from.drawn?.[name], x, share)]),
      );
      return { ...to, numbers, drawn, named: entries({ ...to.state, ...numbers }) };
    }

    function update() {
      const now = momentOf(readState(model, settings));
      for (const node of lively) node.update(now);
      pointed?.update(now.named);
      // what the reader holds stays under the hand
      pictures.go(now, held.is);
      return () => fill(summary, { ...now.named, ...values?.(now) });
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

    // a picture that waited for the hand to let go may take its scale now
    held.whenReleased(changed);
    update();
    for (const name in settings) model.on(`change:${name}`, changed);
    el.append(root);
    return () => {
      closed = true;
      for (const name in settings) model.off(`change:${name}`, changed);
      clearTimeout(timer);
      pictures.stop();
      end?.();
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
