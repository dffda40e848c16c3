// The words under one another, and for each head arcs from the verb to all of them.

import { handle } from "../framework/hands.js";
import { eased, formatNumber, live, svg } from "../framework/ui.js";
import { FOUR, isOn, LONGEST, STORY, sentenceOf } from "./numbers.js";

/** @import { Controls } from "../framework/controls.js" */
/** @import { Choose } from "../framework/explorer.js" */
/** @typedef {import("../framework/ui.js").Now<typeof import("./numbers.js").headsNumbers>} HeadsNow */

const HEADS_WIDE = 330;
const TOP = 58; // of the first word's middle
const LINE = 33; // from a word to the next
const WORDS_END = 108;
const PANEL = 54;
const WIDEST = 11;
const SEEN = 0.005; // a weight that has an arc
const WRITTEN = 0.05; // a weight that is written, too

/** A colour is a head here, as in the figures of the chapter. */
export const HEAD_TONES = ["signed", "output", "weights", "scores"];

/** What the verb's words are at this moment. @param {HeadsNow} now */
export const chosenOf = ({ state }) => sentenceOf(state.sentence, state.swap === "on");

const rowAt = (/** @type {number} */ j) => TOP + LINE * j;
const panelAt = (/** @type {number} */ h) => WORDS_END + 8 + PANEL * (h - 1);

/** From the verb to a word; the farther, the wider. @param {number} x @param {number} verb @param {number} j */
function arcTo(x, verb, j) {
  const [from, to] = [rowAt(verb), rowAt(j)];
  if (j === verb) return `M${x} ${from - 4}C${x + 16} ${from - 12} ${x + 16} ${from + 12} ${x} ${from + 4}`;
  const far = x + 8 + 5 * Math.min(5, Math.abs(j - verb));
  return `M${x} ${from}C${far} ${from} ${far} ${to} ${x} ${to}`;
}

/** A word with its English under it. @param {Choose} t @param {number} y */
function wordAt(t, y) {
  const attributes = { x: WORDS_END, "text-anchor": "end" };
  const word = svg("text", { ...attributes, y: y + t(-1, 5) });
  const gloss = svg("text", { ...attributes, y: y + 13, class: "attn-gloss" });
  /** @param {number | undefined} token */
  function say(token) {
    word.textContent = token === undefined ? "" : STORY.words[token];
    gloss.textContent = token === undefined ? "" : t(STORY.gloss[token], "");
  }
  return { nodes: [word, gloss], say };
}

/**
 * @param {Choose} t
 * @param {Controls} controls
 */
