import { Figure, choice, drawing, h, s, slider } from "./base.js";
import { clamp, styled } from "./grids.js";

/** Sizes of the axes: B texts, T tokens, D the width, H heads, K the width of a head, J = H·K. */
export const sizes = (B, T, D, H) => ({ B, T, D, H, K: D / H, J: D });

/** The shape of a step from its axes, such as "BHTK". */
export const shape = (axes, of) => [...axes].map(axis => of[axis]);

/** Parameters and multiplications of each step; a projection has a bias. */
export function costs(place, { B, T, D, H, K }) {
  if (place === 1) return { parameters: 3 * (D * D + D), products: 3 * B * T * D * D };
  if (place === 9) return { parameters: D * D + D, products: B * T * D * D };
  return { parameters: 0, products: place === 4 || place === 6 ? B * H * T * T * K : 0 };
}

/** Which number stands where in heads of (T, K): [head][row][column] is [token, head, column it came from]; `view` skips the swap. */
export function origins(T, H, K, view = false) {
  const from = flat => [Math.floor(flat / (H * K)), Math.floor(flat % (H * K) / K), flat % K];
  return Array.from({ length: H }, (_, head) => Array.from({ length: T }, (_, row) => Array.from({ length: K }, (_, column) =>
    view ? from((head * T + row) * K + column) : from(row * H * K + head * K + column))));
}

const WIDTHS = [4, 6, 8, 12, 16, 24], LETTERS = { B: "B", T: "T", D: "d_model", H: "H", K: "K", J: "H·K" };
const divisors = width => Array.from({ length: 8 }, (_, place) => place + 1).filter(heads => width % heads === 0);
const GAP = 16, LABEL = 18;  // pixels between tables, and above them

class MultiHeadShapes extends Figure {
  start(data, stage) {
    styled();
    Object.assign(this, data, { place: 0, view: false });
    const tune = (label, key, min, max) => slider({ label, min, max, step: 1, value: this[key], change: value => { this[key] = value; this.show(); } });
    this.headsPlace = h("div", {});
    this.headsChoice();
    this.go = step => h("button", { type: "button", onclick: () => { this.place = clamp(this.place + step, 0, this.steps.length - 1); this.show(); } }, step < 0 ? "← Previous step" : "Next step →");
    this.back = this.go(-1);
    this.next = this.go(1);
    this.heading = h("p", { class: "panel-title" });
    this.line = h("p", { style: "margin:.2rem 0 .6rem; overflow-wrap:anywhere" });
    this.picture = h("div", {});
    this.strip = h("div", {});
    this.words = h("p", { class: "say", role: "status" });
    const id = "ay-view-instead", box = h("input", { type: "checkbox", id });
    box.addEventListener("change", () => { this.view = box.checked; this.show(); });
    this.wrong = h("div", { class: "control" }, box, h("label", { for: id }, "skip the swap: view(B, H, T, K) (wrong)"));
    stage.append(
      h("div", { class: "controls" }, tune("texts B", "batch", 1, 4), tune("tokens T", "tokens", 1, 8),
        choice({ label: "d_model", value: this.width, options: WIDTHS.map(width => [width, String(width)]), change: value => { this.width = Number(value); this.headsChoice(); this.show(); } }), this.headsPlace),
      h("div", { class: "buttons" }, this.back, this.next), this.heading, this.line, this.wrong, this.picture, this.strip, this.words);
  }

  headsChoice() {
    const can = divisors(this.width);
    this.heads = can.includes(this.heads) ? this.heads : can[can.length - 1];
    this.headsPlace.replaceChildren(choice({ label: "heads H", value: this.heads, options: can.map(heads => [heads, String(heads)]), change: value => { this.heads = Number(value); this.show(); } }));
  }

