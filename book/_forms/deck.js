// Moves through the slides, scales them to the window, and makes the letters of a full slide smaller until it fits.
(() => {
  const slides = [...document.querySelectorAll(".slide")];
  const SMALLEST = 0.5;
  let place = 0, notes = false;

  function overflows(body) {
    return body.scrollHeight > body.clientHeight + 1 || body.scrollWidth > body.clientWidth + 1;
  }

  function fit(slide) {
    const body = slide.querySelector(".body");
    if (!body || body.dataset.size) return;
    const full = parseFloat(getComputedStyle(body).fontSize);
    let size = 1;
    while (overflows(body) && size > SMALLEST) {
      size -= 0.04;
      body.style.fontSize = `${full * size}px`;
    }
    body.dataset.size = size.toFixed(2);
  }

  function scale() {
    const stage = slides[place].querySelector(".stage"), room = { width: innerWidth, height: innerHeight - 24 };
    const by = Math.min(room.width / 1280, room.height / 720);
    stage.style.transform = `scale(${by}) translate(-50%, -50%)`;
    stage.style.top = `${room.height / 2}px`;
  }

  function show(number) {
    place = Math.max(0, Math.min(slides.length - 1, number));
    slides.forEach((slide, index) => { slide.hidden = index !== place; });
    const note = slides[place].querySelector(".notes");
    if (note) note.hidden = !notes;
    document.getElementById("place").textContent = `${place + 1} / ${slides.length}`;
    history.replaceState(null, "", `#${place + 1}`);
    scale();
    fit(slides[place]);
  }

  function reveal(slide) {
    const body = slide.querySelector(".body");
    slide.classList.add("revealed");
    delete body.dataset.size;
    body.style.fontSize = "";
    fit(slide);
  }

  function next() {
    const slide = slides[place];
    if (slide.matches(".quiz:not(.revealed)")) reveal(slide);
    else show(place + 1);
  }

  const keys = {
    ArrowRight: next, " ": next, PageDown: next, ArrowLeft: () => show(place - 1), PageUp: () => show(place - 1),
    Home: () => show(0), End: () => show(slides.length - 1),
    n: () => { notes = !notes; show(place); },
    f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  };
  addEventListener("keydown", (event) => {
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); act(); }
  });
  addEventListener("click", (event) => { if (!event.target.closest("a, .notes")) next(); });
  addEventListener("resize", scale);
  addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
  addEventListener("beforeprint", () => slides.forEach((slide) => { const was = slide.hidden; slide.hidden = false; fit(slide); slide.hidden = was; }));
  window.deck = { slides, show, reveal, fit };
  show(Number(location.hash.slice(1)) - 1 || 0);
})();
