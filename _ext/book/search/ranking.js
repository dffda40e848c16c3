// The search itself: which places of the book answer a query, and in which order.
//
// Texts and queries become rows of words, so that a phrase is found as a piece of a row. A Chinese
// character is a word by itself, and a run of them is cut into the longest pieces that the book has.
// The name is the one by which Sphinx's scripts know a page of results.

/** @typedef {{word: string, start: number, end: number}} Word */
/** @typedef {{rows: string[], of: (place: Place) => string}} Alternative */

// biome-ignore lint/correctness/noUnusedVariables: results.js and the index use it
var Search = (() => {
  const WORD = /√|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}_])+/gu;
  const HAN = /^\p{Script=Han}/u;
  const OTHER_WAY = 0.8; // of another word for the same
  const PART = 0.5; // of a piece of a longer word
  const LED = 1.7; // where the glossary says that a term is introduced
  const FULL_TITLE = 6; // of a title that is the query
  const KINDS = { chapter: 1, page: 0.6, library: 0.6 };
  const MOST = 20;
  const MOST_OF_A_PAGE = 3;

  /** @type {SearchPage[]} */
  let pages = [];
  /** @type {Place[]} */
  let places = [];
  /** @type {string[][]} */
  let groups = [];
  /** @type {Set<string>} */
  let idle = new Set();
  /** @type {Record<string, number>} */
  let weights = {};

  /** An English word without its ending. @param {string} word */
  function stem(word) {
    if (!/^[a-z]{4,}$/.test(word)) return word;
    const singular = word.replace(/ies$/, "y");
    const short = singular.replace(/(?:ing|ed|es|e|(?<!s)s)$/, "");
    if (short.length < 3) return singular;
    return singular.endsWith("e") ? short : short.replace(/([bdgmnprt])\1$/, "$1");
  }

  /** The words of a text, and where each stands in it. @param {string} text @returns {Word[]} */
  function words(text) {
    const found = [];
    for (const { 0: raw, index } of text.matchAll(WORD)) {
      const plain = raw.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
      // d_k is one symbol, kv_cache two words
      const parts = /^._/u.test(plain) ? [plain.replaceAll("_", "")] : plain.split("_");
      for (const part of parts) {
        if (!part) continue;
        const word = part === "√" ? "sqrt" : stem(part);
        const at = parts.length > 1 ? Math.max(raw.toLowerCase().indexOf(part), 0) : 0;
        const length = parts.length > 1 ? part.length : raw.length;
        found.push({ word, start: index + at, end: index + at + length });
      }
    }
    return found;
  }

  /** A text as a row of words with a space around each. @param {string} text */
  const row = (text) =>
    ` ${words(text)
      .map(({ word }) => word)
      .join(" ")} `;

  /** How often a piece is in a row. @param {string} whole @param {string} piece */
  function count(whole, piece) {
    let times = 0;
    for (let at = whole.indexOf(piece); at >= 0; at = whole.indexOf(piece, at + 1)) times++;
    return times;
  }

  /** Take the index. @param {SearchIndex} index */
  function use(index) {
    pages = index.pages;
    ({ weights } = index);
    idle = new Set(index.idle.map(row));
    groups = index.same.map((group) => [...new Set(group.map(row))]);
    places = [];
    for (const page of pages) {
      for (const place of page.places) {
        const [title, text, code] = [place.title, place.text ?? "", place.code ?? ""].map(row);
        places.push({ ...place, page, rows: { title, text, code, page: row(page.title) } });
        // the names of a term of the glossary ask for the same
        if (place.terms) groups.push([...new Set(place.terms.map(row))]);
      }
    }
    globalThis.dispatchEvent(new Event("search-ready"));
  }

  /** Whether the book has a piece of a row. @param {string} piece */
  const known = (piece) =>
    places.some(({ rows }) => rows.text.includes(piece) || rows.title.includes(piece) || rows.code.includes(piece));

  /** What a query asks for: for each thing, the pieces that say it, its own first. @param {string} query */
  function concepts(query) {
    const asked = words(query).map(({ word }) => word);
    const heard = hear(asked, idle);
    return heard.length ? heard : hear(asked, new Set());
  }

  /** @param {string[]} asked @param {Set<string>} unheard @returns {string[][]} */
  function hear(asked, unheard) {
    const groupPieces = new Set(groups.flat());
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (let at = 0; at < asked.length; ) {
      let end = Math.min(asked.length, at + 8);
      const piece = () => ` ${asked.slice(at, end).join(" ")} `;
      while (end > at && !groupPieces.has(piece()) && !unheard.has(piece())) end--;
      if (end > at) {
        const own = piece();
        if (groupPieces.has(own)) {
          found.set(own, [...new Set([own, ...groups.filter((group) => group.includes(own)).flat()])]);
        }
      } else {
        end = HAN.test(asked[at]) ? endOfRun(asked, at, groupPieces, unheard) : at + 1;
        while (end > at + 1 && !known(piece())) end--;
        found.set(piece(), [piece()]);
      }
      at = end;
    }
    return [...found.values()];
  }

  /** Where a run of characters ends: before the next that has a meaning by itself.
   *  @param {string[]} asked @param {number} start @param {Set<string>} groupPieces @param {Set<string>} unheard */
  function endOfRun(asked, start, groupPieces, unheard) {
    const most = Math.min(asked.length, start + 8);
    for (let at = start + 1; at < most; at++) {
      if (!HAN.test(asked[at])) return at;
      for (let end = Math.min(asked.length, at + 8); end > at + 1; end--) {
        const piece = ` ${asked.slice(at, end).join(" ")} `;
        if (groupPieces.has(piece) || unheard.has(piece)) return at;
      }
    }
    return most;
  }

  /** How well a place says one piece. @param {Place} place @param {string} piece */
  function hit(place, piece) {
    const { title, text, code, page } = place.rows;
    const times = count(text, piece);
    const length = 0.4 + text.length / 3000;
    let found = times / (times + length);
    if (title.includes(piece)) found += 2.5 * (0.4 + 0.6 * (piece.length / title.length));
    if (!found && code.includes(piece)) found = 0.25;
    if (found && page.includes(piece)) found += 1;
    return found;
  }

  /** Every place for which a query asks, the best first. @param {string} query */
  function answer(query) {
    const asked = concepts(query);
    const whole = row(query);
    const marks = new Set(asked.flat());
    const sums = places.map((place) => ({ place, score: 0, covered: 0 }));
    let total = 0;
    for (const pieces of asked) {
      let hits = places.map((place) => Math.max(...pieces.map((piece, n) => hit(place, piece) * (n ? OTHER_WAY : 1))));
      const [own] = pieces;
      if (!hits.some(Boolean) && own.length > 4) {
        const part = own.trim();
        hits = places.map((place) => hit(place, part) * PART);
        marks.add(part);
      }
      const frequency = hits.filter(Boolean).length;
      const rare = Math.log(1 + places.length / (frequency + 0.5));
      // the glossary says in which chapter a term is introduced
      const led = new Set(
        places
          .filter(({ terms }) => terms?.some((term) => pieces.includes(row(term))))
          .flatMap(({ leads }) => leads ?? []),
      );
      total += rare;
      for (const [n, found] of hits.entries()) {
        if (!found) continue;
        const { page } = places[n];
        sums[n].score += rare * (found + (led.has(page.name.replace(/^.*\//, "")) ? LED : 0));
        sums[n].covered += rare;
      }
    }
    for (const sum of sums) {
      const { anchor, rows, page } = sum.place;
      if (rows.title.trim() === whole.trim()) sum.score += FULL_TITLE;
      else if (asked.length > 1 && (rows.title.includes(whole) || rows.text.includes(whole))) sum.score *= 1.3;
      sum.score *= (weights[anchor ?? ""] ?? 1) * KINDS[page.kind] * (sum.covered / total || 0) ** 2;
    }
    const found = sums.filter(({ score }) => score > 0);
    const all = found.filter(({ covered }) => covered > total - 1e-9);
    const best = Math.max(...found.map(({ covered }) => covered));
    const results = (all.length ? all : found.filter(({ covered }) => covered > 0.6 * best)).sort(
      (a, b) => Number(behind(a.place, query)) - Number(behind(b.place, query)) || b.score - a.score,
    );
    /** @type {Map<SearchPage, number>} */
    const ofPage = new Map();
    const shown = results.filter(({ place: { page } }) => {
      ofPage.set(page, (ofPage.get(page) ?? 0) + 1);
      return (ofPage.get(page) ?? 0) <= MOST_OF_A_PAGE;
    });
    return { complete: all.length > 0, marks: [...marks], results: shown.slice(0, MOST).map(({ place }) => place) };
  }

  /** Whether a place comes after all others: the library does, unless one asks for it by name.
   *  @param {Place} place @param {string} query */
  function behind({ page, title }, query) {
    if (page.kind !== "library") return false;
    const name = query.trim();
    const isName = /[._]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name);
    return !(isName && (title === name || title.endsWith(`.${name}`)));
  }

  return { use, answer, words };
})();
