// The switch between the editions: it keeps the reader's place, and remembers the choice for the
// page at the root of the site. Without scripts it is a plain link to the same page.
addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement | null | false} */
  const link = event.target instanceof Element && event.target.closest("a.language-switch");
  if (!link) return;
  link.search = location.search;
  link.hash = location.hash;
  localStorage.setItem("edition", link.dataset.edition ?? "");
});
