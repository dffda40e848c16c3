// The switch between the editions: it keeps the reader's place, and remembers the choice for the
// page at the root of the site. Without scripts it is a plain link to the same page.
{
  // where one reads, as a part of the window
  const LINE = 0.2;

  /** The sections of a page. They are the same in both editions, by id. */
  const sections = () => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section[id]"));

  /** The innermost section at the top of the window, and how much of it has passed by. */
  function place() {
    const line = LINE * innerHeight;
    const read = [...sections()].filter((section) => section.getBoundingClientRect().top <= line).at(-1);
    if (!read || scrollY < 1) return null;
    const { top, height } = read.getBoundingClientRect();
    return { id: read.id, passed: Math.min((line - top) / height, 1) };
  }

  // an anchor in the address is the place, until the reader moves on
  let moved = false;
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(
      kind,
      ({ target }) => {
        moved ||= !(target instanceof Element && target.closest("a.language-switch"));
      },
      { passive: true },
    );
  }
  addEventListener("hashchange", () => {
    moved = false;
  });

  addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement | null | false} */
    const link = event.target instanceof Element && event.target.closest("a.language-switch");
    if (!link) return;
    localStorage.setItem("edition", link.dataset.edition ?? "");
    link.search = location.search;
    link.hash = location.hash;
    if (location.hash && !moved) return;
    const read = place();
    if (!read) return;
    link.hash = `#${read.id}`;
    sessionStorage.setItem("place", JSON.stringify(read));
  });

  addEventListener("load", () => {
    const kept = sessionStorage.getItem("place");
    sessionStorage.removeItem("place");
    if (!kept) return;
    const { id, passed } = JSON.parse(kept);
    const section = [...sections()].find((one) => one.id === id);
    if (!section || location.hash !== `#${encodeURIComponent(id)}`) return;
    // after the browser itself has gone to the anchor
    setTimeout(() => {
      const { top, height } = section.getBoundingClientRect();
      scrollTo({ top: scrollY + top + passed * height - LINE * innerHeight, behavior: "instant" });
    });
  });
}
