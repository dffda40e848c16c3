// On paper an explorer is a table, until the reader has set it: then it stands as it was left.
{
  const set = (/** @type {Element | null | undefined} */ explorer, on = true) =>
    void explorer?.toggleAttribute("data-changed", on);

  const note = (/** @type {Event} */ { target }) => {
    const control = /** @type {Element | null} */ (target)?.closest?.("input, select, button");
    if (control?.getAttribute("name") !== "link") {
      set(control?.closest("attn-explorer"), control?.getAttribute("name") !== "reset");
    }
  };
  for (const event of ["input", "change", "click"]) addEventListener(event, note);

  // an address may have set it (link.js)
  addEventListener("DOMContentLoaded", () => {
    for (const key of new URLSearchParams(location.search).keys()) {
      const [, name, place = "1"] = /^(\w+)(?:-(\d+))?\./.exec(key) ?? [];
      if (name) set(document.querySelectorAll(`attn-explorer[name="${name}"]`)[Number(place) - 1]);
    }
  });
}
