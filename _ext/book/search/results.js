// The page of the results: each place with the chapter that it is in and what it says there.
{
  const SAYS = {
    en: {
      around: 110,
      longest: 260,
      found: (/** @type {number} */ places) => (places === 1 ? "One place." : `${places} places, the best first.`),
      some: "No place has all of these words. These have some of them:",
      none: "Nothing in the book has these words. Try others, or fewer.",
    },
    zh: {
      around: 50,
      longest: 130,
      found: (/** @type {number} */ places) => `${places} 处，最相关的在前。`,
      some: "没有一处包含所有这些词；以下各处包含其中一部分：",
      none: "书中找不到这些词。请换个说法，或少用几个词。",
    },
  };
  const says = SAYS[/^zh\b/i.test(document.documentElement.lang) ? "zh" : "en"];
  const { around: AROUND, longest: LONGEST } = says;
  const make = (/** @type {string} */ tag, className = "", text = "") =>
    Object.assign(document.createElement(tag), { className, textContent: text });

  /** Where the pieces stand in a text. @param {string} text @param {string[]} marks @returns {[number, number][]} */
  function marked(text, marks) {
    const words = Search.words(text);
    const pieces = marks.map((piece) => piece.trim().split(" "));
    const parts = marks.filter((piece) => !piece.startsWith(" "));
    /** @type {[number, number][]} */
    const found = [];
    for (let at = 0; at < words.length; at++) {
      const lengths = pieces
        .filter((piece) => piece.every((word, n) => words[at + n]?.word === word))
        .map(({ length }) => length);
      const partial = parts.some((part) => words[at].word.includes(part)) ? 1 : 0;
      const length = Math.max(0, partial, ...lengths);
      if (!length) continue;
      found.push([words[at].start, words[at + length - 1].end]);
      at += length - 1;
    }
    return found;
  }

  /** The piece of a text that has the most of what was asked for. @param {string} text @param {[number, number][]} found */
  function window(text, found) {
    const dense = (/** @type {number} */ from) =>
      new Set(
        found
          .filter(([at, end]) => at >= from && end <= from + LONGEST - AROUND)
          .map(([at, end]) => text.slice(at, end)),
      ).size;
    const [first = 0] = found.map(([at]) => at).sort((a, b) => dense(b) - dense(a) || a - b);
    if (first + LONGEST / 2 < LONGEST) return [0, cut(text, LONGEST)];
    // from the beginning of a sentence, if one is near
    const before = text.slice(Math.max(first - AROUND, 0), first);
    const sentence = [...before.matchAll(/[。！？；]|[.!?:] /g)].at(-1);
    const from = sentence
      ? first - before.length + sentence.index + sentence[0].length
      : space(text, first - before.length);
    return [from, cut(text, from + LONGEST)];
  }

  /** The next place at which a word begins. @param {string} text @param {number} at */
  function space(text, at) {
    const next = text.slice(at, at + 20).search(/\s|(?<=[，、])/);
    return next < 0 ? at : at + next + 1;
  }

  /** The last end of a word before a place. @param {string} text @param {number} at */
  function cut(text, at) {
    if (at >= text.length) return text.length;
    const last = text.slice(at - 20, at).search(/\s\S*$/);
    return last < 0 ? at : at - 20 + last;
  }

  /** Text with what was asked for marked. @param {string} text @param {[number, number][]} found */
  function withMarks(text, found, from = 0, to = text.length) {
    const parts = [];
    let done = from;
    for (const [start, end] of found) {
      if (start < done || end > to) continue;
      parts.push(text.slice(done, start), make("mark", "", text.slice(start, end)));
      done = end;
    }
    return [...parts, text.slice(done, to)];
  }

  /** @param {Place} place @param {string[]} marks */
  function item(place, marks) {
    const entry = make("li");
    const { address, title } = place.page;
    if (place.title !== title) entry.append(make("p", "search-page", title));
    const link = document.createElement("a");
    link.href = address + (place.anchor ? `#${place.anchor}` : "");
    link.append(...withMarks(place.title, marked(place.title, marks)));
    entry.append(link);
    const { text = "" } = place;
    if (text) {
      const found = marked(text, marks);
      const [from, to] = window(text, found);
      const summary = make("p", "context");
      summary.append(from ? "… " : "", ...withMarks(text, found, from, to), to < text.length ? " …" : "");
      entry.append(summary);
    }
    return entry;
  }

  /** Show what the book has on the query of the address. */
  function show() {
    const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
    /** @type {NodeListOf<HTMLInputElement>} */
    const fields = document.querySelectorAll("input[name=q]");
    for (const field of fields) field.value = query;
    const place = document.querySelector("#search-results");
    if (!query || !place) return;
    const { complete, marks, results } = Search.answer(query);
    const words = !results.length ? says.none : complete ? says.found(results.length) : says.some;
    const status = make("p", "search-summary", words);
    status.role = "status";
    const list = make("ol", "search");
    list.append(...results.map((result) => item(result, marks)));
    place.replaceChildren(status, list);
    // what the theme's script marks on the page that is opened next
    const seen = new Set([...list.querySelectorAll("mark")].map((mark) => mark.textContent?.toLowerCase()));
    localStorage.setItem(
      "sphinx_highlight_terms",
      [...seen].filter((word) => word && word.length > 1 && !/\s/.test(word)).join(" "),
    );
  }

  addEventListener("search-ready", show);
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector(".bd-search-container input[type=search]");
  field?.focus();
  field?.select();
}
