// Training and writing on one timeline: all rows in one step, or a row in each.

import { live, svg } from "../framework/ui.js";
import { ACROSS, SENTENCE_WIDE, zName } from "./sentence.js";

/** @import { Choose } from "../framework/explorer.js" */
/** @import { CausalNow } from "./sentence.js" */

const ROW_HIGH = 21;
const LANES = { training: 44, writing: 44 + 5 * ROW_HIGH + 40 };
const ROW_WIDE = 54;
const SAME = 1e-9;

/**
 * @param {Choose} t
 * @param {string[]} words
 */
export function timeline(t, words) {
  const end = LANES.writing + 5 * ROW_HIGH;
  const node = svg("svg", { viewBox: `0 0 ${SENTENCE_WIDE} ${end + 26}`, class: "attn-picture attn-timeline" });
  node.role = "img";
  const heads = [
    svg(
      "text",
      { x: 8, y: 14 },
      t("training: all tokens are known, all rows at once", "训练：Token 全部已知，各行同时算出"),
    ),
    svg(
      "text",
      { x: 8, y: LANES.writing - 26 },
      t("writing: a token is read, its row chooses the next", "生成：读入一个 Token，由这一行选出下一个"),
    ),
  ];
  /** The boxes of a lane: row i stands in the column of its step. */
  const lane = (/** @type {number} */ top, /** @type {(i: number) => number} */ stepOf) =>
    words.map((_, i) => {
      const [x, y] = [ACROSS[stepOf(i) - 1], top + ROW_HIGH * i];
      const frame = svg("rect", { x: x - ROW_WIDE / 2, y, width: ROW_WIDE, height: ROW_HIGH - 4, rx: 3 });
      const text = svg("text", { x, y: y + 13, "text-anchor": "middle" });
      return { i, text, step: stepOf(i), group: svg("g", { class: "attn-output attn-row" }, frame, text) };
    });
  const trained = lane(LANES.training, () => 1);
  const written = lane(LANES.writing, (i) => i + 1);
  const read = words.map((word, j) =>
    svg("text", { x: ACROSS[j], y: LANES.writing - 8, "text-anchor": "middle", class: "attn-read" }, word),
  );
  const known = svg("text", { x: ACROSS[0], y: LANES.training - 8, "text-anchor": "middle" }, "1–5");
  const ways = words.slice(1).map((_, k) => {
    const y = LANES.writing + ROW_HIGH * k + ROW_HIGH / 2 - 2;
    return svg("path", {
      class: "attn-way",
      d: `M${ACROSS[k] + ROW_WIDE / 2} ${y}H${ACROSS[k + 1]}V${y + ROW_HIGH / 2}`,
    });
  });
  const steps = words.map((_, k) =>
    svg("text", { x: ACROSS[k], y: end + 18, "text-anchor": "middle" }, t(`step ${k + 1}`, `第 ${k + 1} 步`)),
  );
  const all = [...trained, ...written];
  node.append(...heads, known, ...read, ...ways, ...all.map(({ group }) => group), ...steps);

  return live(node, (/** @type {CausalNow} */ { state: { step }, numbers: { apart } }) => {
    for (const { text, group, step: own, i } of all) {
      const isThere = own <= step;
      group.classList.toggle("attn-waits", !isThere);
      group.classList.toggle("attn-current", own === step);
      text.textContent = isThere ? zName(i) : "";
    }
    for (const { text, group, i } of written) {
      const isOther = apart[i] > SAME;
      if (i < step) text.textContent = `${isOther ? "≠" : "="} ${zName(i)}`;
      group.classList.toggle("attn-leak", isOther && i < step);
    }
    for (const [k, way] of ways.entries()) way.classList.toggle("attn-waits", k + 1 >= step);
    for (const [k, text] of steps.entries()) text.classList.toggle("attn-current", k + 1 === step);
    for (const [k, text] of read.entries()) text.toggleAttribute("hidden", k >= step);
    const others = words.filter((_, i) => i < step && apart[i] > SAME).join(", ");
    node.ariaLabel = t(
      `Trained: all rows in step 1. Written by step ${step}: rows 1 to ${step}. They differ in: ${others || "none"}.`,
      `训练：各行都在第 1 步算出。到第 ${step} 步，已生成第 1 至 ${step} 行。不同的行：${others || "无"}。`,
    );
  });
}
