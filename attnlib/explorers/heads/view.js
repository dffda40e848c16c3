// The explorer of chapter 8: a trained model with four heads, each of which can be switched off.

import { group } from "../framework/controls.js";
import { entryName } from "../framework/core.js";
import { explorer } from "../framework/explorer.js";
import { SETTINGS } from "../framework/settings.js";
import { bar, mark, runningSum, table } from "../framework/tables.js";
import { box, formatNumber, html, line, live, number, panels } from "../framework/ui.js";
import { arcsPicture, chosenOf } from "./arcs.js";
import { FOUR, headsNumbers, isOn, LONGEST, STORY } from "./numbers.js";
import { streamPicture } from "./stream.js";

/** @import { HeadsNow as Now } from "./arcs.js" */

export default explorer({
  settings: SETTINGS,
  compute: headsNumbers,

  view(t, controls) {
    const { select, check, slider, grid, reset } = controls;
    const chosen = chosenOf;
    const word = (/** @type {number} */ token) => STORY.words[token] + t(` ${STORY.gloss[token]}`, "");
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
    const verdict = (/** @type {Now} */ now, /** @type {number} */ q) =>
      `${isRight(now, q) ? "✓" : "✗"} ${STORY.words[now.numbers.answer[q]]}`;
    /** @type {(question: string, q: number) => [(now: Now) => string, Node, (now: Now) => string, Node]} */
    const answerTo = (question, q) => [
      (now) => `${question}${t(": ", "：")}${word(chosen(now).answers[q])}`,
      bar(entryName("p", q + 1), 1, "output"),
      (now) => verdict(now, q),
      number(entryName("right", q + 1), 0),
    ];
    const answers = table(
      t("Answers, read at the verb", "在动词处读出的答案"),
      t(["right answer", "its probability", "most likely", "of 10"], ["正确答案", "其概率", "最可能", "共 10 句"]),
      questions.map(answerTo),
    );
    answers.classList.add("attn-terms");
    for (const [q, row] of [...answers.tBodies[0].rows].entries()) {
      live(row.cells[2], (/** @type {Now} */ now) => {
        row.cells[2].classList.toggle("attn-lost", !isRight(now, q));
      });
    }
    const everywhere = t(
      "Of 10: in how many of ten sentences, those of the list and with the names exchanged, this answer is right with these heads.",
      "共 10 句：列表中的句子，以及交换名字之后的句子；在当前这些头下，有几句答对。",
    );

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
      "← the verb. Framed: the largest weight of a head. A head that is off has its weights, but its share does not reach the output.",
      "← 为动词。加框者是该头的最大权重。关闭的头仍有权重，但它的份额不进入输出。",
    );
    const learnt = t(
      "Which head serves which answer is learnt, not assigned: from another start it comes out otherwise.",
      "哪个头负责哪个答案是学到的，不是指定的；换一个初值，分工就不同。",
    );
    const together = t(
      "All heads: norm of $O$ {norm_o}; feature $r$ of $O$ {o}, of $Concat(head_1, …, head_4)W_O$ {concat}",
      "所有头合计：$O$ 的范数 {norm_o}；特征 $r$ 上，$O$ 为 {o}，$Concat(head_1, …, head_4)W_O$ 为 {concat}",
    );
    // a whole sentence would be cut off on a phone
    const names = STORY.sentences.map(({ answers }) => [answers[0], answers[2]].map((token) => STORY.words[token]));
    const listed = names.map(([giver, receiver], i) => `${i + 1} ${giver} → ${receiver}`);
    const sentence = select("sentence", t("choose one", "选一句"), listed);
    const swap = check("swap", t("exchange giver and receiver", "交换给予者与接受者"));
    /** The chosen sentence, its names exchanged where they are. @type {(of: "en" | "zh", words: string[], now: Now) => string} */
    const told = (of, words, { state }) => {
      const { answers, [of]: text } = STORY.sentences[state.sentence - 1];
      if (state.swap !== "on") return text;
      const [one, other] = [words[answers[0]], words[answers[2]]];
      return text
        .split(one)
        .map((part) => part.replace(other, one))
        .join(other);
    };
    const whole = line("step", (/** @type {Now} */ now) => told("zh", STORY.words, now));
    const translation = t(
      [line("note", (/** @type {Now} */ now) => told("en", STORY.gloss, now))],
      /** @type {HTMLElement[]} */ ([]),
    );
    const said = line("step", (/** @type {Now} */ now) => {
      const all = questions.map((question, q) => `${question} ${verdict(now, q)}`);
      return all.join(t(", ", "，"));
    });
    const written = line("step", (/** @type {Now} */ { state, numbers }) => {
      const terms = FOUR.flatMap((h) => {
        if (isOn(state, h)) return t(`head ${h}`, `头 ${h}`);
        return state.ablation === "mean" ? t(`average ${h}`, `平均 ${h}`) : [];
      });
      const length = formatNumber(numbers.stream[3], 1);
      return `$y$ = ${["$x$", ...terms].join(" + ")}${t(", of length ", "，长度 ")}${length}`;
    });
    const pull = t(
      "From the verb (shaded) to each word: the thicker, the larger the weight. Press a head to switch it off or on; pull a name to the place of the other.",
      "从动词（浅底）到各词：线越粗，权重越大。按一个头即可开关；把一个名字拖到另一个名字处，两者就交换。",
    );
    const flow = t(
      "The stream, as wide as it is long (norm): $x$ comes in, each head writes its share, $y$ goes out. Lengths do not add up, for shares point in different directions.",
      "残差流，宽度即长度（范数）：$x$ 流入，各头写入自己的份额，$y$ 流出。长度并不相加，因为各份额方向不同。",
    );
    const switches = heads.map((label, i) => check(`head_${i + 1}`, label));
    return {
      title: t("heads on and off", "开关注意力头"),
      nodes: [
        box(
          "controls",
          group(t("Sentence", "句子"), "query", sentence, swap, whole, ...translation, reset),
          group(
            t("Heads switched on", "开启的头"),
            "weights",
            ...switches,
            select("ablation", t("one that is off writes", "关闭的头")),
          ),
        ),
        box("formula", said, written),
        panels(
          [arcsPicture(t, controls), line("note", pull)],
          [answers, line("note", everywhere), streamPicture(t), line("note", flow)],
        ),
        panels(
          [A, line("note", framed)],
          [slider("feature", feature), shares, line("note", together), line("note", learnt)],
        ),
      ],
      summary: t("Wrong answers: {wrong}.", "答错：{wrong}。"),
      values: (now) => ({ wrong: questions.filter((_, q) => !isRight(now, q)).join(t(", ", "、")) || t.none }),
    };
  },
});
