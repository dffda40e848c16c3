// The explorer of chapter 8: a trained model with four heads, each of which can be switched off.

import ROLE from "./role_weights.json" with { type: "json" };
import { attend, entries, multiply, norm, partialSums, softmax, sum, transpose } from "./core.js";
import { controlBar, explorer, group } from "./explorer.js";
import { bar, digit, h, line, matrix, number, panels, runningSum, table } from "./ui.js";

const FOUR = [1, 2, 3, 4]; // heads, features of a head, questions
const ranges = { sentence: [1, ROLE.sentences.length, "whole"], feature: [1, 16, "whole"] };
for (const h of FOUR) ranges[`head_${h}`] = ["on", "off"];

const scaled = (x) => (x.map ? x.map(scaled) : x / ROLE.unit);
const PARAMS = Object.fromEntries(Object.entries(ROLE.params).map(([name, W]) => [name, scaled(W)]));
const LONGEST = Math.max(...ROLE.sentences.map(({ tokens }) => tokens.length));

function compute({ sentence, feature, ...switches }) {
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
  const numbers = entries({
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
  });
  return { numbers, sentence, switches };
}

const texts = {
  en: {
    title: "Explorer: heads on and off",
    gloss: true,
    which: "Sentence",
    sentence: "choose one",
    heads: "Heads switched on",
    head: "head",
    off: "off",
    output: "Output",
    feature: "feature $r$",
    weights: "Weights of the verb’s row",
    word: "word, by head",
    sum: "sum",
    look: "← the verb. Framed: the largest weight of a head. A head that is off has its weights, but adds nothing to the output.",
    answers: "Answers, read at the verb",
    answerHead: ["right answer", "its probability", "most likely"],
    questions: ["giver", "thing", "receiver", "time word"],
    learnt: "Which head serves which answer is learnt, not assigned: from another start it comes out otherwise.",
    shares: "Shares $head_hW_O^{(h)}$ of the output, verb’s row",
    shareHead: ["", "norm", "feature $r$", "sum so far"],
    together: ["All heads: norm of $O$ ", "; feature $r$ of $O$ ", ", of $Concat(head_1, …, head_4)W_O$ "],
    summary: (wrong) => (wrong ? `Wrong: ${wrong}.` : "All four answers are right."),
  },
  zh: {
    title: "交互演示：开关注意力头",
    which: "句子",
    sentence: "选一句",
    heads: "开启的头",
    head: "头",
    off: "关",
    output: "输出",
    feature: "维度 $r$",
    weights: "动词这一行的权重",
    word: "词，按头",
    sum: "和",
    look: "← 为动词。加框者是该头的最大权重。关闭的头仍有权重，但对输出没有贡献。",
    answers: "在动词处读出的答案",
    answerHead: ["正确答案", "其概率", "最可能"],
    questions: ["给予者", "物品", "接受者", "时间词"],
    learnt: "哪个头服务于哪个答案是学到的，不是指定的；换一个初值，分工就不同。",
    shares: "动词这一行输出中各头的份额 $head_hW_O^{(h)}$",
    shareHead: ["", "范数", "维度 $r$", "累加"],
    together: ["所有头合计：$O$ 的范数 ", "；维度 $r$ 上，$O$ 为 ", "，$Concat(head_1, …, head_4)W_O$ 为 "],
    summary: (wrong) => (wrong ? `答错：${wrong}。` : "四个答案全对。"),
  },
};

function view(t, { select, check, slider, reset }) {
  const word = (token) => ROLE.words[token] + (t.gloss ? ` ${ROLE.gloss[token]}` : "");
  const text = h("span");
  const rows = Array(LONGEST).fill("");
  const A = matrix({ name: "A", caption: t.weights, corner: t.word, rows, columns: 4, most: 1, tone: "weights" });
  const body = [...A.tBodies[0].rows];
  const sums = FOUR.map((i) => h("td", {}, number(`sum-${i}`, { decimals: 2 })));
  A.tBodies[0].append(h("tr", {}, h("th", { scope: "row" }, t.sum), ...sums));
  A.classList.add("attn-wrap");
  const found = FOUR.map(() => h("span"));
  const answers = table(t.answers, t.answerHead, found.map((place, q) => ["", bar(`p-${q + 1}`, 1, "output"), place]));
  answers.classList.add("attn-terms");
  const heads = FOUR.map((i) => `${t.head} ${i}`);
  const sentences = ROLE.sentences.map(({ zh }, i) => `${i + 1} ${zh}`);
  const together = ["norm_o", "o", "concat"].flatMap((name, i) => [t.together[i], number(name)]);
  const nodes = [
    controlBar(
      group(t.which, "query", select("sentence", t.sentence, sentences), { node: line("step", digit("sentence"), " ", text) }),
      group(t.heads, "weights", ...heads.map((label, i) => check(`head_${i + 1}`, label))),
      group(t.output, "output", slider("feature", t.feature, { step: 1 }), reset),
    ),
    panels([A, line("note", t.look)], [answers, line("note", t.learnt)]),
    panels([
      runningSum({ caption: t.shares, head: t.shareHead, rows: heads, factors: ["norm"], term: "share", sum: "so_far", most: 45, tone: "output" }),
      line("note", ...together),
    ]),
  ];

  function show({ numbers, sentence, switches }) {
    const { tokens, verb, answers: right, ...translations } = ROLE.sentences[sentence - 1];
    text.textContent = translations[t.gloss ? "en" : "zh"];
    body.forEach((row, j) => {
      row.hidden = j >= tokens.length;
      row.cells[0].textContent = row.hidden ? "" : word(tokens[j]) + (j === verb ? " ←" : "");
    });
    for (const i of FOUR) {
      const column = body.map((_, j) => numbers[`A-${j + 1}-${i}`]);
      const top = column.indexOf(Math.max(...column));
      body.forEach(({ cells }, j) => (cells[i].ariaCurrent = j === top ? "true" : null));
      A.tHead.rows[0].cells[i].textContent = switches[`head_${i}`] === "on" ? i : `${i} ${t.off}`;
    }
    found.forEach((place, q) => {
      const answer = numbers[`answer-${q + 1}`];
      place.textContent = `${answer === right[q] ? "✓" : "✗"} ${ROLE.words[answer]}`;
      answers.tBodies[0].rows[q].cells[0].textContent = `${t.questions[q]}: ${word(right[q])}`;
    });
  }

  const summary = (v) => {
    const { answers: right } = ROLE.sentences[v.sentence - 1];
    return t.summary(t.questions.filter((_, q) => v[`answer-${q + 1}`] !== right[q]).join(", "));
  };
  return { nodes, show, summary };
}

export default explorer({ ranges, texts, compute, view });
