// What was done of each chapter, kept on this device only: a question says "done", the box of its
// chapter counts, and every table of contents has the count beside the chapter.
{
  const CHAPTER = /chapters\/(\d\d_\w+)\.html|^(\d\d_\w+)\.html/;
  const PREFIX = "done/";
  const zh = document.documentElement.lang.startsWith("zh");
  const chapterOf = (/** @type {string} */ address) => {
    const found = CHAPTER.exec(address);
    return found ? (found[1] ?? found[2]) : "";
  };
  const here = chapterOf(location.pathname);

  /** @typedef {{ids: string[], of: number}} Done */

  /** @param {string} chapter @returns {Done} */
  const kept = (chapter) => {
    try {
      const { ids, of } = JSON.parse(localStorage.getItem(PREFIX + chapter) ?? "");
      return { ids: ids.map(String), of: Number(of) };
    } catch {
      return { ids: [], of: 0 };
    }
  };

  /** How much was done, in a word and in a sentence. @param {Done} done */
  const said = ({ ids: { length }, of }) => ({
    short: length < of ? `${length}/${of}` : "✓",
    long: zh ? `已做 ${length} 题，共 ${of} 题` : `${length} of ${of} done`,
  });

  /** @param {Element} place @param {string} className @param {string} text @param {string} [label] */
  const write = (place, className, text, label) => {
    const old = place.querySelector(`.${className}`);
    const mark = old ?? Object.assign(document.createElement("span"), { className });
    mark.textContent = text;
    if (label) {
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", label);
    }
    if (!text) mark.remove();
    else if (!old) place.append(mark);
  };

  const draw = () => {
    for (const link of document.querySelectorAll(".bd-links a[href]")) {
      const chapter = link.getAttribute("href") === "#" ? here : chapterOf(link.getAttribute("href") ?? "");
      const done = kept(chapter);
      const { short, long } = said(done);
      if (chapter) write(link, "done-mark", done.ids.length ? short : "", long);
    }
    const box = document.querySelector(".chapter-place");
    const done = kept(here);
    if (box) write(box, "chapter-done", done.ids.length ? ` · ${said(done).long}` : "");
  };

  const idOf = (/** @type {Element} */ form) => form.id || (form.getAttribute("data-exercise") ?? "");
  const questions = () => [...document.querySelectorAll("form.prediction, form.answer")].map(idOf);

  addEventListener("done", (event) => {
    const { target, detail } = /** @type {CustomEvent<boolean>} */ (event);
    const id = idOf(/** @type {Element} */ (target));
    const all = questions();
    const ids = new Set(kept(here).ids.filter((each) => all.includes(each)));
    if (detail) ids.add(id);
    else ids.delete(id);
    try {
      if (ids.size) localStorage.setItem(PREFIX + here, JSON.stringify({ ids: [...ids], of: all.length }));
      else localStorage.removeItem(PREFIX + here);
    } catch {
      // then nothing is marked
    }
    draw();
  });
  addEventListener("DOMContentLoaded", draw);
  // a page that was left for another, and came back
  addEventListener("pageshow", ({ persisted }) => void (persisted && draw()));
}
