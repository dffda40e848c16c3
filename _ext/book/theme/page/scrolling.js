// A formula or a table that is wider than its place scrolls: then, and only then, the Tab key
// reaches it, so that arrow keys can move it.
addEventListener("DOMContentLoaded", () => {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  const wide = ".katex-display, .pst-scrollable-table-container";
  for (const place of document.querySelectorAll(wide)) watch.observe(place);
});