  draw() {
    const of = sizes(this.batch, this.tokens, this.width, this.heads), step = this.steps[this.place], now = shape(step.axes, of);
    const ended = [this.back, this.next].find(button => button === document.activeElement);
    this.back.disabled = this.place === 0;
    this.next.disabled = this.place === this.steps.length - 1;
    if (ended?.disabled) (ended === this.back ? this.next : this.back).focus();
    this.heading.textContent = `Step ${this.place + 1} of ${this.steps.length}: ${step.name}`;
    this.line.replaceChildren(h("code", { class: "line" }, step.line), ` in ${step.where}`);
    this.wrong.hidden = this.place < 3 || this.place > 6;
    this.picture.replaceChildren(this.tables(step, of));
    const strip = this.inOrder(step, of);
    this.strip.replaceChildren(...(strip ? [h("p", { class: "panel-title", style: "margin-top:.5rem" }, "Text 0 of it, number by number in index order"), strip] : []));
    const { parameters, products } = costs(this.place, of), all = this.steps.map((_, place) => costs(place, of).parameters), sum = all.reduce((a, b) => a + b), count = value => value.toLocaleString("en-US");
    this.words.textContent = `(${[...step.axes].map(axis => LETTERS[axis]).join(", ")}) = (${now.join(", ")}): ${count(now.reduce((a, b) => a * b))} numbers${this.place >= 1 && this.place <= 3 ? ", and as many for keys and for values" : ""}. ${step.words} `
      + (parameters ? `Parameters here: ${count(parameters)} of ${count(sum)}. ` : `The layer's parameters: ${count(sum)}. `) + (products ? `Multiplications: ${count(products)}.` : "No multiplication.")
      + (this.view && !this.wrong.hidden ? " With view instead of the swap, the shape is right, but the colours show that each table now mixes heads and holds only some of the tokens." : "");
  }

  /** The colour of a number of token `token`, head `head`: heads by colour, tokens by strength; without heads grey. */
  paint(token, head) {
    return { class: head === null ? "" : `fill-${head % 5 + 1}`, style: head === null ? "fill:var(--ay-grey)" : "", "fill-opacity": (0.3 + 0.7 * (token + 1) / this.tokens).toFixed(2) };
  }

  /** Tables to draw for text 0: { label, rows }, rows of [token, head] or of null for a score. */
  parts({ axes }, { T, H, K, D }) {
    const each = (n, make) => Array.from({ length: n }, (_, place) => make(place));
    if (axes === "BTD") return [{ label: "", rows: each(T, token => each(D, () => [token, null])) }];
    if (axes === "BTJ") return [{ label: "heads 0 to H−1, side by side", rows: each(T, token => each(D, column => [token, Math.floor(column / K)])) }];
    if (axes === "BTHK") return each(T, token => ({ label: `token ${token}`, rows: each(H, head => each(K, () => [token, head])) }));
    const heads = origins(T, H, K, this.view);
    if (axes === "BHTK") return heads.map((rows, head) => ({ label: `head ${head}`, rows: rows.map(row => row.map(([token, from]) => [token, from])) }));
    return heads.map((rows, head) => ({ label: `head ${head}`, rows: rows.map(row => each(T, () => [row[0][0], this.view ? null : head])) }));
  }

  tables(step, of) {
    const parts = this.parts(step, of), widest = Math.max(...parts.map(({ rows }) => rows[0].length));
    const cell = clamp(Math.floor((this.room - 8) / Math.max(widest, 12)), 9, 22);
    let x = 0, y = 0, tallest = 0;
    const children = parts.map(({ label, rows }) => {
      const width = Math.max(rows[0].length * cell, 7.2 * label.length), height = rows.length * cell + LABEL;
      if (x > 0 && x + width > this.room) { x = 0; y += tallest + GAP; tallest = 0; }
      const at = [x, y];
      x += width + GAP;
      tallest = Math.max(tallest, height);
      return [s("text", { x: at[0], y: at[1] + 12, class: "small" }, label), ...rows.flatMap((row, down) => row.map(([token, head], across) =>
        s("rect", { x: at[0] + across * cell, y: at[1] + LABEL + down * cell, width: cell - 1.5, height: cell - 1.5, ...this.paint(token, head) })))];
    }).flat();
    return drawing(this.room, y + tallest + 2, `Text 0 of ${of.B} as ${parts.length} ${parts.length === 1 ? "table" : "tables"} of ${parts[0].rows.length} by ${parts[0].rows[0].length}, coloured by head.`, children);
  }

  /** The numbers of text 0 in the order of their indices. Nothing for scores and weights, which are new numbers. */
  inOrder(step, of) {
    if (step.axes === "BHTT" || step.axes === "BTD") return null;
    const cells = this.parts(step, of).flatMap(({ rows }) => rows.flat()), width = this.room / cells.length;
    return drawing(this.room, 20, "The same numbers in one row.", cells.map(([token, head], place) =>
      s("rect", { x: (place * width).toFixed(2), y: 0, width: Math.max(0.6, width - (width > 4 ? 1 : 0)).toFixed(2), height: 18, ...this.paint(token, head) })));
  }
}
customElements.define("ay-multi-head-shapes", MultiHeadShapes);
