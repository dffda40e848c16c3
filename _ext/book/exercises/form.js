// The forms of a page's exercises: read what is written, say what holds, keep it on this device.

import { judge } from "../../../attnlib/exercises/judge.js";
import { readNumber } from "./numbers.js";

/** @typedef {import("../../../attnlib/exercises/judge.js").Exercise} Exercise */
/** @typedef {import("../../../attnlib/exercises/judge.js").Field} Field */
/** @typedef {import("../../../attnlib/exercises/judge.js").Value} Value */

const SAYS = {
  en: {
    empty: "Nothing is written here yet.",
    number: "“{}” is not a number. Write it like 3, −0.5 or 1/4.",
    zero: "Nothing can be divided by 0.",
    percent: "No share is asked for here: write the number without %.",
    negative: "A share is never less than 0.",
    whole: "A size is a whole number, 1 or more.",
    chosen: "Nothing is chosen yet.",
    hint: "Hint: ",
    all: "All {} hold.",
    marked: "Fill in what is marked, then check again.",
    changed: "This exercise has changed since you answered it, so your old answer was dropped.",
  },
  zh: {
    empty: "这里还没有填。",
    number: "“{}”不是数。请写成 3、−0.5 或 1/4 这样的形式。",
    zero: "不能除以 0。",
    percent: "这里问的不是份额，请不要写 %。",
    negative: "份额不会小于 0。",
    whole: "大小是整数，至少为 1。",
    chosen: "这里还没有选。",
    hint: "提示：",
    all: "{} 条全部成立。",
    marked: "请先填好标出的地方，再检查一次。",
    changed: "你作答之后，这道练习有了改动，原来的答案已不适用，因此没有保留。",
  },
};

/** What is kept of an exercise, if the browser keeps anything.
 * @typedef {{edition: string, fields: Record<string, string[]>}} Kept */

/** An element with text or elements in it.
 * @param {string} tag @param {string} className @param {(string | Node)[]} children */
function element(tag, className, ...children) {
  const made = Object.assign(document.createElement(tag), { className });
  made.append(...children);
  return made;
}

