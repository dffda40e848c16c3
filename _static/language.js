// The switch between the editions: it keeps the reader's place, and remembers the choice for the
// page at the root of the site. Without scripts it is a plain link to the same page.
{
  /** The sections of a page. They are the same in both editions, by id. */
  const sections = () => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section[id]"));

  /** The innermost section at the top of the window, and how much of it has passed by. */
  function place() {
    const line = 0.2 * innerHeight;
    const read = [...sections()].filter((section) => section.getBoundingClientRect().top <= line).at(-1);
    if (!read || scrollY < 1) return null;
    const { top, height } = read.getBoundingClientRect();
    return { id: read.id, passed: Math.min((line - top) / height, 1) };
  }

  addEventListener("click", (event) => {
    /** @type {HTMLAnchorElement | null | false} */
    const link = event.target instanceof Element && event.target.closest("a.language-switch");
    if (!link) return;
    localStorage.setItem("edition", link.dataset.edition ?? "");
    link.search = location.search;
    link.hash = location.hash;
    // of the two the anchor in the address counts as long as it is in sight
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const { top = -1 } = target?.getBoundingClientRect() ?? {};
    const read = place();
    if ((top >= 0 && top < innerHeight) || !read) return;
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
    const { top, height } = section.getBoundingClientRect();
    scrollTo({ top: scrollY + top + passed * height - 0.2 * innerHeight, behavior: "instant" });
  });
}
