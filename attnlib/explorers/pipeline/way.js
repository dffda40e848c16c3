// The way of one number: what follows an entry that the reader has in hand gets a dot.

import { html, live, rich } from "../framework/ui.js";
import { followersOf, STAGES, symbol } from "./needs.js";

/** @import { Choose } from "../framework/explorer.js" */
/** @import { Entry, State } from "./needs.js" */

/** The entry that a field of a given matrix holds. @param {EventTarget | null} target @returns {Entry | undefined} */
function entryOf(target) {
  const [, name, i, j] = /^(X|W_[QKV])-(\d)-(\d)$/.exec(target instanceof HTMLInputElement ? target.name : "") ?? [];
  return name ? { name, i: Number(i), j: Number(j) } : undefined;
}

/**
 * The line that says what follows the entry at hand; it dots that among the matrices.
 * @param {Choose} t
 * @param {HTMLElement} matrices
 * @param {() => boolean} isOpen whether anything may be outlined
 */
export function wayOf(t, matrices, isOpen) {
  const node = html("p", { class: "attn-note attn-way" });
  const invitation = t(
    "Drag a number of $X$ or of a $W$ to the left or right: the whole line follows.",
    "按住 $X$ 或某个 $W$ 中的数左右拖动，整个公式随之重算。",
  );
  /** @type {Entry | undefined} */
  let at;
  let causal = "on";

  function draw() {
    for (const dotted of matrices.querySelectorAll(".attn-follows")) dotted.classList.remove("attn-follows");
    if (!at || !isOpen()) {
      node.replaceChildren(...rich(invitation));
      return;
    }
    const followers = followersOf(at, causal);
    for (const { name, i, j } of followers) {
      matrices.querySelector(`[data-name="${name}-${i}-${j}"]`)?.closest("td")?.classList.add("attn-follows");
    }
    const counts = STAGES.flatMap((stage) => {
      const count = followers.filter(({ name }) => name === stage).length;
      return count ? t(`${count} in $${symbol(stage)}$`, `$${symbol(stage)}$ ${count} 个`) : [];
    });
    const name = `$${at.name}_{${at.i}${at.j}}$`.replace(/_(\w)_\{/, "_{$1,");
    const list = counts.join(t(", ", "、"));
    node.replaceChildren(
      ...rich(t(`With a dot, what follows ${name}: ${list}.`, `带圆点的元素随 ${name} 而变：${list}。`)),
    );
  }

  /** @param {Event} event */
  function take({ target }) {
    at = entryOf(target) ?? at;
    draw();
  }

  matrices.addEventListener("focusin", ({ target }) => {
    at = entryOf(target);
    draw();
  });
  matrices.addEventListener("focusout", () => {
    at = undefined;
    draw();
  });
  // a finger drags a field without focus
  matrices.addEventListener("pointerdown", take);
  return live(node, (/** @type {{state: State}} */ { state }) => {
    causal = state.causal;
    draw();
  });
}
