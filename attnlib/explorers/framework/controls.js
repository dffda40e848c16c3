// The controls of an explorer: each writes to the model and follows it.

import { entryName } from "./core.js";
import { EXAMPLE } from "./example.js";
import { scrub } from "./hands.js";
import { strip } from "./phone.js";
import { mark, matrixTable, placeOf, table } from "./tables.js";
import { box, counted, formatNumber, html, live, number, rich } from "./ui.js";

/**
 * What an explorer knows of its model: anywidget's in Jupyter, that of element.js on a page.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: any) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 */

/** @import { Choose } from "./explorer.js" */
/** @import { Setting, Settings } from "./settings.js" */
/** @import { Hand, Point } from "./hands.js" */
/** @import { Look } from "./tables.js" */
/** @import { Moment } from "./ui.js" */

/** Some of the state, by name. @typedef {Record<string, any>} Changes */

/** Whether a value is of a kind of setting. @type {Record<string, (value: any, setting: Setting) => boolean>} */
const FITS = {
  number: (x, { low, high }) => Number.isFinite(x) && low <= x && x <= high,
  whole: (x, setting) => Number.isInteger(x) && FITS.number(x, setting),
  choice: (value, { options }) => Object.keys(options).includes(value),
  matrix: (M, setting) => M?.length === setting.rows && M.every((/** @type {unknown} */ row) => isRow(row, setting)),
};

/** @param {any} row @param {Setting} setting */
function isRow(row, setting) {
  return row?.length === setting.columns && row.every((/** @type {unknown} */ x) => FITS.number(x, setting));
}

/**
 * The values of a model, or an error that names the one that cannot be.
 * @param {Model} model
 * @param {Settings} settings
 */
export function readState(model, settings) {
  /** @type {Changes} */
  const state = {};
  for (const [name, setting] of Object.entries(settings)) {
    const value = model.get(name);
    if (!FITS[setting.kind](value, setting)) {
      throw new Error(`${name} must be ${JSON.stringify(setting)}, not ${JSON.stringify(value)}`);
    }
    state[name] = value;
  }
  return state;
}

/**
 * The value nearest to one that a setting can have: within its bounds, to two decimals.
 * @param {any} value
 * @param {Setting} setting
 * @returns {any}
 */
function fitted(value, setting) {
  if (Array.isArray(value)) return value.map((part) => fitted(part, setting));
  if (!Number.isFinite(value)) return value;
  const fine = setting.kind === "whole" ? 1 : 100;
  return Math.min(setting.high, Math.max(setting.low, Math.round(fine * value) / fine));
}

/** @typedef {ReturnType<typeof controlsOf>} Controls */

/**
 * @param {Model} model
 * @param {Settings} settings
 * @param {Choose} t
 */
