// Paper is light: in dark colours a page would cost ink and be hard to read.
(() => {
  const { dataset } = document.documentElement;
  /** @type {string | undefined} */
  let theme;
  addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    if (theme) dataset.theme = theme;
  });
})();
