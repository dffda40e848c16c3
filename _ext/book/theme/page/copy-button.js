// A button at every block of code copies it: of an example with prompts, what stands behind them.
addEventListener("DOMContentLoaded", () => {
  const [label, done] = document.documentElement.lang.startsWith("zh")
    ? ["复制代码", "已复制"]
    : ["Copy code", "Copied"];

  /** @param {HTMLPreElement} pre */
  const typed = (pre) => {
    const text = pre.textContent.trim();
    if (!pre.querySelector(".gp")) return text;
    const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
    return lines.map((line) => line.slice(4)).join("\n");
  };

  /** @type {NodeListOf<HTMLPreElement>} */
  const blocks = document.querySelectorAll("article div.highlight > pre");
  for (const pre of blocks) {
    if (pre.closest(".cell_output")) continue;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "copy-button", title: label, ariaLabel: label });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(typed(pre));
      } catch {
        // without a clipboard it is at least selected
        getSelection()?.selectAllChildren(pre);
        return;
      }
      button.classList.add("copied");
      Object.assign(button, { title: done, ariaLabel: done });
      setTimeout(() => {
        button.classList.remove("copied");
        Object.assign(button, { title: label, ariaLabel: label });
      }, 2000);
    });
    pre.after(button);
  }
});
