// What eases from one moment to the next: a quarter of a second, in which no answer has to wait.

const EASE = 250;

/** Two numbers mixed, or lists of them entry by entry; what has no way between is the second. */
/** @type {(from: any, to: any, share: number) => any} */
export function mixed(from, to, share) {
  if (Array.isArray(to)) return to.map((part, i) => mixed(from?.[i], part, share));
  return Number.isFinite(from) && Number.isFinite(to) ? from + share * (to - from) : to;
}

/** Whether nothing may move: the reader asked for it, the page is printed, or nobody looks. */
export function mayNotMove() {
  const isAsked = matchMedia("(prefers-reduced-motion: reduce), print").matches;
  return isAsked || document.visibilityState === "hidden";
}

/**
 * Draws moments; `between` gives the one at a share of the way from one to another.
 * @template Shown
 * @param {(moment: Shown) => void} draw
 * @param {(from: Shown, to: Shown, share: number) => Shown} between
 */
export function motion(draw, between) {
  /** @type {Shown | undefined} */
  let shown;
  /** @type {Shown | undefined} */
  let aim;
  let frame = 0;

  function end() {
    cancelAnimationFrame(frame);
    if (shown !== aim && aim) {
      shown = aim;
      draw(aim);
    }
  }

  /** Be at a moment, at once or after the way there. @param {Shown} next */
  function go(next, isAtOnce = false) {
    cancelAnimationFrame(frame);
    aim = next;
    const from = shown;
    if (!from || isAtOnce || mayNotMove()) return end();
    const began = performance.now();
    const step = (/** @type {number} */ time) => {
      const passed = Math.max(0, (time - began) / EASE);
      if (passed >= 1) return end();
      shown = between(from, next, 1 - (1 - passed) ** 3);
      draw(shown);
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  addEventListener("beforeprint", end);
  return {
    go,
    stop() {
      cancelAnimationFrame(frame);
      removeEventListener("beforeprint", end);
    },
  };
}
