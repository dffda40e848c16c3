// The cell that is being made: row meets column, and their product drops into it.

import { mayNotMove } from "../framework/motion.js";
import { formatNumber, html, rich } from "../framework/ui.js";

/** @import { Step } from "./origins.js" */

const FALL = 550;

/** @param {Element | null} node */
const middleOf = (node) => {
  const { left, top, width, height } = /** @type {Element} */ (node).getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

/**
 * Show steps among matrices.
 * @param {HTMLElement} matrices
 */
export function dropsInto(matrices) {
  // stands on the cell as long as it is not whole
  const soFar = html("span", { class: "attn-so-far", "aria-hidden": "true" });
  const placeOf = (/** @type {string} */ name) =>
    matrices.querySelector(`[data-name="${name}"], input[name="${name}"]`)?.closest("td") ?? null;

  function clear() {
    for (const lit of matrices.querySelectorAll(".attn-meets")) lit.classList.remove("attn-meets");
    soFar.remove();
  }

  /** From between what meets, where that is in sight, into the cell. @param {Step} step @param {Element} cell */
  function fall({ lit, says, isWhole }, cell) {
    const view = matrices.closest(".attn-view");
    if (!view?.isConnected) return;
    const frame = matrices.getBoundingClientRect();
    const isSeen = ({ x = 0 }) => frame.left < x && x < frame.right;
    const from = lit.map((name) => middleOf(placeOf(name))).filter(isSeen);
    const to = middleOf(cell);
    const mean = (/** @type {"x" | "y"} */ side) => from.reduce((sum, at) => sum + at[side], 0) / from.length;
    const start = from.length === lit.length ? { x: mean("x"), y: mean("y") } : { x: to.x, y: to.y - 60 };
    const origin = view.getBoundingClientRect();
    const at = ({ x = 0, y = 0 }) => `translate(${x - origin.left}px, ${y - origin.top}px) translate(-50%, -50%)`;
    const words = isWhole && says.length > 20 ? "=" : says;
    const chip = html("span", { class: "attn-drop", "aria-hidden": "true" }, ...rich(words));
    view.append(chip);
    const way = [{ transform: at(start) }, { transform: at(start), offset: 0.35 }, { transform: at(to), opacity: 0.4 }];
    chip.animate(way, { duration: FALL, easing: "ease-in", fill: "forwards" }).finished.then(
      () => chip.remove(),
      () => chip.remove(),
    );
  }

  return {
    clear,

    /**
     * @param {Step} step
     * @param {string} cell
     * @param {boolean} isSum whether the cell is the sum; else nothing of it is there before the end
     * @param {boolean} isNew
     */
    show(step, cell, isSum, isNew) {
      clear();
      const target = placeOf(cell);
      if (!target) return;
      for (const name of step.lit) placeOf(name)?.classList.add("attn-meets");
      if (!step.isWhole) {
        soFar.textContent = isSum ? formatNumber(step.sum, 2) : "…";
        target.append(soFar);
      }
      // in the next frame the matrix is in sight, too
      if (isNew && !mayNotMove()) requestAnimationFrame(() => fall(step, target));
    },
  };
}
