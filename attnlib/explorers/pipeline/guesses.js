// The question before anything is outlined: on how many numbers does one of the result depend? Three
// guesses open the answer, and each comes to stand beside the count.

import { SETTINGS } from "../framework/settings.js";
import { html, rich } from "../framework/ui.js";
import { MATRICES, needs } from "./needs.js";
import { chosenCell } from "./origins.js";

/** @import { Controls } from "../framework/controls.js" */
/** @import { Choose } from "../framework/explorer.js" */
/** @import { Choice } from "./needs.js" */

const ASKED = /** @type {const} */ (["X", "S", "A"]);

/** The cell that is asked about. */
const SUBJECT = /** @type {Choice} */ (
  Object.fromEntries(["stage", "i", "j", "r", "causal"].map((name) => [name, SETTINGS[name]?.start]))
);

/** How many entries of a matrix the cell depends on. @param {typeof ASKED[number]} name */
function countOf(name) {
  const { rows, columns } = needs(SUBJECT)[name];
  return rows.length * columns.length;
}

/** Whether nothing has been set yet: who comes with a state of their own is not asked. @param {any} state */
export const isStart = (state) =>
  Object.entries(SETTINGS).every(([name, { start }]) => String(state[name]) === String(start));

/**
 * @param {Choose} t
 * @param {Pick<Controls, "press">} controls
 * @param {() => void} opened is called when the answer opens
 */
export function guessesOf(t, { press }, opened) {
  let isOpen = false;
  const symbol = chosenCell(SUBJECT);
  const what = {
    X: t("of the {n} numbers in $X$", "$X$ 的 {n} 个数中"),
    S: t("of the {n} scores in $S$", "$S$ 的 {n} 个分数中"),
    A: t("of the {n} weights in $A$", "$A$ 的 {n} 个权重中"),
  };
  const fields = ASKED.map((name) => {
    const { rows, columns } = MATRICES[name];
    const most = rows * columns;
    const right = countOf(name);
    const text = what[name].replace("{n}", String(most));
    const fault = html("span", {
      class: "attn-fault",
      id: `attn-fault-${name}-${Math.random().toString(36).slice(2)}`,
    });
    const input = html("input", { type: "number", name: `guess-${name}`, min: 0, max: most, step: 1 });
    input.inputMode = "numeric";
    // without this JupyterLab takes digits for commands on the cell
    input.dataset.lmSuppressShortcuts = "true";
    input.setAttribute("aria-describedby", fault.id);
    const answer = html("span", { class: "attn-answer", hidden: "" });
    const node = html("label", { class: "attn-guess" }, html("span", {}, ...rich(text)), input, answer, fault);
    const guess = () => (input.value.trim() === "" ? NaN : Number(input.value));

    return {
      node,
      input,
      /** Say what is wrong with a guess; gives whether nothing is. */
      check() {
        const x = guess();
        const isFine = Number.isInteger(x) && 0 <= x && x <= most;
        fault.textContent = isFine ? "" : t(`a whole number from 0 to ${most}`, `请填 0 到 ${most} 的整数`);
        input.ariaInvalid = isFine ? null : "true";
        return isFine;
      },
      /** Put the count beside the guess, or alone; gives both in words. @param {boolean} isGuessed */
      open(isGuessed) {
        const x = guess();
        const word = x === right ? t("right", "正确") : x > right ? t("over", "偏多") : t("under", "偏少");
        const count = html("b", {}, String(right));
        const own = t(`your guess ${x}, it is `, `你猜 ${x}，实为 `);
        answer.replaceChildren(...(isGuessed ? [own, count, t(": ", "："), word] : [count]));
        answer.classList.toggle("attn-right", isGuessed && x === right);
        answer.hidden = false;
        input.hidden = true;
        fault.textContent = "";
        return `${name}${t(": ", "：")}${answer.textContent}`;
      },
    };
  });

  const own = (/** @type {string} */ name, /** @type {string} */ label) =>
    html("button", { type: "button", name }, label);
  const commit = own("commit", t("That is my guess", "就猜这个"));
  const show = own("show", t("Show me", "直接看结果"));
  const hint = t(
    "What it depends on is outlined after your three guesses. A wrong one is welcome.",
    "三个数都猜过之后，它所依赖的元素就会框出。猜错也无妨。",
  );
  const outcome = t(`Outlined: all that ${symbol} depends on.`, `框出的就是 ${symbol} 所依赖的全部元素。`);
  const closed = html("span", { class: "attn-note" }, hint);
  const actions = html("div", { class: "attn-actions" }, commit, show, closed);
  const said = html("span", { class: "attn-outcome", role: "status" });
  const question = html(
    "legend",
    {},
    ...rich(t(`How many numbers does ${symbol} depend on?`, `${symbol} 取决于多少个数？`)),
  );
  const node = html(
    "fieldset",
    { class: "attn-guesses", tabindex: "-1" },
    question,
    html("div", { class: "attn-fields" }, ...fields.map((field) => field.node)),
    actions,
    said,
  );

  /** @param {boolean} isGuessed */
  function open(isGuessed) {
    const hadFocus = node.contains(node.ownerDocument.activeElement);
    const words = fields.map((field) => field.open(isGuessed));
    isOpen = true;
    actions.hidden = true;
    said.replaceChildren(html("span", { class: "attn-unseen" }, `${words.join("; ")}. `), ...rich(outcome));
    // the button that had it is gone
    if (hadFocus) node.focus({ preventScroll: true });
    opened();
    return SUBJECT;
  }

  press(commit, () => {
    const faulty = fields.filter((field) => !field.check());
    faulty[0]?.input.focus();
    return faulty.length ? {} : open(true);
  });
  press(show, () => open(false));
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    commit.click();
  });

  return Object.assign(node, {
    isOpen: () => isOpen,

    /** Do not ask: the reader comes with a state of their own. */
    skip() {
      isOpen = true;
      node.hidden = true;
    },
  });
}
