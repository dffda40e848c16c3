// What the tests look at inside a page. Every function returns plain data.
(() => {
  /** @typedef {[red: number, green: number, blue: number, opacity: number]} Colour */
  /** @typedef {{shown: number[], opacity: number}} Ground */

  /** Whether an element is on the screen, or can be scrolled to. @param {Element} element */
  function visible(element) {
    const box = element.getBoundingClientRect();
    return (
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      box.width > 1 &&
      box.height > 1 &&
      box.right > 0 &&
      box.left < innerWidth
    );
  }

  const described = (/** @type {Element} */ element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} ` +
    `"${String(element.textContent).trim().replace(/\s+/g, " ").slice(0, 50)}"`;

  const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].filter(visible);

  /** Every text node that is seen, with its element. @param {Node} root */
  function texts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim();
      if (text && element && !element.closest("script, style, noscript, title, option") && visible(element)) {
        found.push({ text, element });
      }
    }
    return found;
  }

  /** A CSS colour as red, green, blue (0 to 255) and opacity. @param {string} text @returns {Colour} */
  function colour(text) {
    const [r, g, b, a = 1] = Array.from(text.matchAll(/[\d.]+/g), Number);
    return text.startsWith("color(") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  }

  /** @type {(above: Colour, below: number[]) => number[]} */
  const over = ([r, g, b, a], below) => [r, g, b].map((x, i) => a * x + (1 - a) * below[i]);

  /**
   * What shows behind an element (its own background on top), and how opaque it is; known ones are kept.
   * @param {Element} element
   * @param {Map<Element, Ground>} known
   * @returns {Ground}
   */
  function ground(element, known) {
    const found = known.get(element);
    if (found) return found;
    const { backgroundColor, opacity, colorScheme } = getComputedStyle(element);
    const paper = colorScheme.includes("dark") ? [18, 18, 18] : [255, 255, 255];
    const below = element.parentElement ? ground(element.parentElement, known) : { shown: paper, opacity: 1 };
    const own = { shown: over(colour(backgroundColor), below.shown), opacity: below.opacity * Number(opacity) };
    known.set(element, own);
    return own;
  }

  /** @param {number[]} rgb */
  function luminance(rgb) {
    const [r, g, b] = rgb.map((x) => {
      const c = x / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  /** @param {Element} element @param {Map<Element, Ground>} known */
  function contrast(element, known) {
    const style = getComputedStyle(element);
    const { shown: behind, opacity } = ground(element, known);
    const paint = colour(element instanceof SVGElement ? style.fill : style.color);
    paint[3] *= opacity;
    const [low, high] = [luminance(over(paint, behind)), luminance(behind)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  /** Text that is harder to read than WCAG's level AA allows. */
  function lowContrast() {
    const rest = document.createElement("style");
    rest.textContent = "*, ::before, ::after { transition: none !important; animation: none !important; }";
    document.head.append(rest);
    const faults = new Map();
    /** @type {Map<Element, Ground>} */
    const known = new Map();
    const shown = texts(document.body);
    for (const { text, element } of shown) {
      const { fontSize, fontWeight } = getComputedStyle(element);
      const size = parseFloat(fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      const ratio = contrast(element, known);
      if (ratio < (large ? 3 : 4.5)) {
        faults.set(`${described(element)}: ${ratio.toFixed(2)}`, text);
      }
    }
    return { checked: shown.length, faults: [...faults.keys()] };
  }

  const firstFamily = (/** @type {Element} */ element) =>
    getComputedStyle(element).fontFamily.split(",")[0].replace(/"/g, "");

  /** Formulas: how many, and those that are not there as text, not drawn, or not in KaTeX's font. */
  function formulas() {
    const loaded = new Set([...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family));
    const shown = [...document.querySelectorAll(".katex")].filter(
      (formula) => !formula.closest("details:not([open])") && formula.checkVisibility(),
    );
    const faults = shown.filter((formula) => {
      const tex = formula.querySelector('math annotation[encoding="application/x-tex"]');
      const drawn = formula.querySelector(".katex-html");
      const box = drawn?.getBoundingClientRect();
      const families = drawn ? texts(drawn).map(({ element }) => firstFamily(element)) : [];
      return (
        !tex?.textContent.trim() ||
        !(box && box.width > 1 && box.height > 1) ||
        !families.length ||
        !families.every((family) => loaded.has(family))
      );
    });
    return {
      count: document.querySelectorAll(".katex").length,
      faults: [...faults, ...document.querySelectorAll(".katex-error")].map(described),
    };
  }

  /** Text that still shows the marks of TeX, MyST or Markdown. */
  function rawMarkup() {
    return texts(document.body)
      .filter(({ element }) => !element.closest("pre, code, .katex"))
      .map(({ text }) => text)
      .filter((text) => /\$|\\[([]|\\(?:frac|sqrt|operatorname|begin)\b|\{\w+\}`|```|\*\*/.test(text));
  }

  /** Icons that would show as a box, because their font is not there, or as nothing at all. */
  function missingIcons() {
    const undrawn = [...document.querySelectorAll("[class*='fa-']")].filter((element) => {
      const { maskImage, width } = getComputedStyle(element);
      return /(^| )fa-/.test(element.className) && (maskImage === "none" || width === "0px");
    });
    const faults = undrawn.map((element) => `${element.className} has no picture`);
    for (const element of all("body, body *:not(.katex *, pre *)")) {
      for (const pseudo of ["::before", "::after"]) {
        const { content, fontFamily, display } = getComputedStyle(element, pseudo);
        if (display !== "none" && /[\uE000-\uF8FF]/.test(content)) {
          faults.push(`${described(element)} ${pseudo} ${fontFamily}`);
        }
      }
    }
    return faults;
  }

  /** Images without an alternative text, or that did not load. */
  const brokenImages = () =>
    [...document.images]
      .filter((image) => !image.alt.trim() || !(image.complete && image.naturalWidth > 0))
      .map((image) => image.src.slice(0, 100));

  const headings = () => all("h1").map(described);

  const headers = () => all("header, [role=banner], .bd-header-article").map(described);

  const searchFields = () => all("input[type=search], .search-button, .search-button-field").map(described);

  const language = () => document.documentElement.lang;

  const title = () => document.title;

  const theme = () => document.documentElement.dataset.theme;

  /** How wide the button is that opens the list of pages in a narrow window. */
  const menuButton = () => document.querySelector("button.primary-toggle")?.getBoundingClientRect().width;

  /** The cells of a notebook: those behind lines, the code that is open, the outputs in sight. */
  function cells() {
    const text = (/** @type {Element} */ element) => element.textContent?.trim() ?? "";
    const texts = (/** @type {ParentNode} */ root, /** @type {string} */ selector) =>
      [...root.querySelectorAll(selector)].map(text);
    const bare = (/** @type {Element} */ element) => {
      const copy = /** @type {Element} */ (element.cloneNode(true));
      for (const formula of copy.querySelectorAll(".katex")) formula.remove();
      return text(copy);
    };
    const unfolded = (/** @type {string} */ selector) =>
      [...document.querySelectorAll(`article ${selector}`)].filter(
        (element) => !element.closest("details:not(.side-path)"),
      );
    const exercises = document.querySelector(".exercise")?.closest("section");
    /** How high these are together, those of the exercises aside. @param {string} selector */
    const tall = (selector) =>
      [...document.querySelectorAll(`article ${selector}`)]
        .filter((element) => element.checkVisibility({ contentVisibilityAuto: true }) && !exercises?.contains(element))
        .reduce((sum, element) => sum + element.getBoundingClientRect().height, 0);
    return {
      lines: [...document.querySelectorAll("details.shown")].map((fold) => ({
        said: bare(fold.children[0]),
        code: texts(fold, ".cell_input pre"),
        open: fold.hasAttribute("open"),
        hushed: fold.children[0].matches("[aria-label], [role]"),
        drawn: fold.querySelectorAll("figure, attn-explorer, .cell_output .katex").length,
      })),
      open: unfolded(".cell_input pre")
        .filter((code) => !exercises?.contains(code))
        .map(text),
      printed: unfolded(".cell_output pre").map(text),
      drawn: unfolded(".cell_output :is(figure, attn-explorer)").length,
      sidePaths: [...document.querySelectorAll("details.side-path")].map((path) => ({
        heading: path.previousElementSibling ? bare(path.previousElementSibling) : "",
        asks: bare(path.children[0]),
        open: path.hasAttribute("open"),
      })),
      height: { code: tall(".cell_input"), lines: tall("details.shown > summary"), page: tall("") },
      setUp: document.querySelector("article")?.textContent?.includes("_render_traceback_"),
    };
  }

  /** How far the page is wider than the window, and what sticks out. */
  function overflow() {
    const { scrollWidth } = document.scrollingElement ?? document.body;
    const wide =
      scrollWidth > innerWidth ? all("main *").filter((e) => e.getBoundingClientRect().right > innerWidth) : [];
    return { by: scrollWidth - innerWidth, elements: wide.slice(0, 5).map(described) };
  }

  /** @param {HTMLInputElement} field @param {string} text */
  function write(field, text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /**
   * Answer every question: predictions with the last option or the end of the line, forms with an
   * answer that is wrong as a rule, one field of it not to be read; press what can be taken away.
   */
  function answerAll() {
    /** @param {ParentNode} place @param {string} selector */
    const inputs = (place, selector) =>
      [...place.querySelectorAll(selector)].map((input) => /** @type {HTMLInputElement} */ (input));
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    for (const form of document.querySelectorAll("form.prediction")) {
      for (const one of form.querySelectorAll(".choice")) inputs(one, "input").at(-1)?.click();
      for (const box of inputs(form, ".cells input")) box.click();
      for (const field of inputs(form, ".number")) {
        write(field, /** @type {HTMLElement} */ (field.closest(".guess")).dataset.high ?? "");
      }
      /** @type {HTMLElement | null} */ (form.querySelector(".commit"))?.click();
    }
    /** @type {NodeListOf<HTMLFormElement>} */
    const forms = document.querySelectorAll("form.answer");
    for (const form of forms) {
      const texts = inputs(form, "input[type=text]");
      texts.forEach((field, i) => void write(field, i === texts.length - 1 ? "?" : "1"));
      for (const place of form.querySelectorAll("[data-field]")) {
        inputs(place, "input:is([type=radio], [type=checkbox])")[0]?.click();
      }
      form.requestSubmit();
    }
    for (const button of document.querySelectorAll("button.ledger-take")) {
      /** @type {HTMLElement} */ (button).click();
    }
    const seen = (/** @type {Element | null | undefined} */ e) => Boolean(e?.checkVisibility());
    return {
      guessed: all("form.prediction").filter(
        (form) =>
          form.getAttribute("data-state") === "guessed" &&
          [...form.querySelectorAll(".measured, .cells .truth")].some(seen) &&
          seen(form.nextElementSibling?.querySelector(":scope > :not(script)")),
      ).length,
      forms: all("form.answer").length,
      judged: all("form.answer").filter((form) => form.querySelector(".answer-reply li, .answer-fault:not(:empty)"))
        .length,
      fallen: all(".ledger tr.falls").length,
      // on the edge of a box that scrolls, the fade at its end cuts a legend in half
      cutOff: all("legend")
        .filter(
          (legend) =>
            getComputedStyle(/** @type {Element} */ (legend.parentElement)).overflowX !== "visible" &&
            getComputedStyle(legend).float === "none",
        )
        .map(described),
    };
  }

  globalThis.inPage = {
    answerAll,
    lowContrast,
    formulas,
    rawMarkup,
    missingIcons,
    brokenImages,
    headings,
    headers,
    searchFields,
    cells,
    overflow,
    language,
    title,
    theme,
    menuButton,
  };
})();