export function controlsOf(model, settings, t) {
  const words = EXAMPLE.tokens.map((token, i) => `${i + 1} ${token}`);
  const glossed = words.map((word, i) => t(`${word} ${EXAMPLE.gloss[i]}`, word));

  /** @param {Changes} changes */
  function write(changes) {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  }

  /**
   * An element that writes what `read` finds in it when this event happens.
   * @template {HTMLElement} Made
   * @param {Made} node
   * @param {string} event
   * @param {(node: Made) => Changes} read
   */
  function control(node, event, read) {
    // without this JupyterLab takes arrows and letters for commands on the cell: d, d would delete it
    node.dataset.lmSuppressShortcuts = "true";
    node.addEventListener(event, () => write(read(node)));
    return node;
  }

  /** What comes as near to changes as the settings allow; what is no value of theirs stays as it was. @param {Changes} changes */
  function writeFitted(changes) {
    const fits = Object.entries(changes).map(([name, value]) => [name, fitted(value, settings[name])]);
    write(Object.fromEntries(fits.filter(([name, value]) => FITS[settings[name].kind](value, settings[name]))));
  }

  /** Let a button do to the state what `changes` tells. @param {HTMLButtonElement} node @param {(state: any) => Changes} changes */
  function press(node, changes) {
    return control(node, "click", () => changes(readState(model, settings)));
  }

  /** @param {string} label @param {Node | string} value @param {Node} input */
  function labelled(label, value, input) {
    return html("label", { class: "attn-control" }, html("span", {}, ...rich(label)), value, input);
  }

  return {
    words,
    glossed,
    press,

    /**
     * A slider: over `stops`, or from bound to bound in steps; two decimals where they are finer than 1.
     * @param {string} name
     * @param {string} label
     * @param {{stops?: number[], step?: number}} [scale]
     */
    slider(name, label, { stops, step = 1 } = {}) {
      const decimals = step < 1 ? 2 : 0;
      const { low, high } = stops ? { low: 0, high: stops.length - 1 } : settings[name];
      const input = control(
        html("input", { type: "range", name, min: low, max: high, step }),
        "input",
        ({ value }) => ({
          [name]: stops ? stops[Number(value)] : Number(value),
        }),
      );
      live(input, (/** @type {Moment} */ { named }) => {
        const x = Number(named[name]);
        input.value = String(stops ? stops.findLastIndex((stop) => stop <= x) : x);
        input.ariaValueText = formatNumber(x, decimals);
      });
      const shown = number(name, decimals);
      shown.ariaHidden = "true";
      return labelled(label, shown, input);
    },

    /**
     * A select of the options; or of whole numbers, `texts` for the lowest and those that follow: the
     * tokens, if nothing else is said.
     * @param {string} name
     * @param {string} label
     */
    select(name, label, texts = glossed) {
      const { kind, options, low } = settings[name];
      /** @type {[value: string | number, text: string][]} */
      const choices =
        kind === "choice"
          ? Object.entries(options).map(([value, labels]) => [value, t(...labels).replace("^", "")])
          : texts.map((text, i) => [low + i, text]);
      const list = choices.map(([value, text]) => html("option", { value }, text));
      const input = control(html("select", { name }, ...list), "change", ({ selectedIndex }) => ({
        [name]: choices[selectedIndex][0],
      }));
      live(input, (/** @type {Moment} */ { named }) => {
        input.selectedIndex = choices.findIndex(([value]) => value === named[name]);
      });
      return labelled(label, "", input);
    },

    /** A checkbox for a trait that is "on" or "off". @param {string} name @param {string} label */
    check(name, label) {
      const input = control(html("input", { type: "checkbox", name }), "change", ({ checked }) => ({
        [name]: checked ? "on" : "off",
      }));
      live(input, (/** @type {Moment} */ { named }) => {
        input.checked = named[name] === "on";
      });
      return html("label", { class: "attn-check" }, input, label);
    },

    /**
     * A matrix, its rows the tokens where nothing else is said: `pick` tells what a click on entry i, j
     * changes (selects do the same by keyboard); where the state is that already, the entry is marked.
     * @param {string} name
     * @param {string} caption
     * @param {string} tone
     * @param {Omit<Look, "rows"> & {rows?: Look["rows"], pick?: (i: number, j: number) => Changes}} look
     */
    grid(name, caption, tone, { pick, rows = glossed, ...look }) {
      const node = matrixTable(name, caption, tone, { rows, ...look });
      if (!pick) return node;
      node.classList.add("attn-pick");
      node.addEventListener("click", ({ target }) => {
        /** @type {HTMLTableCellElement | null} */
        const cell = /** @type {Element} */ (target).closest("tbody td");
        if (cell) write(pick(...placeOf(cell)));
      });
      mark(node, (i, j, /** @type {Moment} */ { named }) =>
        Object.entries(pick(i, j)).every(([trait, x]) => named[trait] === x),
      );
      return node;
    },

    /** Matrices side by side, or one at a time where there is no room for more. @param {HTMLElement[]} tables */
    matrices(...tables) {
      const says = {
        before: t("previous matrix", "上一个矩阵"),
        after: t("next matrix", "下一个矩阵"),
        place: (/** @type {number} */ k, /** @type {number} */ n) => t(`${k} of ${n}`, `第 ${k} 个，共 ${n} 个`),
      };
      return strip(says, ...tables);
    },

    /**
     * A matrix whose entries are typed, dragged to the left and right, or moved by a step with the arrow
     * keys.
     * @param {string} name
     * @param {string} tone
     * @param {string[]} [labels]
     */
    edit(name, tone, labels) {
      const { low, high, rows, columns } = settings[name];
      const entry = (/** @type {number} */ i, /** @type {number} */ j) => {
        const place = entryName(name, i + 1, j + 1);
        const bounds = { min: low, max: high, step: 0.5, "aria-label": `${name} ${i + 1}, ${j + 1}` };
        const changed = (/** @type {number} */ x) => {
          /** @type {number[][]} */
          const matrix = structuredClone(model.get(name));
          matrix[i][j] = x;
          return { [name]: matrix };
        };
        const input = control(
          html("input", { type: "number", name: place, ...bounds }),
          "input",
          ({ valueAsNumber: x }) => (low <= x && x <= high ? changed(x) : {}),
        );
        scrub(input, (x) => writeFitted(changed(x)));
        const follow = (/** @type {number} */ x) => {
          input.dataset.value = String(x);
          if (input.valueAsNumber !== x) input.value = String(x);
        };
        // what is no number or out of bounds does not stay
        input.addEventListener("blur", () => follow(model.get(name)[i][j]));
        return live(input, (/** @type {Moment} */ { named }) => follow(Number(named[place])));
      };
      const grid = table(
        `$${name}$`,
        ["", ...counted(columns)],
        counted(rows).map((label, i) => [labels?.[i] ?? label, ...counted(columns).map((_, j) => entry(i, j))]),
      );
      grid.classList.add("attn-matrix", `attn-${tone}`);
      return grid;
    },

    /**
     * A handle for a part of a picture: `drag` and `step` tell what it does to the state; `from` is where
     * it was taken hold of, `trait` what it moves, where that is one number.
     * @param {string} label
     * @param {(now: any) => string} says where it is, in words
     * @param {(to: Point, now: any, from?: Point) => Changes} drag
     * @param {(by: Point, isFar: boolean, now: any) => Changes} step
     * @param {string} [trait]
     * @returns {Hand}
     */
    hand(label, says, drag, step, trait) {
      return {
        range: trait ? [trait, settings[trait].low, settings[trait].high] : undefined,
        label,
        says,
        drag: (to, now, from) => writeFitted(drag(to, now, from)),
        step: (by, isFar, now) => writeFitted(step(by, isFar, now)),
      };
    },

    /**
     * A button; `changes` tells what it does to the state.
     * @param {string} name
     * @param {string} label
     * @param {(state: any) => Changes} changes
     */
    button(name, label, changes) {
      return box("actions", press(html("button", { type: "button", name }, label), changes));
    },
  };
}

/**
 * A group of controls under a heading; `tone` is a role of the palette.
 * @param {string} legend
 * @param {string} tone
 * @param {Node[]} controls
 */
export function group(legend, tone, ...controls) {
  return html("fieldset", { class: `attn-group attn-${tone}` }, html("legend", {}, ...rich(legend)), ...controls);
}
