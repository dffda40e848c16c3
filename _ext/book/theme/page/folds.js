// A link may lead to what is folded: it opens. Some browsers do this by themselves.
(() => {
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let closed = false;
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details")) {
      closed ||= !fold.open;
      fold.open = true;
    }
    if (closed) target?.scrollIntoView();
  };
  addEventListener("DOMContentLoaded", open);
  addEventListener("hashchange", open);
  // once more to the same place
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href*='#']");
    if (link instanceof HTMLAnchorElement && link.href === location.href) open();
  });
})();
