// A formula or a table that is wider than its place scrolls: then, and only then, the Tab key
// reaches it, so that arrow keys can move it (the theme does this for code). What goes on to the
// right fades out, until its end is in sight.
addEventListener("DOMContentLoaded", () => {
  const fade = (/** @type {Element} */ place) => {
    const { scrollLeft, clientWidth, scrollWidth } = place;
    place.toggleAttribute("data-more", scrollLeft + clientWidth < scrollWidth - 1);
  };
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      fade(target);
      // code has the theme's; the boxes of a table of cells are locked when they are answered
      if (target.matches("pre")) continue;
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  const wide = ".katex-display, .pst-scrollable-table-container, .highlight > pre, .guess.cells";
  for (const place of document.querySelectorAll(wide)) {
    watch.observe(place);
    place.addEventListener("scroll", () => fade(place), { passive: true });
  }
});
