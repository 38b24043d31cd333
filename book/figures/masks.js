import { Figure, choice, drawing, h, number, s, slider } from "./base.js";
import { ARROWS, clamp, keepFocus, softmax, styled } from "./grids.js";

/** Who may look at whom: n rows of n, true = may attend. */
export function maskOf(kind, n, length, window) {
  const allowed = { none: () => true, causal: (query, key) => key <= query, padding: (_, key) => key < length,
    both: (query, key) => key <= query && key < length, window: (query, key) => key <= query && key > query - window }[kind];
  return Array.from({ length: n }, (_, query) => Array.from({ length: n }, (_, key) => allowed(query, key)));
}

/** Weights of scores under a mask. "score": −∞ before the softmax, the library's way; "zero": score 0; "after": weight 0 after the softmax. */
export function weigh(scores, mask, way = "score") {
  return scores.map((row, query) => {
    if (way === "after") return softmax(row).map((weight, key) => mask[query][key] ? weight : 0);
    return softmax(row.map((score, key) => mask[query][key] ? score : way === "zero" ? 0 : -Infinity));
  });
}

const WAYS = [["score", "score −∞ before the softmax (right)"], ["zero", "score 0 before the softmax (wrong)"], ["after", "weight 0 after the softmax (wrong)"]];
const KINDS = [["none", "none"], ["causal", "causal"], ["padding", "padding"], ["both", "causal and padding"], ["window", "causal window"], ["own", "your own"]];

class Masks extends Figure {
  start(data, stage) {
    styled();
    Object.assign(this, data, { kind: "causal", way: "score", at: [0, 0] });
    this.kinds = choice({ label: "mask", value: "causal", options: KINDS, change: kind => { this.kind = kind; this.reset(); this.show(); } });
    this.windowSlider = slider({ label: "window (tokens)", min: 1, max: this.tokens.length, step: 1, value: this.window, change: window => { this.window = window; this.reset(); this.show(); } });
    this.pictures = h("div", { class: "pictures" });
    this.words = h("p", { class: "say", role: "status" });
    stage.append(h("div", { class: "controls" }, this.kinds, this.windowSlider,
      choice({ label: "hidden means", value: "score", options: WAYS, change: way => { this.way = way; this.show(); } })), this.pictures, this.words);
    this.pictures.addEventListener("keydown", event => {
      const by = ARROWS[event.key];
      if (!event.target.dataset.key) return;
      if (by) this.at = [clamp(this.at[0] + by[1], 0, this.tokens.length - 1), clamp(this.at[1] + by[0], 0, this.tokens.length - 1)];
      else if (event.key === " " || event.key === "Enter") this.turn(...this.at);
      else return;
      event.preventDefault();
      this.show();
      this.pictures.querySelector('[tabindex="0"]').focus();
    });
    this.reset();
  }

  reset() {
    if (this.kind !== "own") this.mask = maskOf(this.kind, this.tokens.length, this.length, this.window);
    this.windowSlider.hidden = this.kind !== "window";
    this.last = null;
  }

  turn(query, key) {
    this.at = [query, key];
    this.mask[query][key] = !this.mask[query][key];
    this.last = query;
    this.kind = "own";
    this.kinds.set("own");
    this.windowSlider.hidden = true;
  }

  draw() {
    const wide = this.room >= 620, size = wide ? Math.floor(this.room / 2 - 14) : Math.min(this.room, 420);
    const weights = weigh(this.scores, this.mask, this.way), sums = weights.map(row => row.reduce((a, b) => a + b, 0));
    const empty = this.mask.flatMap((row, query) => row.some(Boolean) ? [] : [query]);
    keepFocus(this.pictures, () => this.pictures.replaceChildren(
      h("div", {}, h("p", { class: "panel-title" }, "Scores: choose a cell to hide or allow it"), this.scoreGrid(size)),
      h("div", {}, h("p", { class: "panel-title" }, "Weights, and the sum of each row"), this.weightGrid(size, weights, sums))));
    const query = this.last ?? 2, name = this.tokens[query], seen = this.tokens.filter((_, key) => this.mask[query][key]);
    let text = `“${name}” (row ${query + 1}) may look at ${seen.length ? seen.map(token => `“${token}”`).join(", ") : "nothing"}. `;
    if (this.way === "score") text += empty.length
      ? `${empty.length === 1 ? `Row ${empty[0] + 1} has` : `${empty.length} rows have`} no allowed key: every score is −∞, a plain softmax would give 0/0, not a number. The library's rule: weights 0, output 0.`
      : "Hidden cells get exactly 0, and every row sums to 1.";
    else if (this.way === "zero") text += `A score of 0 hides nothing, since e⁰ = 1: hidden keys still get ${number(100 * this.leak(weights), 0)} % of all the weight.`;
    else text += `What was hidden is gone, but the rest was not shared out anew: the rows sum to ${number(Math.min(...sums))} to ${number(Math.max(...sums))}, not to 1.`;
    this.words.textContent = text;
  }