/** Let a form be answered. @param {HTMLFormElement} form */
function answerable(form) {
  const key = `exercise:${form.dataset.exercise}`;
  const edition = form.dataset.edition ?? "";
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (form.querySelector(selector));
  /** @type {Exercise} */
  const { fields, properties } = JSON.parse(part("script").textContent ?? "");
  const reply = part(".answer-reply");
  const solve = part("[data-does=solve]");
  const solution = document.getElementById(form.dataset.solution ?? "");
  const { children: words } = /** @type {HTMLTemplateElement} */ (part("template")).content;
  const says = SAYS[/^zh\b/i.test(document.documentElement.lang) ? "zh" : "en"];

  const place = (/** @type {Field} */ field) => part(`[data-field="${CSS.escape(field.name)}"]`);
  const inputs = (/** @type {Field} */ field) => [...place(field).querySelectorAll("input")];
  const texts = (/** @type {Field} */ field) =>
    field.kind === "numbers"
      ? inputs(field).map((input) => input.value)
      : inputs(field).flatMap((input) => (input.checked ? input.value : []));

  /** What a field holds, or the first input that cannot be read and what is to be said of it.
   * @param {Field} field @returns {{value: Value} | {at: HTMLInputElement, fault: string}} */
  function read(field) {
    const [first, ...others] = inputs(field);
    if (field.kind !== "numbers") {
      const chosen = texts(field);
      if (!chosen.length) return { at: first, fault: says.chosen };
      return { value: field.kind === "choice" ? chosen[0] : chosen.filter((member) => member !== "none") };
    }
    const numbers = [];
    for (const input of [first, ...others]) {
      const found = readNumber(input.value, field.are);
      if (typeof found === "string") return { at: input, fault: says[found].replace("{}", () => input.value.trim()) };
      numbers.push(found);
    }
    return { value: numbers };
  }

  /** Say beside a field what is wrong in it, or nothing. @param {Field} field @param {string} [fault] @param {Element} [at] */
  function mark(field, fault = "", at) {
    part(`[data-field="${CSS.escape(field.name)}"] .answer-fault`).textContent = fault;
    for (const input of inputs(field)) {
      const wrong = fault !== "" && (input === at || field.kind !== "numbers");
      if (wrong) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }

  const said = (/** @type {number} */ index) => words[index].cloneNode(true).childNodes;

  /** Judge what can be read, up to the first property that needs more. */
  function check() {
    /** @type {Record<string, Value>} */
    const answer = {};
    /** @type {HTMLInputElement | undefined} */
    let unread;
    for (const field of fields) {
      const found = read(field);
      if ("value" in found) {
        answer[field.name] = found.value;
        mark(field);
      } else {
        unread ??= found.at;
        mark(field, found.fault, found.at);
      }
    }
    const ready = properties.findIndex(({ rule }) => !Object.hasOwn(answer, rule.field ?? ""));
    const asked = ready < 0 ? properties : properties.slice(0, ready);
    const given = fields.filter((field) => Object.hasOwn(answer, field.name));
    const { held, right } = judge({ fields: given, properties: asked }, answer);
    const lines = asked.slice(0, held + 1).map((_, i) => {
      const sign = element("span", "answer-sign", i < held ? "✓ " : "✗ ");
      const line = element("li", i < held ? "holds" : "fails", sign, ...said(2 * i));
      if (i === held) line.append(element("p", "hint", says.hint, ...said(2 * i + 1)));
      return line;
    });
    reply.replaceChildren(...(lines.length ? [element("ul", "", ...lines)] : []));
    const done = right && !unread;
    if (done) reply.append(element("p", "", says.all.replace("{}", String(held))));
    else if (right) reply.append(element("p", "", says.marked));
    solve.hidden = !(done && solution);
    if (done) tell(true);
    unread?.focus();
  }

  /** Say that the exercise is solved, or no more. @param {boolean} detail */
  const tell = (detail) => form.dispatchEvent(new CustomEvent("done", { bubbles: true, detail }));

  function keep() {
    /** @type {Kept} */
    const kept = { edition, fields: Object.fromEntries(fields.map((field) => [field.name, texts(field)])) };
    try {
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {}
  }

  function forget() {
    try {
      localStorage.removeItem(key);
    } catch {}
  }

  /** Fill the fields with what was kept; whether it was an answer to another edition of the exercise. */
  function restore() {
    try {
      /** @type {Kept | null} */
      const kept = JSON.parse(localStorage.getItem(key) ?? "null");
      if (kept === null) return;
      if (kept.edition !== edition) {
        forget();
        tell(false);
        reply.append(element("p", "", says.changed));
        return;
      }
      for (const field of fields) {
        const held = kept.fields[field.name];
        for (const [i, input] of inputs(field).entries()) {
          if (field.kind === "numbers") input.value = String(held[i] ?? "");
          else input.checked = held.includes(input.value);
        }
      }
    } catch {
      forget();
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  form.addEventListener("input", ({ target }) => {
    const field = fields.find((each) => place(each).contains(/** @type {Node} */ (target)));
    if (!field) return;
    // "none" and the members of a set exclude each other
    if (field.kind === "set") {
      const alone = /** @type {HTMLInputElement} */ (target).value === "none";
      for (const input of inputs(field)) {
        if (input !== target && (alone || input.value === "none")) input.checked = false;
      }
    }
    mark(field);
    keep();
  });
  part("[data-does=clear]").addEventListener("click", () => {
    form.reset();
    for (const field of fields) mark(field);
    reply.replaceChildren();
    solve.hidden = true;
    forget();
    tell(false);
    inputs(fields[0])[0].focus();
  });
  solve.addEventListener("click", () => {
    if (!(solution instanceof HTMLDetailsElement)) return;
    solution.open = true;
    solution.querySelector("summary")?.focus();
  });
  restore();
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.answer"))) {
  answerable(form);
}
