// The explorer of chapter 8: a trained model with four heads, each of which can be switched off.

import ROLE from "./role_weights.json" with { type: "json" };
import { attend, entries, multiply, norm, partialSums, softmax, sum, transpose } from "./core.js";
import { controlBar, explorer, group } from "./explorer.js";
import { box, digit, h, line, matrix, number, panels, runningSum, table } from "./ui.js";

const HEADS = [1, 2, 3, 4];
const QUESTIONS = [1, 2, 3, 4];
const LONGEST = 10;
const ranges = { sentence: [1, ROLE.sentences.length, "whole"], feature: [1, 16, "whole"] };
for (const head of HEADS) ranges[`head_${head}`] = ["on", "off"];

const weights = (x) => (x.map ? x.map(weights) : x / ROLE.unit);
const W = (name) => weights(ROLE[name]);
const READOUT = W("readout");
const add = (a, b) => a.map((x, r) => x + b[r]);

/** What each head gives at the verb: its weights A and its output Z. */
function verbOf({ tokens, verb }) {
  const positions = W("position_embedding").slice(ROLE.verb_slot - verb);
  const X = tokens.map((token, j) => add(weights(ROLE.token_embedding[token]), positions[j]));
  const [Q, K, V] = ["W_Q", "W_K", "W_V"].map((name) => transpose(multiply(X, W(name))));
  const heads = HEADS.map((_, i) => {
    const [q, k, v] = [Q, K, V].map((M) => transpose(M.slice(4 * i, 4 * i + 4)));
    return attend([q[verb]], k, v);
  });
  return { x: X[verb], A: heads.map(({ A }) => A[0]), Z: heads.map(({ Z }) => Z[0]) };
}

const answer = (y) => READOUT.map((R) => softmax(multiply([y], R)[0]));

function compute({ sentence, feature, ...switches }) {
  const { tokens, answers, ...more } = ROLE.sentences[sentence - 1];
  const { x, A, Z } = verbOf({ tokens, ...more });
  const W_O = W("W_O");
  const kept = Z.map((z, i) => z.map((value) => (switches[`head_${i + 1}`] === "on" ? value : 0)));
  const sharesOf = (heads) => heads.map((z, i) => multiply([z], W_O.slice(4 * i, 4 * i + 4))[0]);
  const shares = sharesOf(kept);
  const O = transpose(shares).map(sum);
  const y = add(x, O);
  const all = answer(add(x, transpose(sharesOf(Z)).map(sum)));
  const p = answer(y);
  const right = (P) => P.map((row, q) => row[answers[q]]);
  const share = shares.map((row) => row[feature - 1]);
  const at = { o: O, x, y, concat: multiply([kept.flat()], W_O)[0] };
  const numbers = {
    "norm-o": norm([O]),
    ...Object.fromEntries(Object.entries(at).map(([name, row]) => [name, row[feature - 1]])),
    ...entries({
      A: Array.from({ length: LONGEST }, (_, j) => A.map((row) => row[j] ?? 0)),
      sum: A.map(sum),
      norm: shares.map((row) => norm([row])),
      share,
      so_far: partialSums(share),
      p: right(p),
      all: right(all),
      answer: p.map((row) => row.indexOf(Math.max(...row))),
    }),
  };
  return { numbers, tokens, answers, switches, ...more };
}

