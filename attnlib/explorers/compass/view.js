// The explorer of the first page: one query, which the reader turns, and a word that never wins.

import { attend, partialSums, transpose } from "../framework/core.js";
import { EXAMPLE } from "../framework/example.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { SMALL } from "../framework/two_features.js";
import { box, eased, formatNumber, html, live, place, rich } from "../framework/ui.js";
import { gameOf, STRICT } from "./game.js";
import { compassPicture } from "./picture.js";

/** @import { Moment } from "../framework/ui.js" */

/** @typedef {{angle: number, length: number}} State */
/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

const TURN = 180 / Math.PI;

/** @param {State} state */
function compute({ angle, length }) {
  const { K, V } = SMALL;
  const q = [Math.cos(angle / TURN), Math.sin(angle / TURN)].map((x) => length * x);
  const { S_scaled, A, Z } = attend([q], K, V);
  const [weight] = A;
  const [first, second] = [...weight].sort((a, b) => b - a);
  const terms = V.map((v, j) => v.map((x) => weight[j] * x));
  const sum = transpose(transpose(terms).map(partialSums));
  const mean = Math.sqrt(weight[2] * weight[4]);
  return { numbers: { K, V, q, score: S_scaled[0], weight, z: Z[0], sum, lead: first - second, mean } };
}

/** The direction and length of a query. @param {number[]} q @returns {State} */
function polar([x, y]) {
  const [angle, length] = [(TURN * Math.atan2(y, x) + 360) % 360, Math.hypot(x, y)];
  return { angle: Math.round(100 * angle) / 100, length: Math.round(100 * length) / 100 };
}

/** The state at a share of the way, the shorter way around. @param {State} from @param {State} to @param {number} share */
function between(from, to, share) {
  const turn = ((to.angle - from.angle + 540) % 360) - 180;
  return { angle: from.angle + share * turn, length: from.length + share * (to.length - from.length) };
}

/** A share in percent. @param {number} x */
const percent = (x) => `${Math.round(100 * x)} %`;

export default explorer({
  settings: SETTINGS,
  compute,
  between,

  view(t, { hand, press, slider, reset, glossed }) {
    const { tokens, gloss } = EXAMPLE;
    const game = gameOf(
      t,
      tokens,
      glossed.map((word) => word.slice(2)),
    );
    const topOf = (/** @type {Now} */ { numbers: { weight } }) => {
      const top = weight.indexOf(Math.max(...weight));
      return { word: glossed[top].slice(2), share: percent(weight[top]) };
    };
    const says = (/** @type {Now} */ now) => {
      const { word, share } = topOf(now);
      const [angle, length] = [Math.round(now.state.angle), now.state.length.toFixed(1)];
      return t(
        `${angle} degrees, length ${length}; ${word} has ${share}`,
        `方向 ${angle} 度，长度 ${length}；${word} 占 ${share}`,
      );
    };
    const moved = (/** @type {State} */ to) => {
      game.move();
      return to;
    };
    const query = hand(
      t(
        "query q: left and right turn it, up and down make it longer and shorter",
        "查询 q：左右键转动，上下键改变长度",
      ),
      says,
      (to) => moved(polar(to)),
      ([right, up], isFar, { state }) =>
        moved({
          angle: (state.angle - right * (isFar ? 15 : 5) + 360) % 360,
          length: state.length + up * (isFar ? 0.75 : 0.25),
        }),
    );
    const buttons = tokens.map((token, j) => {
      const share = place(`weight-${j + 1}`, percent);
      const name = html("b", { lang: "zh-CN" }, token);
      const button = html("button", { type: "button", name: `word-${j + 1}`, class: "attn-word" }, name);
      if (t("en", "zh") === "en") button.append(html("small", {}, gloss[j]));
      button.append(html("span", {}, share));
      press(button, () => moved(polar(SMALL.Q[j])));
      live(button, (/** @type {Now} */ { numbers: { weight, lead } }) => {
        button.classList.toggle("attn-first", weight[j] === Math.max(...weight) && lead > STRICT);
      });
      return eased(button, (/** @type {Now} */ { numbers: { weight } }) => {
        button.style.setProperty("--attn-share", String(weight[j]));
      });
    });
    const picture = compassPicture({
      label: t(
        "Left the keys and the query, right the values and the output; the words between are buttons",
        "左边是键与查询，右边是值与输出；中间的词是按钮",
      ),
      hand: query,
      tokens,
      buttons,
      captions: {
        keys: [t("keys", "键"), t(" on stripes of equal score; hatched: below 0", "，条纹上分数相等；斜线：小于 0")],
        weights: [t("weights", "权重"), ""],
        values: [t("values", "值"), t(", mixed into z", "，混合成 z")],
      },
      isAnswered: game.isAnswered,
    });
    const isHeld = () => picture.querySelector(".attn-held") !== null;
    game.follow(() => {
      for (const [j, button] of buttons.entries()) button.classList.toggle("attn-won", game.won.has(j));
      picture.redraw();
    }, isHeld);
    const words = html("div", { class: "attn-words" }, ...buttons);
    words.role = "group";
    words.ariaLabel = t(
      "The five words and their shares; a word that is pressed asks with its own query",
      "五个词及其权重；按下一个词，就换成它自己的查询",
    );
    const angle = slider("angle", t("direction of $q$, °", "$q$ 的方向，°"), { step: 5 });
    const length = slider("length", t("length of $q$", "$q$ 的长度"), { step: 0.25 });
    for (const control of [angle, length]) control.addEventListener("input", game.move, true);
    reset.addEventListener("click", game.reset);
    const two = (/** @type {string} */ name) => place(name, (x) => formatNumber(x, 2));
    const sum = html(
      "p",
      { class: "attn-sum" },
      html("span", { class: "attn-math attn-output" }, html("i", {}, "z")),
      " = ",
    );
    for (const [j] of tokens.entries()) {
      sum.append(...(j ? [" + "] : []), two(`weight-${j + 1}`), " ", ...rich(`$v_${j + 1}$`));
    }
    sum.append(" = (", two("z-1"), ", ", two("z-2"), ")");
    return {
      title: t("one query, five words", "一个查询，五个词"),
      nodes: [
        formula(),
        game.task,
        game.verdict,
        box("compass", picture, words),
        sum,
        box("controls", angle, length, reset),
      ],
      summary: t(
        "{word} is first with {share}. Brought to the top: {won} of 5.",
        "{word} 领先，占 {share}。已推到最前的词：{won} 个（共 5 个）。",
      ),
      values: (now) => ({ ...topOf(now), won: game.won.size }),
    };
  },
});

/** The line of the first page, each symbol in its colour. */
function formula() {
  const symbol = (/** @type {string} */ name, /** @type {string} */ tone) => html("i", { class: `attn-${tone}` }, name);
  const above = html("span", {}, symbol("q", "query"), " ", symbol("K", "key"), html("sup", {}, "⊤"));
  const fraction = html("span", { class: "attn-fraction" }, above, html("span", {}, "√2"));
  const line = html("p", { class: "attn-line-of-all attn-math" });
  line.append(symbol("z", "output"), " = softmax", html("span", { class: "attn-bracket-big" }, "("), fraction);
  line.append(html("span", { class: "attn-bracket-big" }, ")"), " ", symbol("V", "value"));
  return line;
}
