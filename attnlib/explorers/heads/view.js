// The explorer of chapter 8: a trained model with four heads, each of which can be switched off.

import ROLE from "../../tasks/role_weights.json" with { type: "json" };
import { attend, multiply, norm, partialSums, softmax, sum, transpose } from "../framework/core.js";
import { explorer, group } from "../framework/explorer.js";
import { bar, box, h, line, live, mark, number, panels, runningSum, table } from "../framework/ui.js";

const FOUR = [1, 2, 3, 4]; // heads, features of a head, questions
const ranges = { sentence: [1, ROLE.sentences.length, "whole"], feature: [1, 16, "whole"] };
for (const h of FOUR) ranges[`head_${h}`] = ["on", "off"];

const scaled = (x) => (x.map ? x.map(scaled) : x / ROLE.unit);
const PARAMS = Object.fromEntries(Object.entries(ROLE.params).map(([name, W]) => [name, scaled(W)]));
const LONGEST = Math.max(...ROLE.sentences.map(({ tokens }) => tokens.length));

export default explorer({
  ranges,

  compute({ sentence, feature, ...switches }) {
    const { tokens, verb, answers } = ROLE.sentences[sentence - 1];
    const X = tokens.map((token, j) => {
      const position = PARAMS.position_embedding[j - verb + ROLE.verb_slot];
      return PARAMS.token_embedding[token].map((x, r) => x + position[r]);
    });
    const [Q, K, V] = [PARAMS.W_Q, PARAMS.W_K, PARAMS.W_V].map((W) => transpose(multiply(X, W)));
    const heads = FOUR.map((h) => {
      const [q, k, v] = [Q, K, V].map((M) => transpose(M.slice(4 * h - 4, 4 * h)));
      return attend([q[verb]], k, v);
    });
    const C = heads.map(({ Z }, i) => Z[0].map((z) => (switches[`head_${i + 1}`] === "on" ? z : 0)));
    const shares = C.map((z, i) => multiply([z], PARAMS.W_O.slice(4 * i, 4 * i + 4))[0]);
    const O = transpose(shares).map(sum);
    const y = O.map((o, r) => X[verb][r] + o);
    const p = PARAMS.readout.map((R) => softmax(multiply([y], R)[0]));
    const share = shares.map((row) => row[feature - 1]);
    const numbers = {
      o: O[feature - 1],
      concat: multiply([C.flat()], PARAMS.W_O)[0][feature - 1],
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
  },

  view(t, { select, check, slider, grid, reset }) {
    const chosen = ({ sentence }) => ROLE.sentences[sentence - 1];
    const word = (token) => ROLE.words[token] + t(` ${ROLE.gloss[token]}`, "");
    const labels = Array.from({ length: LONGEST }, (_, j) => (v) => {
      const { tokens, verb } = chosen(v);
      return j < tokens.length ? word(tokens[j]) + (j === verb ? " ←" : "") : "";
    });
    const columns = FOUR.map((h) => (v) => (v[`head_${h}`] === "on" ? `${h}` : `${h} ${t("off", "关")}`));
    const look = { corner: t("word, by head", "词／头"), rows: labels, most: 1 };
    const A = grid("A", t("Weights of the verb’s row", "动词这一行的权重"), columns, "weights", look);
    mark(A, (j, h, v, { numbers }) => v[`A-${j}-${h}`] === Math.max(...numbers.A.map((row) => row[h - 1])));
    for (const [j, row] of [...A.tBodies[0].rows].entries()) {
      live(row, (v) => (row.hidden = j >= chosen(v).tokens.length));
    }
    const sums = FOUR.map((i) => h("td", {}, number(`sum-${i}`, 2)));
    A.tBodies[0].append(h("tr", {}, h("th", { scope: "row" }, t("sum", "和")), ...sums));
    A.classList.add("attn-wrap");

    const questions = t(["giver", "thing", "receiver", "time word"], ["给予者", "物品", "接受者", "时间词"]);
    const answer = (v, q) => v[`answer-${q + 1}`];
    const isRight = (v, q) => answer(v, q) === chosen(v).answers[q];
    const answers = table(
      t("Answers, read at the verb", "在动词处读出的答案"),
      t(["right answer", "its probability", "most likely"], ["正确答案", "其概率", "最可能"]),
      questions.map((question, q) => [
        (v) => `${question}${t(": ", "：")}${word(chosen(v).answers[q])}`,
        bar(`p-${q + 1}`, 1, "output"),
        (v) => `${isRight(v, q) ? "✓" : "✗"} ${ROLE.words[answer(v, q)]}`,
      ]),
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
    const translation = line("step", (v) => chosen(v)[t("en", "zh")]);
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
      values: (v) => ({ wrong: questions.filter((_, q) => !isRight(v, q)).join(t(", ", "、")) || t.none }),
    };
  },
});
