// The residual as a stream: x comes in, each head writes its share, y goes out; all as wide as long.

import { eased, formatNumber, live, svg } from "../framework/ui.js";
import { HEAD_TONES } from "./arcs.js";
import { FOUR, isOn } from "./numbers.js";

/** @import { Choose } from "../framework/explorer.js" */
/** @import { HeadsNow } from "./arcs.js" */

const MIDDLE = 126;
const FLOW = 0.9; // units for a length of 1
const MEETS = FOUR.map((h) => 34 + 66 * (h - 0.5) + 8);

/** @param {Choose} t */
export function streamPicture(t) {
  const node = svg("svg", { viewBox: "0 0 330 188", class: "attn-picture attn-stream" });
  node.role = "img";
  const flow = svg("path", { class: "attn-flow" });
  const ends = [4, 326];
  const written = FOUR.map((h) => {
    const x = MEETS[h - 1];
    const ribbon = svg("rect", { y: 38 });
    const lines = [14, 30].map((y) => svg("text", { x, y, "text-anchor": "middle" }));
    const group = svg("g", { class: `attn-one-head attn-${HEAD_TONES[h - 1]}` }, ribbon, ...lines);
    return { h, x, ribbon, lines, group };
  });
  // between two heads, and at both ends
  const sums = [20, ...MEETS.map((x, k) => (k < 3 ? x + 33 : 308))].map((x) =>
    svg("text", { x, y: 182, "text-anchor": "middle" }),
  );
  node.append(...written.map(({ group }) => group), flow, ...sums);

  live(node, (/** @type {HeadsNow} */ { state, numbers }) => {
    const lengths = [numbers.norm_x, ...numbers.stream].map((x) => formatNumber(x, 1));
    const shares = numbers.norm.map((x) => formatNumber(x, 1));
    for (const [k, text] of sums.entries()) text.textContent = `${{ 0: "x ", 4: "y " }[k] ?? ""}${lengths[k]}`;
    for (const { h, lines, group } of written) {
      const isOff = !isOn(state, h);
      lines[0].textContent = t(`head ${h}`, `头 ${h}`);
      lines[1].textContent = isOff && state.ablation === "zero" ? t("off", "关") : shares[h - 1];
      group.classList.toggle("attn-silent", isOff);
    }
    const said = FOUR.map((h) => t(`head ${h} writes ${shares[h - 1]}`, `头 ${h} 写入 ${shares[h - 1]}`)).join(", ");
    node.ariaLabel = t(
      `The stream: x has length ${lengths[0]}; ${said}; y has length ${lengths[4]}.`,
      `残差流：x 的长度为 ${lengths[0]}；${said}；y 的长度为 ${lengths[4]}。`,
    );
  });
  return eased(node, (/** @type {HeadsNow} */ { numbers }) => {
    const halves = [numbers.norm_x, ...numbers.stream].map((x) => (FLOW * x) / 2);
    const edges = MEETS.flatMap((x, k) => [
      [x - 24, halves[k]],
      [x + 24, halves[k + 1]],
    ]);
    const points = [[ends[0], halves[0]], ...edges, [ends[1], halves[4]]];
    const above = points.map(([x, half]) => `${x} ${MIDDLE - half}`);
    const below = points.toReversed().map(([x, half]) => `${x} ${MIDDLE + half}`);
    flow.setAttribute("d", `M${above.join("L")}L${below.join("L")}z`);
    for (const { h, x, ribbon } of written) {
      const wide = FLOW * numbers.norm[h - 1];
      ribbon.dataset.norm = String(numbers.norm[h - 1]);
      ribbon.setAttribute("x", String(x - wide / 2));
      ribbon.setAttribute("width", String(wide));
      ribbon.setAttribute("height", String(MIDDLE - 38));
    }
  });
}
