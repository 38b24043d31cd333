// A glossary's word shows its definition while the pointer or the focus is on it. Escape hides it; the pointer may rest on it.
(() => {
  const texts = JSON.parse(document.getElementById("term-texts").textContent);
  const article = document.querySelector("article");
  const note = Object.assign(document.createElement("div"), { className: "term-note", hidden: true });
  const spoken = Object.assign(document.createElement("div"), { hidden: true });
  let timer;

  function show(link) {
    clearTimeout(timer);
    note.textContent = texts[link.hash.slice(1)];
    note.hidden = false;
    const at = link.getClientRects()[0], frame = (note.offsetParent ?? document.documentElement).getBoundingClientRect();
    const right = Math.min(document.documentElement.clientWidth, article.getBoundingClientRect().right);
    note.style.left = `${Math.max(8, Math.min(at.left, right - note.offsetWidth - 8)) - frame.left}px`;
    note.style.top = `${at.bottom + 4 - frame.top}px`;
  }

  function hide() {
    clearTimeout(timer);
    note.hidden = true;
  }

  function hideSoon() {
    clearTimeout(timer);
    timer = setTimeout(hide, 250);
  }

  for (const link of document.querySelectorAll("a.term")) {
    const about = Object.assign(document.createElement("span"), { id: `about-${link.hash.slice(1)}`, textContent: texts[link.hash.slice(1)] });
    spoken.append(about);
    link.setAttribute("aria-describedby", about.id);
    link.addEventListener("mouseenter", () => show(link));
    link.addEventListener("focus", () => show(link));
    link.addEventListener("mouseleave", hideSoon);
    link.addEventListener("blur", hideSoon);
  }
  note.addEventListener("mouseenter", () => clearTimeout(timer));
  note.addEventListener("mouseleave", hideSoon);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  article.append(note, spoken);
})();