  /** The share of all weight that goes to hidden keys. */
  leak(weights) {
    return weights.flatMap((row, query) => row.filter((_, key) => !this.mask[query][key])).reduce((a, b) => a + b, 0) / weights.length;
  }

  /** A grid with names of queries on the left and of keys above; `cell(query, key, x, y, size)` draws what stands in it. */
  grid(size, extra, label, cell) {
    const n = this.tokens.length, left = 52, top = 46, side = Math.floor((size - left - extra - 2) / n);
    const names = this.tokens.map((token, place) => [
      s("text", { x: left - 6, y: top + (place + 0.5) * side + 4, "text-anchor": "end", class: place < this.length ? "small" : "small quiet" }, token),
      s("text", { x: left + (place + 0.5) * side + 4, y: top - 6, transform: `rotate(-90 ${left + (place + 0.5) * side + 4} ${top - 6})`, class: place < this.length ? "small" : "small quiet" }, token)]).flat();
    return drawing(left + n * side + extra + 2, top + n * side + 2, label, names,
      this.tokens.map((_, query) => this.tokens.map((_, key) => cell(query, key, left + key * side, top + query * side, side))).flat());
  }

  scoreGrid(size) {
    const limit = Math.max(...this.scores.flat().map(Math.abs));
    const svg = this.grid(size, 0, "Scores: rows are queries, columns are keys. Each cell can be hidden or allowed.", (query, key, x, y, side) => {
      const allowed = this.mask[query][key], score = this.scores[query][key], here = this.at[0] === query && this.at[1] === key;
      const hidden = this.way === "zero" ? "0" : this.way === "after" ? number(Math.round(10 * score) / 10 + 0, 1) : "−∞";
      return s("g", { role: "checkbox", "data-key": `${query}-${key}`, tabindex: here ? 0 : -1, "aria-checked": String(allowed),
        "aria-label": `${this.tokens[query]} looks at ${this.tokens[key]}: score ${number(score)}, ${allowed ? "allowed" : "hidden"}`,
        onclick: event => { this.turn(query, key); this.show(); this.pictures.querySelector('[tabindex="0"]').focus({ preventScroll: true }); } },
      s("rect", { x: x + 1, y: y + 1, width: side - 2, height: side - 2, rx: 2, class: allowed ? (score < 0 ? "fill-2" : "fill-1") : "axis", style: allowed ? "" : "stroke-dasharray:3 3;fill:transparent", "fill-opacity": allowed ? (0.08 + 0.42 * Math.abs(score) / limit).toFixed(2) : 1 }),
      s("text", { x: x + side / 2, y: y + side / 2 + 4, "text-anchor": "middle", class: allowed ? "small" : "small quiet" }, allowed ? number(Math.round(10 * score) / 10 + 0, 1) : hidden));
    });
    svg.setAttribute("role", "group");
    return svg;
  }

  weightGrid(size, weights, sums) {
    const svg = this.grid(size, 42, `Weights: ${weights.map((row, query) => `${this.tokens[query]} ${row.map(weight => number(weight)).join(" ")}`).join("; ")}.`, (query, key, x, y, side) => {
      const weight = weights[query][key], last = key === this.tokens.length - 1;
      const parts = [s("rect", { x: x + 1, y: y + 1, width: side - 2, height: side - 2, rx: 2, class: weight > 0 ? (this.mask[query][key] ? "fill-1" : "fill-2") : "grid", "fill-opacity": weight > 0 ? (0.08 + 0.5 * weight).toFixed(2) : 1 }),
        s("text", { x: x + side / 2, y: y + side / 2 + 4, "text-anchor": "middle", class: weight > 0 ? "small" : "small quiet" }, weight > 0 ? number(weight) : "0")];
      const right = Math.abs(sums[query] - 1) < 1e-9;
      if (last) parts.push(s("text", { x: x + side + 40, y: y + side / 2 + 4, "text-anchor": "end", class: right ? "small quiet" : "small strong" }, `= ${number(sums[query])}`));
      return s("g", {}, parts);
    });
    return svg;
  }
}
customElements.define("ay-masks", Masks);
