// The explorer of chapter 8: a trained model with four heads, each of which can be switched off.

import ROLE from "../../tasks/role_weights.json" with { type: "json" };
import { group } from "../framework/controls.js";
import { attend, entryName, multiply, norm, partialSums, softmax, sum, transpose } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, mark, runningSum, table } from "../framework/tables.js";
import { box, html, line, live, number, panels } from "../framework/ui.js";

/** @typedef {import("../framework/ui.js").Now<typeof compute>} Now */

/** The switches of the heads are strings. @typedef {{sentence: number, feature: number, [head: string]: number | string}} State */

const FOUR = [1, 2, 3, 4]; // heads, features of a head, questions
const scaled = (/** @type {number[][]} */ W) => W.map((row) => row.map((w) => w / ROLE.unit));
const { token_embedding, position_embedding, W_Q, W_K, W_V, W_O, readout } = ROLE.params;
const [WORDS, POSITIONS, OUTPUT] = [token_embedding, position_embedding, W_O].map(scaled);
const PROJECTIONS = [W_Q, W_K, W_V].map(scaled);
const READOUT = readout.map(scaled);
const LONGEST = Math.max(...ROLE.sentences.map(({ tokens }) => tokens.length));

const isOn = (/** @type {State} */ state, /** @type {number} */ head) => state[`head_${head}`] === "on";

/** @param {State} state */
function compute(state) {
  const { sentence, feature } = state;
  const { tokens, verb, answers } = ROLE.sentences[sentence - 1];
  const X = tokens.map((token, j) => {
    const position = POSITIONS[j - verb + ROLE.verb_slot];
    return WORDS[token].map((x, r) => x + position[r]);
  });
  const [Q, K, V] = PROJECTIONS.map((W) => transpose(multiply(X, W)));
  const heads = FOUR.map((h) => {
    const [q, k, v] = [Q, K, V].map((M) => transpose(M.slice(4 * h - 4, 4 * h)));
    return attend([q[verb]], k, v);
  });
  const C = heads.map(({ Z }, i) => Z[0].map((z) => (isOn(state, i + 1) ? z : 0)));
  const shares = C.map((z, i) => multiply([z], OUTPUT.slice(4 * i, 4 * i + 4))[0]);
  const O = transpose(shares).map(sum);
  const y = O.map((o, r) => X[verb][r] + o);
  const p = READOUT.map((R) => softmax(multiply([y], R)[0]));
  const share = shares.map((row) => row[feature - 1]);
  const numbers = {
    o: O[feature - 1],
    concat: multiply([C.flat()], OUTPUT)[0][feature - 1],
    A: Array.from({ length: LONGEST }, (_, j) => heads.map(({ A }) => A[0][j] ?? 0)),
    sum: heads.map(({ A }) => sum(A[0])),
    norm: shares.map((row) => norm([row])),
    norm_o: norm([O]),
    share,
    so_far: partialSums(share),
    p: p.map((row, q) => row[answers[q]]),
    answer: p.map((row) => row.indexOf(Math.max(...row))),
  };
  return { numbers };
}

