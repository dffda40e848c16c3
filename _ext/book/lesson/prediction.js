// Predictions: read a guess, keep it on this device, open the answer. All inputs are on the page;
// what is closed is closed by the style sheet, which opens everything where this cannot run.

import { readNumber } from "../exercises/numbers.js";

(() => {
  /** @typedef {{edition: string, guess: string[] | null}} Kept no guess: the reader asked to see */
  /** @typedef {{empty: string, letters: string, range: string, choose: string, opened: string}} Say */

  const root = document.documentElement;

  /** Storage may be forbidden, full, or hold what another edition wrote. */
  const storage = {
    /** @param {string} key @returns {Kept | null} */
    get(key) {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "null");
      } catch {
        return null;
      }
    },
    /** @param {string} key @param {Kept | null} kept */
    set(key, kept) {
      try {
        if (kept) localStorage.setItem(key, JSON.stringify(kept));
        else localStorage.removeItem(key);
      } catch {
        // then it lasts as long as the page
      }
    },
  };

  /**
   * A number as readers write it, also as a share; or null.
   * @param {string} text
   * @param {number} high the end of the line: where it is large, a comma parts thousands
   */
  function asNumber(text, high) {
    const plain = high >= 1000 ? text.replace(/[,，](?=\d{3}(?!\d))/g, "") : text;
    let value = readNumber(plain, "numbers");
    if (value === "percent") value = readNumber(plain, "shares");
    return typeof value === "number" ? value : null;
  }

  /**
   * What one field of a form can do: give its answer as text, or say in a sentence why not.
   * @typedef {{read(): string, fault(): string, set(answer: string): void, freeze(on: boolean): void, first: HTMLElement}} Field
   */

  /** @param {HTMLElement} place @param {Say} say @returns {Field} */
  function line(place, say) {
    const slider = /** @type {HTMLInputElement} */ (place.querySelector("input[type=range]"));
    const field = /** @type {HTMLInputElement} */ (place.querySelector("input.number"));
    const you = /** @type {HTMLElement} */ (place.querySelector(".you b"));
    const [low, high, step] = ["low", "high", "step"].map((name) => Number(place.dataset[name]));
    const decimals = (String(step).split(".")[1] ?? "").length;
    const written = (/** @type {number} */ x) => x.toFixed(decimals).replace("-", "−");
    const fill = (/** @type {string} */ text) =>
      text
        .replace("{low}", written(low))
        .replace("{high}", written(high))
        .replace("{example}", written(low + 0.3 * (high - low)));
    const value = () => asNumber(field.value, high);
    const on = (/** @type {number | null} */ x) => x !== null && x >= low && x <= high;

    function draw() {
      const x = value();
      slider.classList.toggle("unset", !on(x));
      if (x === null || !on(x)) return;
      slider.value = String(x);
      place.style.setProperty("--you", `${(100 * (x - low)) / (high - low)}%`);
      you.textContent = written(x);
    }
    slider.addEventListener("input", () => {
      field.value = written(Number(slider.value));
      draw();
    });
    // where the handle stands already, a press of it is a guess, too
    slider.addEventListener("pointerup", () => slider.dispatchEvent(new Event("input", { bubbles: true })));
    field.addEventListener("input", draw);
    return {
      first: field,
      read: () => field.value.trim(),
      fault() {
        const x = value();
        if (!field.value.trim()) return say.empty;
        return fill(x === null ? say.letters : on(x) ? "" : say.range);
      },
      set(answer) {
        field.value = answer;
        draw();
      },
      freeze(on) {
        slider.disabled = on;
        field.disabled = on;
      },
    };
  }

  /** @param {HTMLElement} place @returns {Field} */
  function boxes(place, /** @type {Say} */ say) {
    /** @type {NodeListOf<HTMLInputElement>} */
    const inputs = place.querySelectorAll("input");
    const list = [...inputs];
    const ticked = () => list.map((input) => (input.checked ? "1" : "0")).join("");
    return {
      first: list[0],
      read: ticked,
      // in a table, no tick at all is an answer; of options one is right
      fault: () => (place.dataset.kind === "choice" && !/1/.test(ticked()) ? say.choose : ""),
      set(answer) {
        list.forEach((input, i) => {
          input.checked = answer[i] === "1" && answer.length === list.length;
        });
      },
      freeze(on) {
        for (const input of list) input.disabled = on;
      },
    };
  }

  /** @param {HTMLFormElement} form */
  function start(form) {
    const answer = /** @type {HTMLElement} */ (form.nextElementSibling);
    const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
    const { key = "", edition = "", words = "" } = form.dataset;
    /** @type {Say} */
    const say = JSON.parse(words);
    /** @type {HTMLElement[]} */
    const places = [...form.querySelectorAll(".guess")].map((place) => /** @type {HTMLElement} */ (place));
    const fields = places.map((place) => (place.dataset.kind === "line" ? line : boxes)(place, say));
    const button = (/** @type {string} */ name) =>
      /** @type {HTMLButtonElement} */ (form.querySelector(`button.${name}`));

    /** One sentence beside each field, or none. @param {string[]} sentences */
    function complain(sentences) {
      places.forEach((place, i) => {
        const beside = place.querySelector(".fault");
        if (beside) beside.textContent = sentences[i];
        fields[i].first.toggleAttribute("aria-invalid", sentences[i] !== "");
      });
      return sentences.find((sentence) => sentence !== "") !== undefined;
    }

    /** @param {string} state "guessed", "shown", or "" */
    function become(state) {
      form.dataset.state = state;
      if (!state) delete form.dataset.state;
      answer.classList.toggle("open", state !== "");
      // what is closed can still be found in the page
      if (state) answer.removeAttribute("hidden");
      else answer.setAttribute("hidden", "until-found");
      for (const field of fields) field.freeze(state !== "");
    }

    /** Say that the question has an answer, or none any more. @param {boolean} detail */
    const done = (detail) => form.dispatchEvent(new CustomEvent("done", { bubbles: true, detail }));

    /** @param {string} state */
    function commit(state) {
      const guess = state === "guessed" ? fields.map((field) => field.read()) : null;
      complain(fields.map(() => ""));
      become(state);
      storage.set(key, { edition, guess });
      done(true);
      const said = [...form.querySelectorAll(".label, .said, .option.right .words")];
      const seen = said.filter((part) => part.checkVisibility()).map((part) => spoken(part));
      status.textContent = [...seen, say.opened].join(" ");
      button("again").focus();
    }

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const sentences = fields.map((field) => field.fault());
      if (!complain(sentences)) commit("guessed");
      else fields[sentences.findIndex((sentence) => sentence !== "")].first.focus();
    });
    button("show").addEventListener("click", () => commit("shown"));
    button("again").addEventListener("click", () => {
      become("");
      storage.set(key, null);
      done(false);
      status.textContent = "";
      fields[0].first.focus();
    });
    answer.addEventListener("beforematch", () => reveal(answer));

    const kept = storage.get(key);
    const { guess } = kept ?? {};
    if (kept?.edition === edition && guess === null) return become("shown");
    if (kept?.edition === edition && Array.isArray(guess)) {
      fields.forEach((field, i) => void field.set(String(guess[i] ?? "")));
      if (fields.every((field) => !field.fault())) return become("guessed");
    }
    if (kept) {
      storage.set(key, null);
      done(false);
    }
    become("");
  }

  /** What an element says, its formulas once. @param {Element} element */
  function spoken(element) {
    const copy = /** @type {Element} */ (element.cloneNode(true));
    for (const drawn of copy.querySelectorAll(".katex-html, annotation")) drawn.remove();
    return copy.textContent?.trim() ?? "";
  }

  /** Open an answer that is looked for, not guessed. @param {Element} answer */
  function reveal(answer) {
    answer.classList.add("open");
    answer.removeAttribute("hidden");
  }

  /** Open the answer that a link leads into. */
  function openTarget() {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // as it is
    }
    const target = document.getElementById(id);
    const answer = target?.closest("div.answer:not(.open)");
    if (!answer) return;
    reveal(answer);
    target?.scrollIntoView();
  }

  try {
    /** @type {NodeListOf<HTMLFormElement>} */
    const forms = document.querySelectorAll("form.prediction");
    for (const form of forms) start(form);
    openTarget();
    addEventListener("hashchange", openTarget);
  } catch (fault) {
    root.classList.add("answers-open");
    throw fault;
  }
})();
