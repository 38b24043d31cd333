// Paper is light: a dark page is printed in the light colours.
(() => {
  const root = document.documentElement;
  let shown;
  addEventListener("beforeprint", () => { shown = root.dataset.theme; root.dataset.theme = "light"; });
  addEventListener("afterprint", () => { root.dataset.theme = shown; });
})();
// On a phone the contents cover the page. Who has chosen a place wants to see it.
addEventListener("click", event => event.target.closest?.("dialog a[href*='#']")?.closest("dialog").close());
