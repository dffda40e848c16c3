// A ledger: take an assumption away, and the steps that spend it fall; those that stand on them hang.
(() => {
  /** @typedef {{take: string, give: string, falls: string, hangs: string, hint: string}} Say */

  /** @param {string} tag @param {string} className @param {string} text */
  const made = (tag, className, text = "") =>
    Object.assign(document.createElement(tag), { className, textContent: text });

  /** @param {HTMLElement} ledger */
  function start(ledger) {
    /** @type {Say} */
    const say = JSON.parse(ledger.dataset.words ?? "");
    const assumptions = [...ledger.querySelectorAll(":scope > ol > li")];
    const steps = [...ledger.querySelectorAll("tbody tr")].map((row) => {
      const cells = [...row.children];
      const letter = /[a-z]/.exec(cells[0].textContent ?? "")?.[0] ?? "";
      const state = made("span", "step-state");
      cells[0].append(state);
      return { row, letter, state, uses: (cells[cells.length - 1].textContent ?? "").match(/\d+|[a-z]/g) ?? [] };
    });
    const without = [...ledger.querySelectorAll(":scope > ul > li")];
    const hint = made("p", "ledger-hint", say.hint);
    const live = made("div", "ledger-without");
    live.setAttribute("aria-live", "polite");
    const list = ledger.querySelector(":scope > ul");
    list?.before(live);
    live.append(hint, ...(list ? [list] : []));

    /** @type {Set<string>} */
    const gone = new Set();
    function draw() {
      const fallen = new Set(gone);
      for (const { row, letter, state, uses } of steps) {
        const falls = uses.some((one) => gone.has(one));
        const hangs = !falls && uses.some((one) => fallen.has(one));
        if (falls || hangs) fallen.add(letter);
        row.classList.toggle("falls", falls);
        row.classList.toggle("hangs", hangs);
        state.textContent = falls ? say.falls : hangs ? say.hangs : "";
      }
      hint.hidden = gone.size > 0;
      without.forEach((item, i) => void item.classList.toggle("ledger-idle", !gone.has(String(i + 1))));
    }

    assumptions.forEach((item, i) => {
      const number = String(i + 1);
      const button = /** @type {HTMLButtonElement} */ (made("button", "ledger-take", say.take));
      button.type = "button";
      const name = item.querySelector("strong")?.textContent ?? number;
      const label = () => button.setAttribute("aria-label", `${button.textContent}: ${name}`);
      label();
      button.addEventListener("click", () => {
        const taken = !gone.delete(number);
        if (taken) gone.add(number);
        item.classList.toggle("taken", taken);
        button.textContent = taken ? say.give : say.take;
        label();
        draw();
      });
      item.append(" ", button);
    });
    draw();
  }

  /** @type {NodeListOf<HTMLElement>} */
  const ledgers = document.querySelectorAll("div.ledger");
  for (const ledger of ledgers) start(ledger);
})();
