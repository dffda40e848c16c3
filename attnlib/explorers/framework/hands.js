// Taking hold of things: a handle follows mouse, pen and finger, and the arrow keys where it has the
// focus. A finger beside it scrolls the page.

import { live } from "./ui.js";

/** @typedef {import("./ui.js").Moment} Moment */

/** A place in a picture, in its own units. @typedef {number[]} Point */

/**
 * What a handle does. `drag` writes what follows from being taken to a place, away from where it was
 * taken hold of; `step` from a press of an arrow key: −1, 0 or 1 to the right and up, more of it with
 * Shift.
 * @typedef {object} Hand
 * @property {string} label what the reader takes hold of, and how the keys move it
 * @property {(now: any) => string} says where it is, in words
 * @property {(to: Point, now: any, from?: Point) => void} drag
 * @property {(by: Point, isFar: boolean, now: any) => void} step
 * @property {[trait: string, low: number, high: number]} [range] of a handle that moves one number
 */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Make a part of a picture a handle; `placeOf` tells where it stands, in units of the drawing, and
 * `unitsOf` what a place of the drawing is in the picture's own.
 * @template {SVGElement} Made
 * @param {Made} node
 * @param {Hand} hand
 * @param {() => Point} placeOf
 * @param {(place: Point) => Point} unitsOf
 */
export function handle(node, { label, says, drag, step, range }, placeOf, unitsOf) {
  /** @type {any} */
  let now;
  /** @type {{pointer: number, off: Point, from: Point} | undefined} */
  let grip;
  node.classList.add("attn-handle");
  node.tabIndex = 0;
  node.role = "slider";
  node.ariaLabel = label;
  // a plane has two values; what is said of both is in the text
  node.ariaValueNow = "0";
  if (range) Object.assign(node, { ariaValueMin: String(range[1]), ariaValueMax: String(range[2]) });
  // without this JupyterLab takes arrows for commands on the cell
  node.dataset.lmSuppressShortcuts = "true";

  /** Where a pointer is, in units of the drawing. @param {PointerEvent} event @returns {Point | undefined} */
  function placeAt({ clientX, clientY }) {
    const toScreen = node.ownerSVGElement?.getScreenCTM();
    if (!toScreen) return undefined;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toScreen.inverse());
    return [x, y];
  }

  /** @param {PointerEvent} event */
  function take(event) {
    const at = placeAt(event);
    if (grip || !at || event.button > 0) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    node.classList.add("attn-held");
    const [x, y] = placeOf();
    grip = { pointer: event.pointerId, off: [x - at[0], y - at[1]], from: unitsOf([x, y]) };
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    if (event.pointerId !== grip?.pointer) return;
    const at = placeAt(event);
    if (at) drag(unitsOf([at[0] + grip.off[0], at[1] + grip.off[1]]), now, grip.from);
  }

  /** @param {PointerEvent} event */
  function leave(event) {
    if (event.pointerId !== grip?.pointer) return;
    grip = undefined;
    node.classList.remove("attn-held");
  }

  // a finger on it drags; inside a picture Chromium knows no touch-action that would say so
  node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  node.addEventListener("pointerdown", take);
  node.addEventListener("pointermove", follow);
  // let go before the explorer hears of it and draws again; the capture is lost later
  for (const event of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    node.addEventListener(event, leave);
  }
  node.addEventListener("keydown", (event) => {
    const by = ARROWS[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(by, event.shiftKey, now);
  });
  return live(node, (/** @type {Moment} */ moment) => {
    now = moment;
    if (range) node.ariaValueNow = String(moment.named[range[0]]);
    node.ariaValueText = says(moment);
  });
}

/**
 * Let a field for a number be dragged to the left and right; a finger that goes up or down scrolls.
 * @param {HTMLInputElement} input
 * @param {(x: number) => void} write
 */
export function scrub(input, write) {
  const STEP = 8; // pixels for a tenth
  const ENDS = /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]);
  /** @type {{pointer: number, x: number, value: number, isMoving: boolean} | undefined} */
  let grip;
  input.classList.add("attn-scrub");

  /** @param {PointerEvent} event */
  function follow(event) {
    if (event.pointerId !== grip?.pointer) return;
    if (!input.isConnected) return leave(event);
    const way = event.clientX - grip.x;
    if (!grip.isMoving) {
      // less is a press that puts the cursor into the field
      if (Math.abs(way) < STEP / 2) return;
      grip.isMoving = true;
      input.setPointerCapture(event.pointerId);
      input.classList.add("attn-held");
    }
    event.preventDefault();
    write(grip.value + Math.round(way / STEP) / 10);
  }

  /** @param {PointerEvent} event */
  function leave({ type, pointerId }) {
    if (pointerId !== grip?.pointer) return;
    // a finger holds what is inside the field, and loses that to the field
    if (type === "lostpointercapture" && input.hasPointerCapture(pointerId)) return;
    grip = undefined;
    input.classList.remove("attn-held");
    document.removeEventListener("pointermove", follow);
    for (const event of ENDS) document.removeEventListener(event, leave);
  }

  input.addEventListener("pointerdown", ({ pointerId, clientX, button }) => {
    if (grip || button > 0) return;
    grip = { pointer: pointerId, x: clientX, value: input.valueAsNumber, isMoving: false };
    // a quick pointer has left the field before it is seen to move
    document.addEventListener("pointermove", follow);
    for (const event of ENDS) document.addEventListener(event, leave);
  });
}
