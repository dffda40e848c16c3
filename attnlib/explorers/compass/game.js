// The game of the first explorer: which words can be brought to the top, and can the last one?

import { html, line, live, rich } from "../framework/ui.js";

/** @import { Choose } from "../framework/explorer.js" */

/** A win is a lead that can be seen. */
export const STRICT = 0.005;
/** Where the theorem is proved, and the page of it. */
const PROOF = "never-wins";
const CHAPTER = "03_scores.html";

/**
 * @param {Choose} t
 * @param {string[]} tokens
 * @param {string[]} glossed
 */
export function gameOf(t, tokens, glossed) {
  /** @type {Set<number>} */
  const won = new Set();
  let answer = "";
  let isOwn = false;
  let changed = () => {};
  let isHeld = () => false;

  const question = html("b", {}, t("Which words can you give the largest share?", "你能让哪些词分到最大的权重？"));
  const word = html("span", {});
  const pips = tokens.map(() => html("i", {}));
  const task = html(
    "div",
    { class: "attn-task" },
    html("p", {}, question, " ", word),
    html("p", { class: "attn-pips", "aria-hidden": "true" }, ...pips),
  );
  task.role = "group";
  task.ariaLabel = t("The task", "任务");

  const options = { yes: t("Yes, there is one", "有"), no: t("No, there is none", "没有") };
  const buttons = Object.entries(options).map(([value, label]) => {
    const button = html("button", { type: "button", name: value, "data-lm-suppress-shortcuts": "true" }, label);
    button.addEventListener("click", () => {
      answer = value;
      tell();
      verdict.focus({ preventScroll: true });
    });
    return button;
  });
  const asked = html("div", { class: "attn-actions" }, ...buttons);
  task.append(asked);

  const said = html("b", {});
  const proof = html("a", {}, t("Why? Chapter 3 proves it.", "为什么？第 3 章给出证明。"));
  const verdict = html(
    "div",
    { class: "attn-found", tabindex: "-1", role: "group", "aria-label": t("What you have found", "你的发现") },
    html("p", {}, said, " ", ...rich(reason(t))),
    line("step", "$α_1 = √(α_3α_5)$: {weight-1} = √({weight-3} × {weight-5}) = {mean}"),
    html(
      "p",
      {},
      t("It stays so wherever the arrow points: that is a theorem. ", "无论箭头指向哪里都是如此：这是一条定理。"),
      proof,
    ),
  );

  /** Show how far the reader has come. */
  function tell() {
    const names = [...won].map((j) => tokens[j]).join(t(", ", "、"));
    const isFound = answer !== "";
    const left = glossed.find((_, j) => !won.has(j)) ?? "";
    for (const [k, pip] of pips.entries()) pip.classList.toggle("attn-on", k < won.size);
    if (isFound) question.textContent = t("Four can. One never will.", "四个可以，有一个永远不行。");
    else if (won.size === 4) question.textContent = t(`Four of five. Can ${left}?`, `五个里已有四个。${left}行吗？`);
    else question.textContent = t("Which words can you give the largest share?", "你能让哪些词分到最大的权重？");
    const count = t(`${won.size} of 5: ${names}.`, `已有 ${won.size} 个：${names}。`);
    word.textContent = won.size ? count : t("Turn the blue arrow.", "转动蓝色箭头试试。");
    if (won.size === 4) word.textContent = isFound ? "" : t("Does any arrow do it?", "有没有一个箭头能做到？");
    for (const pip of pips) pip.hidden = won.size === 4 && !isFound;
    asked.hidden = won.size < 4 || isFound;
    verdict.hidden = !isFound;
    said.textContent =
      answer === "no"
        ? t("You said no, and no it is.", "你说没有，确实没有。")
        : t(
            "You said yes. Turn the arrow as long as you like: there is none.",
            "你说有。可是无论怎样转动箭头，都没有。",
          );
    // a notebook has no page of chapter 3 to lead to
    const isOnSite = verdict.closest("attn-explorer") !== null;
    proof.href = `${document.getElementById(PROOF) ? "" : CHAPTER}#${PROOF}`;
    if (!isOnSite) proof.removeAttribute("href");
    changed();
  }

  live(task, (/** @type {any} */ { numbers: { weight, lead } }) => {
    const first = weight.indexOf(Math.max(...weight));
    // what a hand sweeps past is not won: it counts where the arrow is left
    if (isHeld()) return;
    const wins = isOwn && lead > STRICT && !won.has(first);
    isOwn = false;
    if (!wins) return;
    won.add(first);
    tell();
  });
  tell();

  return {
    task,
    verdict,
    won,
    isAnswered: () => answer !== "",

    /**
     * Call `act` when what the reader has found has changed; nothing is won while `held` says that the
     * arrow is.
     * @param {() => void} act @param {() => boolean} held
     */
    follow(act, held) {
      [changed, isHeld] = [act, held];
    },

    /** The next change of the state is a move of the reader. */
    move() {
      isOwn = true;
    },

    reset() {
      won.clear();
      answer = "";
      tell();
    },
  };
}

/** @param {Choose} t */
function reason(t) {
  return t(
    "The key of 小明 (word 1) lies exactly half-way between those of 书 (3) and 小红 (5). So its score is the mean of theirs, and its share:",
    "小明（第 1 个词）的键恰好在书（第 3 个）与小红（第 5 个）的键的正中间，所以它的分数是两者的平均，它的权重为：",
  );
}
