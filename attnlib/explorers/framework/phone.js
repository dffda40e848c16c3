// What keeps an explorer usable where there is little room: the control in use stays in sight, and
// matrices stand side by side in a strip, one at a time.

import { html } from "./ui.js";

/** What a pointer holds on to while it moves. */
const GRIPS = "input[type=range], .attn-handle, .attn-scrub";
const CONTROLS = ".attn-control, .attn-check, .attn-actions";

/** Follow which control is used, and whether a pointer holds one. @param {HTMLElement} root */
export function inUse(root) {
  const held = { is: false, whenReleased };
  /** @type {(() => void)[]} */
  const released = [];

  /** @param {() => void} act */
  function whenReleased(act) {
    released.push(act);
  }

  /** @param {Event} event */
  function use({ target }) {
    const control = target instanceof Element ? /** @type {HTMLElement} */ (target.closest(CONTROLS)) : null;
    if (!control || control.classList.contains("attn-in-use")) return;
    root.querySelector(".attn-in-use")?.classList.remove("attn-in-use");
    control.classList.add("attn-in-use");
    // the line of arithmetic stands below it
    root.style.setProperty("--attn-used", `${control.offsetHeight}px`);
  }

  function release() {
    if (!held.is) return;
    held.is = false;
    for (const act of released) act();
  }

  for (const event of ["focusin", "pointerdown", "input", "change"]) root.addEventListener(event, use);
  root.addEventListener("pointerdown", ({ target }) => {
    held.is = target instanceof Element && Boolean(target.closest(GRIPS));
  });
  for (const event of ["pointerup", "pointercancel", "lostpointercapture"]) root.addEventListener(event, release);
  return held;
}

/**
 * Matrices side by side; where there is room for one only, the others are a swipe or a button away.
 * @param {{before: string, after: string, place: (k: number, n: number) => string}} says
 * @param {HTMLElement[]} tables
 */
export function strip(says, ...tables) {
  const scroller = html("div", { class: "attn-matrices" }, ...tables);
  const place = html("span", { class: "attn-place" });
  let at = 0;

  function say() {
    place.textContent = says.place(at + 1, tables.length);
    before.disabled = at === 0;
    after.disabled = at === tables.length - 1;
  }

  /** @param {number} k */
  function show(k) {
    at = Math.min(tables.length - 1, Math.max(0, k));
    // not scrollIntoView, which would move the page, too
    scroller.scrollTo({ left: tables[at].offsetLeft - tables[0].offsetLeft });
    say();
  }

  const before = html("button", { type: "button", class: "attn-before", "aria-label": says.before }, "‹");
  const after = html("button", { type: "button", class: "attn-after", "aria-label": says.after }, "›");
  before.addEventListener("click", () => show(at - 1));
  after.addEventListener("click", () => show(at + 1));
  scroller.addEventListener("scroll", () => {
    const left = scroller.scrollLeft + tables[0].offsetLeft;
    const distances = tables.map((table) => Math.abs(table.offsetLeft - left));
    at = distances.indexOf(Math.min(...distances));
    say();
  });
  say();
  const node = html(
    "div",
    { class: "attn-strip" },
    html("div", { class: "attn-turn" }, before, place, after),
    scroller,
  );
  return Object.assign(node, { show });
}