export default explorer({
  settings: SETTINGS,
  compute,

  view(t, { select, check, slider, grid, reset }) {
    const chosen = (/** @type {Now} */ { state: { sentence } }) => ROLE.sentences[sentence - 1];
    const word = (/** @type {number} */ token) => ROLE.words[token] + t(` ${ROLE.gloss[token]}`, "");
    const labels = Array.from({ length: LONGEST }, (_, j) => (/** @type {Now} */ now) => {
      const { tokens, verb } = chosen(now);
      return j < tokens.length ? word(tokens[j]) + (j === verb ? " ←" : "") : "";
    });
    const columns = FOUR.map(
      (h) => (/** @type {Now} */ now) => (isOn(now.state, h) ? `${h}` : `${h} ${t("off", "关")}`),
    );
    const look = { corner: t("word, by head", "词／头"), rows: labels, columns, most: 1 };
    const A = grid("A", t("Weights of the verb’s row", "动词这一行的权重"), "weights", look);
    mark(A, (j, h, /** @type {Now} */ { numbers }) => {
      const weights = numbers.A.map((row) => row[h - 1]);
      return weights[j - 1] === Math.max(...weights);
    });
    for (const [j, row] of [...A.tBodies[0].rows].entries()) {
      live(row, (/** @type {Now} */ now) => {
        row.hidden = j >= chosen(now).tokens.length;
      });
    }
    const sums = FOUR.map((i) => html("td", {}, number(entryName("sum", i), 2)));
    A.tBodies[0].append(html("tr", {}, html("th", { scope: "row" }, t("sum", "和")), ...sums));
    A.classList.add("attn-wrap");

    const questions = t(["giver", "thing", "receiver", "time word"], ["给予者", "物品", "接受者", "时间词"]);
    const isRight = (/** @type {Now} */ now, /** @type {number} */ q) =>
      now.numbers.answer[q] === chosen(now).answers[q];
    /** @type {(question: string, q: number) => [(now: Now) => string, Node, (now: Now) => string]} */
    const answerTo = (question, q) => [
      (now) => `${question}${t(": ", "：")}${word(chosen(now).answers[q])}`,
      bar(entryName("p", q + 1), 1, "output"),
      (now) => `${isRight(now, q) ? "✓" : "✗"} ${ROLE.words[now.numbers.answer[q]]}`,
    ];
    const answers = table(
      t("Answers, read at the verb", "在动词处读出的答案"),
      t(["right answer", "its probability", "most likely"], ["正确答案", "其概率", "最可能"]),
      questions.map(answerTo),
    );
    answers.classList.add("attn-terms");

    const heads = FOUR.map((h) => `${t("head", "头")} ${h}`);
    const feature = t("feature $r$", "特征 $r$");
    const shares = runningSum({
      caption: t("Shares $head_hW_O^{(h)}$ of the output, verb’s row", "动词这一行输出中各头的份额 $head_hW_O^{(h)}$"),
      head: ["", t("norm", "范数"), feature, t.soFar],
      rows: heads,
      parts: ["norm", "share", "so_far"],
      most: 45,
      tone: "output",
    });
    const framed = t(
      "← the verb. Framed: the largest weight of a head. A head that is off has its weights, but adds nothing to the output.",
      "← 为动词。加框者是该头的最大权重。关闭的头仍有权重，但对输出没有贡献。",
    );
    const learnt = t(
      "Which head serves which answer is learnt, not assigned: from another start it comes out otherwise.",
      "哪个头负责哪个答案是学到的，不是指定的；换一个初值，分工就不同。",
    );
    const together = t(
      "All heads: norm of $O$ {norm_o}; feature $r$ of $O$ {o}, of $Concat(head_1, …, head_4)W_O$ {concat}",
      "所有头合计：$O$ 的范数 {norm_o}；特征 $r$ 上，$O$ 为 {o}，$Concat(head_1, …, head_4)W_O$ 为 {concat}",
    );
    const sentences = ROLE.sentences.map(({ zh }, i) => `${i + 1} ${zh}`);
    const sentence = select("sentence", t("choose one", "选一句"), sentences);
    const translation = line("step", (/** @type {Now} */ now) => t(chosen(now).en, chosen(now).zh));
    const switches = heads.map((label, i) => check(`head_${i + 1}`, label));
    return {
      title: t("heads on and off", "开关注意力头"),
      nodes: [
        box(
          "controls",
          group(t("Sentence", "句子"), "query", sentence, translation),
          group(t("Heads switched on", "开启的头"), "weights", ...switches),
          group(t("Output", "输出"), "output", slider("feature", feature), reset),
        ),
        panels([A, line("note", framed)], [answers, line("note", learnt)]),
        panels([shares, line("note", together)]),
      ],
      summary: t("Wrong answers: {wrong}.", "答错：{wrong}。"),
      values: (now) => ({ wrong: questions.filter((_, q) => !isRight(now, q)).join(t(", ", "、")) || t.none }),
    };
  },
});