export function arcsPicture(t, { hand }) {
  const node = svg("svg", { class: "attn-picture attn-heads" });
  node.role = "group";
  const band = svg("rect", { class: "attn-verb", x: 0, width: HEADS_WIDE, height: LINE - 4, rx: 5 });
  const rows = Array.from({ length: LONGEST }, (_, j) => wordAt(t, rowAt(j)));

  const panels = FOUR.map((h) => {
    const x = panelAt(h);
    const arcs = rows.map(() => svg("path", { class: "attn-arc" }));
    const texts = rows.map((_, j) => svg("text", { x: x + PANEL - 5, y: rowAt(j) + 4, "text-anchor": "end" }));
    const spine = svg("path", { class: "attn-spine" });
    const name = t(`head ${h}`, `头 ${h}`);
    // a hand that holds nothing, for what a press writes
    const turn = hand(
      name,
      () => "",
      () => ({}),
      (_, __, /** @type {HeadsNow} */ now) => ({ [`head_${h}`]: isOn(now.state, h) ? "off" : "on" }),
    );
    const plate = svg("rect", { x: x - 3, y: 2, width: PANEL - 3, height: 34, rx: 6 });
    const lines = [16, 31].map((y) => svg("text", { x: x + PANEL / 2 - 4, y, "text-anchor": "middle" }));
    lines[0].textContent = name;
    const toggle = svg("g", { class: "attn-turn-head" }, plate, ...lines);
    /** @type {HeadsNow | undefined} */
    let moment;
    toggle.tabIndex = 0;
    toggle.role = "switch";
    toggle.ariaLabel = name;
    toggle.dataset.lmSuppressShortcuts = "true";
    toggle.addEventListener("click", () => turn.step([0, 0], false, moment));
    toggle.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      turn.step([0, 0], false, moment);
    });
    const group = svg("g", { class: `attn-one-head attn-${HEAD_TONES[h - 1]}` }, spine, ...arcs, ...texts, toggle);

    /** @param {HeadsNow} now */
    function follow(now) {
      moment = now;
      const { tokens, verb } = chosenOf(now);
      const state = isOn(now.state, h)
        ? t("on", "开")
        : now.state.ablation === "mean"
          ? t("mean", "平均")
          : t("off", "关");
      lines[1].textContent = state;
      toggle.ariaChecked = String(isOn(now.state, h));
      group.classList.toggle("attn-silent", !isOn(now.state, h));
      spine.setAttribute("d", `M${x} ${rowAt(0) - 10}V${rowAt(tokens.length - 1) + 10}`);
      for (const [j, arc] of arcs.entries()) arc.setAttribute("d", arcTo(x, verb, j));
    }

    /** @param {HeadsNow} now */
    function draw({ numbers: { A } }) {
      for (const [j, arc] of arcs.entries()) {
        const weight = A[j][h - 1];
        arc.dataset.weight = String(weight);
        arc.toggleAttribute("hidden", weight < SEEN);
        arc.setAttribute("stroke-width", String(WIDEST * weight));
        texts[j].textContent = weight < WRITTEN ? "" : formatNumber(weight, 2);
      }
    }
    return { group, follow, draw };
  });

  // the two names, each of which can be taken to the place of the other
  const names = [0, 1].map((which) => {
    const { nodes, say } = wordAt(t, 0);
    /** Where this name stands and where it would. @param {HeadsNow} now */
    const places = ({ state }) => {
      const { tokens, answers } = sentenceOf(state.sentence, false);
      const both = [answers[0], answers[2]].map((token) => tokens.indexOf(token));
      return which ? [both[1], both[0]] : both;
    };
    const exchange = hand(
      which
        ? t("the second name: up and down arrow keys exchange the names", "后一个名字：上下方向键交换两个名字")
        : t("the first name: up and down arrow keys exchange the names", "前一个名字：上下方向键交换两个名字"),
      (/** @type {HeadsNow} */ now) => {
        const { tokens } = sentenceOf(now.state.sentence, false);
        const gives = (which === 0) === (now.state.swap === "off");
        const name = STORY.words[tokens[places(now)[0]]];
        return gives ? t(`${name} gives`, `${name} 给出`) : t(`${name} receives`, `${name} 接受`);
      },
      ([, row], /** @type {HeadsNow} */ now) => {
        const [own, other] = places(now);
        return { swap: Math.abs(row - other) < Math.abs(row - own) ? "on" : "off" };
      },
      ([, up]) => (up ? { swap: up < 0 === (which === 0) ? "on" : "off" } : {}),
    );
    let place = 0;
    const halo = svg("circle", { class: "attn-halo", r: 23, cx: WORDS_END - 22 });
    const ways = svg("path", { class: "attn-ways", d: "M12 -4L17 -11 22 -4zM12 4L17 11 22 4z" });
    const group = svg("g", { class: "attn-query attn-person" }, halo, ways, ...nodes);
    handle(
      group,
      exchange,
      () => [WORDS_END, place],
      ([, y]) => [0, (y - TOP) / LINE],
    );

    /** @param {HeadsNow} now */
    function follow(now) {
      say(sentenceOf(now.state.sentence, false).tokens[places(now)[0]]);
    }

    /** @param {HeadsNow} now */
    function draw({ drawn }) {
      place = rowAt(drawn.names[which]);
      group.dataset.row = String(drawn.names[which]);
      group.setAttribute("transform", `translate(0 ${place})`);
    }
    return { group, follow, draw };
  });

  node.append(
    band,
    ...rows.flatMap(({ nodes }) => nodes),
    ...panels.map(({ group }) => group),
    ...names.map(({ group }) => group),
  );

  live(node, (/** @type {HeadsNow} */ now) => {
    const { tokens, verb, answers } = chosenOf(now);
    node.setAttribute("viewBox", `0 0 ${HEADS_WIDE} ${rowAt(tokens.length - 1) + 24}`);
    band.setAttribute("y", String(rowAt(verb) - LINE / 2 + 2));
    const isName = (/** @type {number} */ token) => token === answers[0] || token === answers[2];
    for (const [j, { say }] of rows.entries()) say(isName(tokens[j]) ? undefined : tokens[j]);
    for (const part of [...panels, ...names]) part.follow(now);
    const looks = FOUR.map((h) => {
      const weights = now.numbers.A.map((row) => row[h - 1]);
      const most = weights.indexOf(Math.max(...weights));
      return (
        t(`head ${h}: most`, `头 ${h}：最大的`) +
        t(" on ", "在 ") +
        `${STORY.words[tokens[most]]}, ${formatNumber(weights[most], 2)}`
      );
    });
    node.ariaLabel = t("What each head takes at the verb. ", "动词处各头从各词取多少。") + looks.join("; ");
  });
  return eased(node, (/** @type {HeadsNow} */ now) => {
    for (const part of [...panels, ...names]) part.draw(now);
  });
}
