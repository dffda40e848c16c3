// A formula is on the page twice, drawn and as MathML. What is copied has it once, as TeX between
// dollar signs, whole even where only a part of it is selected. KaTeX's own copy-tex would copy
// hidden code and the marks of headings with it, and leave the formulas of rich text double; so
// the TeX takes the place of the formulas while the browser itself copies.
addEventListener("copy", () => {
  const selection = getSelection();
  if (!selection) return;
  const ranges = Array.from({ length: selection.rangeCount }, (_, i) => selection.getRangeAt(i));
  const around = (/** @type {Node} */ node) => (node instanceof Element ? node : node.parentElement)?.closest(".katex");
  for (const range of ranges) {
    if (range.collapsed) return;
    const [first, last] = [around(range.startContainer), around(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
  }
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll(".katex");
  const formulas = [...all].filter(
    (formula) => ranges.some((range) => range.intersectsNode(formula)) && formula.checkVisibility(),
  );
  if (!formulas.length) return;
  // a page that shrinks would scroll
  const page = document.documentElement;
  page.style.minHeight = `${page.scrollHeight}px`;
  const written = formulas.map((formula) => {
    const dollars = formula.closest(".katex-display") ? "$$" : "$";
    const tex = formula.querySelector("annotation")?.textContent.trim();
    const text = document.createTextNode(dollars + tex + dollars);
    formula.before(text);
    formula.style.display = "none";
    return text;
  });
  setTimeout(() => {
    for (const text of written) text.remove();
    for (const formula of formulas) formula.style.display = "";
    page.style.minHeight = "";
  });
});
