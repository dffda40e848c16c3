// The formula, played: the chosen cell is made step by step, then that of the next stage.

import { entryName } from "../framework/core.js";
import { mayNotMove } from "../framework/motion.js";
import { formatNumber, html, live, rich } from "../framework/ui.js";
import { dropsInto } from "./drop.js";
import { columnOf, STAGES } from "./needs.js";
import { chosenCell, equationOf, stepsOf } from "./origins.js";

/** @import { Controls } from "../framework/controls.js" */
/** @import { Choose } from "../framework/explorer.js" */
/** @import { Moment } from "../framework/ui.js" */
/** @import { State } from "./needs.js" */

/** Time to read a step. */
const PAUSE = 1300;

/** @typedef {Moment & {state: State}} Now */

/** @type {(stage: string, by: number) => string} */
const stageAfter = (stage, by) => STAGES[(STAGES.indexOf(stage) + by + STAGES.length) % STAGES.length];

/**
 * @param {Choose} t
 * @param {Pick<Controls, "press">} controls
 * @param {HTMLElement} matrices
 */
export function playerOf(t, { press }, matrices) {
  const drops = dropsInto(matrices);
  /** @type {Now} */
  let now;
  // how many steps of the chosen cell are made; it is whole, and nothing is played, at Infinity
  let made = Number.POSITIVE_INFINITY;
  let cell = "";
  // the stage that a step leads to; any other comes from the reader
  let expected = "";
  let timer = 0;

  const button = (/** @type {string} */ name, /** @type {string} */ label) =>
    html("button", { type: "button", name }, label);
  const back = button("back", t("Back", "后退"));
  const play = button("play", t("Play", "播放"));
  const step = button("step", t("Next step", "前进"));
  const place = html("span", { class: "attn-note", role: "status" });
  const node = html("div", { class: "attn-actions attn-player" }, back, play, step, place);
  const line = html("p", { class: "attn-step attn-equation" });

  function draw(isNew = false) {
    const { state, named } = now;
    const steps = stepsOf(now);
    const at = steps[Math.min(made, steps.length) - 1];
    const j = state[columnOf(state.stage)];
    if (!Number.isFinite(made)) {
      drops.clear();
      place.textContent = "";
      line.replaceChildren(...rich(equationOf(now)));
      return;
    }
    drops.show(at, entryName(state.stage, state.i, j), state.stage !== "A", isNew);
    const value = formatNumber(at.isWhole ? Number(named[entryName(state.stage, state.i, j)]) : at.sum, 2);
    const end = at.isWhole ? ` = ${value}` : `${t(", ", "，")}${t.soFar} ${value}`;
    const term = html("b", { class: "attn-term-now" }, ...rich(at.says));
    line.replaceChildren(...rich(`${chosenCell(state)} = ${at.before}`), term, end);
    const count = t(`step ${made} of ${steps.length}: `, `第 ${made} 步，共 ${steps.length} 步：`);
    // of a sum only the last term is said here
    const so = at.isWhole ? t(`, giving ${value}`, `，得到 ${value}`) : end;
    place.replaceChildren(count, ...rich(at.says), so);
  }

  /** The cell is whole, and nothing runs. */
  function rest() {
    made = Number.POSITIVE_INFINITY;
    pause();
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = t("Play", "播放");
    place.ariaLive = null;
  }

  function wait() {
    timer = setTimeout(() => {
      const isDone = stageAfter(now.state.stage, 1) === STAGES[0] && made >= stepsOf(now).length;
      if (isDone || mayNotMove()) return pause();
      step.click();
      wait();
    }, PAUSE);
  }

  /** What a step does to the state: within a cell, nothing. @param {string} stage @param {number} steps */
  function goTo(stage, steps) {
    made = steps;
    if (stage === now.state.stage) draw(true);
    else expected = stage;
    return stage === now.state.stage ? {} : { stage };
  }

  press(step, ({ stage }) => (made < stepsOf(now).length ? goTo(stage, made + 1) : goTo(stageAfter(stage, 1), 1)));
  press(back, ({ stage }) => {
    const count = Math.min(made, stepsOf(now).length);
    if (count > 1) return goTo(stage, count - 1);
    const before = stageAfter(stage, -1);
    return goTo(before, stepsOf({ ...now, state: { ...now.state, stage: before } }).length);
  });
  for (const by of [step, back]) by.addEventListener("click", ({ isTrusted }) => isTrusted && pause());
  press(play, () => {
    if (timer) pause();
    else {
      step.click();
      place.ariaLive = "off";
      play.textContent = t("Pause", "暂停");
      wait();
    }
    return {};
  });

  live(node, (/** @type {Now} */ moment) => {
    now = moment;
    const { stage, i } = now.state;
    const chosen = entryName(stage, i, now.state[columnOf(stage)]);
    const isStep = expected === stage;
    if (chosen !== cell && !isStep) rest();
    draw(isStep);
    [cell, expected] = [chosen, ""];
  });

  const whenHidden = () => document.visibilityState === "hidden" && pause();
  document.addEventListener("visibilitychange", whenHidden);
  return {
    node,
    line,
    rest() {
      rest();
      draw();
    },
    end() {
      pause();
      document.removeEventListener("visibilitychange", whenHidden);
    },
  };
}
