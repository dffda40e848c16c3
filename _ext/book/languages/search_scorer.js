// What Sphinx's search is told; it is loaded already, its index is not.

// How search results are ordered: Sphinx's own weights, and before all else the chapters whose
// title has the query, in the order of the book.
// biome-ignore lint/correctness/noUnusedVariables: Sphinx looks for it
var Scorer = {
  /** @param {[docname: string, title: string, anchor: string, description: string, score: number]} result */
  score: ([docname, title, anchor, , score]) => {
    const [, chapter] = /\/(\d+)_/.exec(docname) ?? [];
    const query = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
    const inTitle = query.split(/\s+/).every((word) => title.toLowerCase().includes(word));
    return chapter && !anchor && inTitle ? 1000 - Number(chapter) : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

// A reader's word is looked up in objects of the index: of their prototype they keep the one method
// that Sphinx calls, and do not answer to "constructor" any more.
const { setIndex } = Search;
Search.setIndex = (index) => {
  /** @type {PropertyDescriptor} */
  const own = {
    /** @param {string} name */
    value(name) {
      return Object.hasOwn(this, name);
    },
  };
  for (const words of [index.terms, index.titleterms]) {
    Object.setPrototypeOf(words, Object.create(null, { hasOwnProperty: own }));
  }
  setIndex(index);
};
