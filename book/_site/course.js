// Paper is light: a dark page is printed in the light colours.
(() => {
  const root = document.documentElement;
  let shown;
  addEventListener("beforeprint", () => { shown = root.dataset.theme; root.dataset.theme = "light"; });
  addEventListener("afterprint", () => { root.dataset.theme = shown; });
})();
// What has been read to its quiz is marked in the contents. This browser alone knows it.
addEventListener("DOMContentLoaded", () => {
  const read = new Set(JSON.parse(localStorage.getItem("read") ?? "[]"));
  const mark = () => document.querySelectorAll(".bd-links a:has(.minutes)").forEach(link => link.classList.toggle("was-read", read.has(link.pathname)));
  const end = document.querySelector(".section-length") && document.querySelector(".quiz");
  mark();
  if (end) new IntersectionObserver(([seen], observer) => {
    if (!seen.isIntersecting) return;
    observer.disconnect();
    localStorage.setItem("read", JSON.stringify([...read.add(location.pathname)]));
    mark();
  }).observe(end);
});
// On a phone the contents cover the page. Who has chosen a place wants to see it.
addEventListener("click", event => event.target.closest?.("dialog a[href*='#']")?.closest("dialog").close());