const texts = {
  en: {
    title: "Explorer: heads on and off",
    gloss: (token) => ` ${ROLE.gloss[token]}`,
    which: "Sentence",
    sentence: "choose one",
    heads: "Heads switched on",
    head: (i) => `head ${i}`,
    off: "off",
    reset: "Reset",
    feature: "feature $r$",
    output: "Output",
    weights: "Weights of the verb’s row",
    word: "word, by head",
    sum: "sum",
    look: "Framed: the largest weight of a head. A head that is off still has weights; it adds nothing to the output.",
    answers: "Answers, read at the verb",
    answerHead: ["right answer", "its probability", "all heads on", "most likely"],
    questions: ["giver", "thing", "receiver", "time word"],
    verdicts: ["✗ ", "✓ "],
    learnt: "Which head serves which answer was learnt, not assigned; another start gives another division.",
    shares: "Shares $head_hW_O^{(h)}$ of the output $O$, in the verb’s row",
    shareHead: ["", "norm", "at $r$", "sum so far"],
    together: "Norm of $O$: ",
    concat: "; at $r$, $O$ = ",
    same: ", and by $Concat(head_1,…)W_O$ ",
    residual: "; $Y$ = $X$ + $O$: ",
    summary: (wrong) => (wrong ? `Wrong: ${wrong}.` : "All four answers are right."),
  },
  zh: {
    title: "交互演示：开关注意力头",
    gloss: () => "",
    which: "句子",
    sentence: "选一句",
    heads: "开启的头",
    head: (i) => `头 ${i}`,
    off: "关",
    reset: "恢复初值",
    feature: "维度 $r$",
    output: "输出",
    weights: "动词这一行的权重",
    word: "词，按头",
    sum: "和",
    look: "加框者为该头的最大权重。关闭的头仍有权重，但对输出没有贡献。",
    answers: "在动词处读出的答案",
    answerHead: ["正确答案", "其概率", "全部开启", "最可能"],
    questions: ["给予者", "物品", "接受者", "时间词"],
    verdicts: ["✗ ", "✓ "],
    learnt: "哪个头服务于哪个答案是学到的，不是指定的；换一个初值，分工就不同。",
    shares: "动词这一行输出 $O$ 中各头的份额 $head_hW_O^{(h)}$",
    shareHead: ["", "范数", "第 $r$ 维", "累加"],
    together: "$O$ 的范数：",
    concat: "；第 $r$ 维，$O$ = ",
    same: "，按 $Concat(head_1,…)W_O$ 为 ",
    residual: "；$Y$ = $X$ + $O$：",
    summary: (wrong) => (wrong ? `答错：${wrong}。` : "四个答案全对。"),
  },
};

function view(t, { select, check, slider, reset }) {
  const heads = HEADS.map(t.head);
  const word = (token) => ROLE.words[token] + t.gloss(token);
  const english = h("span");
  const rows = Array(LONGEST).fill("");
  const A = matrix({ name: "A", caption: t.weights, corner: t.word, rows, columns: 4, most: 1, tone: "weights" });
  const total = HEADS.map((i) => h("td", {}, number(`sum-${i}`, { decimals: 2 })));
  A.tBodies[0].append(h("tr", {}, h("th", { scope: "row" }, t.sum), ...total));
  A.classList.add("attn-wrap");
  const verdicts = QUESTIONS.map(() => h("span"));
  const [p, all] = ["p", "all"].map((name) => QUESTIONS.map((q) => number(`${name}-${q}`, { decimals: 3 })));
  const answers = table(t.answers, t.answerHead, QUESTIONS.map((_, q) => ["", p[q], all[q], verdicts[q]]));
  answers.classList.add("attn-terms");
  const shares = { caption: t.shares, head: t.shareHead, rows: heads, factors: ["norm"], term: "share" };
  const nodes = [
    controlBar(
      group(t.which, "query", select("sentence", t.sentence, ROLE.sentences.map(({ zh }, i) => `${i + 1} ${zh}`)), {
        node: line("step", digit("sentence"), " ", english),
      }),
      group(t.heads, "weights", ...HEADS.map((i) => check(`head_${i}`, t.head(i)))),
      group(t.output, "output", slider("feature", t.feature, { step: 1 }), reset),
    ),
    panels([A, line("note", t.look)], [answers, line("note", t.learnt)]),
    panels([
      runningSum({ ...shares, sum: "so_far", most: 45, tone: "output" }),
      line("note", t.together, number("norm-o"), t.concat, number("o"), t.same, number("concat"), t.residual, number("y"), " = ", number("x"), " + ", number("o", { copy: true }), "."),
    ]),
  ];

  function show({ numbers, tokens, verb, answers: right, switches, ...sentence }) {
    english.textContent = sentence[t === texts.zh ? "zh" : "en"];
    const body = [...A.tBodies[0].rows].slice(0, LONGEST);
    body.forEach((row, j) => {
      row.hidden = j >= tokens.length;
      row.cells[0].textContent = row.hidden ? "" : word(tokens[j]) + (j === verb ? " ←" : "");
    });
    HEADS.forEach((i) => {
      const column = body.map((_, j) => numbers[`A-${j + 1}-${i}`]);
      const off = switches[`head_${i}`] === "off";
      body.forEach(({ cells }, j) => (cells[i].ariaCurrent = column[j] === Math.max(...column) ? "true" : null));
      A.tHead.rows[0].cells[i].textContent = off ? `${i} ${t.off}` : i;
    });
    verdicts.forEach((place, q) => {
      const found = numbers[`answer-${q + 1}`];
      place.textContent = t.verdicts[Number(found === right[q])] + word(found);
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
