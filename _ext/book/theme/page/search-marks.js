// Sphinx marks the words of a search in figures too, and takes away only the marks in the text.
addEventListener("click", ({ target }) => {
  if (!(target instanceof Element && target.closest("#searchbox a"))) return;
  for (const mark of document.querySelectorAll("svg .highlighted")) {
    if (mark.localName === "rect") mark.remove();
    else mark.classList.remove("highlighted");
  }
});
