// On a narrow screen a table of contents lies over the page. Whoever comes back to a page sees the
// page: the browser restores the box that keeps the table open, with the whole page or by itself.
{
  // where the theme puts the tables beside the page
  const BESIDE = { primary: "(min-width: 992px)", secondary: "(min-width: 1200px)" };

  addEventListener("pageshow", () => {
    for (const [name, beside] of Object.entries(BESIDE)) {
      /** @type {HTMLInputElement | null} */
      const box = document.querySelector(`input#pst-${name}-sidebar-checkbox`);
      if (box && !matchMedia(beside).matches) box.checked = false;
    }
  });
}
