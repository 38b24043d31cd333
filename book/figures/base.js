// What all figures share: the element's life, small makers of HTML and SVG, scales, and controls that a keyboard can use.

const SVG = "http://www.w3.org/2000/svg";

function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat());
  return node;
}

/** An HTML element: h("button", { type: "button", onclick: go }, "Go"). */
export const h = (tag, attributes, ...children) => make(document.createElement(tag), attributes, children);

/** An SVG element: s("rect", { x: 1, y: 2, width: 3, height: 4, class: "fill-1" }). */
export const s = (tag, attributes, ...children) => make(document.createElementNS(SVG, tag), attributes, children);

/** A number for readers: a true minus sign, `digits` after the point. */
export const number = (value, digits = 2) => value.toFixed(digits).replace("-", "−");

/** A linear scale: scale([0, 1], [10, 200])(0.5) is 105. */
export const scale = ([low, high], [from, to]) => value => from + (value - low) / (high - low) * (to - from);

let count = 0;

/** A labelled slider. `change(value)` is called while it moves; `show(value)` is its value in words, for eyes and screen readers. */
export function slider({ label, min, max, step = "any", value, show = String, change }) {
  const id = `ay-${++count}`;
  const output = h("output", { for: id }, show(value));
  const input = h("input", { type: "range", id, min, max, step, value, "aria-valuetext": show(value) });
  input.addEventListener("input", () => {
    output.textContent = show(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
    change(Number(input.value));
  });
  const root = h("div", { class: "control" }, h("label", { for: id }, label), input, output);
  root.set = to => { input.value = to; output.textContent = show(Number(input.value)); input.setAttribute("aria-valuetext", output.textContent); };
  return root;
}

/** A labelled list to choose from. options: [value, text] pairs. */
export function choice({ label, options, value, change }) {
  const id = `ay-${++count}`;
  const select = h("select", { id }, options.map(([of, text]) => h("option", { value: of, selected: String(of) === String(value) }, text)));
  select.addEventListener("change", () => change(select.value));
  const root = h("div", { class: "control" }, h("label", { for: id }, label), select);
  root.set = to => { select.value = to; };
  return root;
}

/** A labelled tick box. */
export function tick({ label, value = false, change }) {
  const id = `ay-${++count}`;
  const input = h("input", { type: "checkbox", id, checked: value });
  input.addEventListener("change", () => change(input.checked));
  return h("div", { class: "control" }, input, h("label", { for: id }, label));
}

/** A drawing of `width` by `height` pixels that says in words what it shows; a figure's `room` is the width there is. */
export const drawing = (width, height, label, ...children) =>
  s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children);

/** Make a shape of a drawing movable with the pointer and, as a slider, with the arrow keys. `move(x, y)` gets the drawing's units. */
export function draggable(node, { label, move, step = 5, position, words }) {
  for (const [name, value] of Object.entries({ tabindex: 0, role: "slider", "aria-label": label, "aria-valuenow": 0, "aria-valuetext": words(), class: `${node.getAttribute("class") || ""} handle` }))
    node.setAttribute(name, value);
  const go = (x, y) => { move(x, y); node.setAttribute("aria-valuetext", words()); };
  node.addEventListener("pointerdown", event => { node.setPointerCapture(event.pointerId); node.focus(); event.preventDefault(); });
  node.addEventListener("pointermove", event => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.ownerSVGElement.getScreenCTM().inverse());
    go(at.x, at.y);
  });
  node.addEventListener("keydown", event => {
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!by) return;
    event.preventDefault();
    const [x, y] = position();
    go(x + by[0], y + by[1]);
  });
}

/** A table of texts; `rows` begin with their heading. */
export const table = (caption, head, rows) => h("table", { class: "table" },
  h("caption", {}, caption),
  h("thead", {}, h("tr", {}, head.map(text => h("th", { scope: "col" }, text)))),
  h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), rest.map(text => h("td", {}, text))))));

/**
 * A figure. A subclass has `start(data, stage)`, which fills the stage with controls and empty places, and `draw()`, which fills those.
 * Whoever changes something calls `show()`; it is also called after the start and when the page gets another width. The fallback stays within reach, folded.
 */
export class Figure extends HTMLElement {
  async connectedCallback() {
    if (this.stage) return;
    this.stage = h("div", { class: "stage" });
    const fallback = h("details", {}, h("summary", {}, "The same without the figure"), ...this.childNodes);
    this.append(this.stage, fallback);
    // on paper, what has not been drawn gives way to its text
    addEventListener("beforeprint", () => { if (!("ready" in this.dataset) || this.querySelector("button.load")) { this.opened = !fallback.open; fallback.open = true; } });
    addEventListener("afterprint", () => { if (this.opened) fallback.open = this.opened = false; });
    try {
      if (this.dataset.src) await this.near();
      await this.start(this.dataset.src ? await this.load(this.dataset.src) : null, this.stage);
      this.show();
      new ResizeObserver(() => this.room !== this.drawn && this.show()).observe(this.stage);
      this.dataset.ready = "";
    } catch (error) {
      console.error(error);
      fallback.open = true;
      this.stage.replaceChildren(h("p", { role: "status" }, `The figure could not be shown (${error.message}). Here is what it says.`));
    }
  }

  /** The width in pixels that a drawing has, 280 to 700. */
  get room() {
    return Math.round(Math.min(700, Math.max(280, this.stage.clientWidth - 32)));
  }

  show() {
    this.drawn = this.room;
    this.draw();
  }

  /** Wait until the reader is about to see the figure: what it needs is not loaded before. */
  near() {
    return new Promise(done => new IntersectionObserver((entries, observer) => {
      if (!entries.some(entry => entry.isIntersecting)) return;
      observer.disconnect();
      done();
    }, { rootMargin: "600px" }).observe(this));
  }

  async load(address) {
    const answer = await fetch(new URL(address, document.baseURI));
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.json();
  }
}
