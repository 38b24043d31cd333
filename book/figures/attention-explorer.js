import { Figure, choice, drawing, h, number, s, slider } from "./base.js";
import { ARROWS, clamp, cut, keepFocus, painted, styled } from "./grids.js";

/** The weights of one head on one text, n rows of n. One byte a weight; a causal text keeps its lower triangle only. */
export function weights({ tokens, bytes }, { heads, causal }, steps, layer, head) {
  const n = tokens.length, size = causal ? n * (n + 1) / 2 : n * n;
  let at = (layer * heads + head) * size;
  return tokens.map((_, row) => tokens.map((_, key) => causal && key > row ? 0 : bytes[at++] / steps));
}

/** Bytes from base64. */
export const unpacked = text => Uint8Array.from(atob(text), sign => sign.charCodeAt(0));

/** The `most` largest weights of a row as [key, weight], the largest first. */
export const largest = (row, most = 3) => row.map((weight, key) => [key, weight]).sort((a, b) => b[1] - a[1]).slice(0, most);

class AttentionExplorer extends Figure {
  start(data, stage) {
    styled();
    Object.assign(this, data, { view: "matrix" });
    for (const text of this.texts) text.bytes = unpacked(text.maps);
    const redraw = () => this.show();
    this.textChoice = choice({ label: "text", value: 0, options: this.texts.map(({ model, text }, place) => [place, `${this.models[model].name}: ${text}`]), change: place => { this.choose({ text: Number(place) }); redraw(); } });
    this.layers = h("div", {});
    this.heads = h("div", { class: "buttons heads", role: "group", "aria-label": "heads of this layer" });
    this.found = this.pointed.map(item => h("button", { type: "button", onclick: () => { this.choose(item); this.note = item.words; redraw(); } }, item.name));
    this.picture = h("div", {});
    this.words = h("p", { class: "say", role: "status" });
    stage.append(
      h("div", { class: "buttons" }, "heads to begin with", this.found),
      h("div", { class: "controls" }, this.textChoice,
        choice({ label: "view", value: "matrix", options: [["matrix", "matrix"], ["lines", "lines"]], change: view => { this.view = view; redraw(); } }), this.layers),
      this.heads, this.picture, this.words);
    this.picture.addEventListener("keydown", event => {
      const by = ARROWS[event.key];
      if (!by || !event.target.dataset.key) return;
      event.preventDefault();
      this.look(clamp(this.query + by[0] + by[1], 0, this.now.tokens.length - 1));
      this.picture.querySelector('[aria-checked="true"]').focus();
    });
    this.choose(this.pointed[0]);
    this.note = this.pointed[0].words;
  }

  /** Change text, layer, head, or query; what is not named stays as far as it can. */
  choose({ text = this.text, layer = this.layer, head = this.head, query }) {
    const before = this.now && this.now.model;
    this.text = text;
    this.now = this.texts[text];
    const model = this.model = this.models[this.now.model];
    this.layer = Math.min(layer, model.layers - 1);
    this.head = Math.min(head, model.heads - 1);
    this.query = query ?? Math.min(this.query, this.now.tokens.length - 1);
    this.note = "";
    this.textChoice.set(text);
    if (before !== this.now.model) {
      this.layerSlider = slider({ label: "layer", min: 0, max: model.layers - 1, step: 1, value: this.layer, change: to => { this.choose({ layer: to }); this.show(); } });
      this.layers.replaceChildren(this.layerSlider);
    } else this.layerSlider.set(this.layer);
  }

  look(query) {
    if (query === this.query) return;
    this.query = query;
    this.show();
  }

  map(head = this.head) {
    return weights(this.now, this.model, this.steps, this.layer, head);
  }

  draw() {
    const { tokens } = this.now, map = this.map(), row = map[this.query];
    keepFocus(this.heads, () => this.thumbnails());
    keepFocus(this.picture, () => this.picture.replaceChildren(this.view === "matrix" ? this.matrix(map) : this.lines(map)));
    this.found.forEach((button, place) => {
      const item = this.pointed[place];
      button.setAttribute("aria-pressed", this.texts[item.text].model === this.now.model && item.layer === this.layer && item.head === this.head);
    });
    const seen = largest(row).filter(([, weight]) => weight > 0.005).map(([key, weight]) => `“${tokens[key]}” ${number(weight)}`).join(", ");
    this.words.textContent = `${this.model.name}, layer ${this.layer}, head ${this.head}: “${tokens[this.query]}” (position ${this.query}) looks at ${seen}. ${this.note}`;
  }

  thumbnails() {
    const key = `${this.text} ${this.layer}`;
    if (this.thumbnailsOf !== key) {
      this.thumbnailsOf = key;
      this.heads.replaceChildren(...Array.from({ length: this.model.heads }, (_, head) => h("button",
        { type: "button", "data-key": head, "aria-label": `head ${head}`, onclick: () => { this.choose({ head }); this.show(); } },
        painted(this.map(head), weight => [0, 80, 130, 255 * Math.sqrt(weight)]), `head ${head}`)));
    }
    [...this.heads.children].forEach((button, head) => button.setAttribute("aria-pressed", head === this.head));
  }

  /** The label of a token that looks: one stop of the tab key for all of them, arrow keys from one to the next. */
  asks(place, row, ...children) {
    const chosen = place === this.query, { tokens } = this.now;
    const seen = largest(row, 2).map(([key, weight]) => `${tokens[key]} ${number(weight)}`).join(", ");
    return s("g", { role: "radio", "data-key": place, tabindex: chosen ? 0 : -1, "aria-checked": String(chosen), "aria-label": `${tokens[place]} looks at ${seen}`,
      onpointerenter: event => event.pointerType === "mouse" && this.look(place), onclick: () => this.look(place) }, ...children);
  }

  group(width, height, label, ...children) {
    const svg = drawing(width, height, label, ...children);
    svg.setAttribute("role", "radiogroup");
    return svg;
  }

  matrix(map) {
    const { tokens } = this.now, n = tokens.length, labels = 16 + 7 * Math.min(11, Math.max(...tokens.map(token => token.length)));
    const size = clamp(Math.floor((this.room - labels - 6) / n), 9, 30), letters = Math.min(13, size + 2), bars = 62, top = labels;
    const width = labels + n * size + 6, below = top + n * size, height = below + bars + 12;
    const row = map[this.query], x = key => labels + key * size, bar = below + bars;
    const rows = map.map((row, place) => this.asks(place, row,
      s("rect", { x: 0, y: top + place * size, width: width - 6, height: size, fill: "transparent" }),
      s("text", { x: labels - 6, y: top + (place + 0.5) * size + letters / 3, "text-anchor": "end", style: `font-size:${letters}px`, class: place === this.query ? "strong" : "" }, cut(tokens[place])),
      row.map((weight, key) => weight > 0 ? s("rect", { x: x(key) + 0.5, y: top + place * size + 0.5, width: size - 1, height: size - 1, class: "fill-1", "fill-opacity": Math.min(1, weight).toFixed(3) }) : "")));
    const marked = largest(row, 3).filter(([, weight]) => weight >= 0.1).map(([key]) => key);
    return this.group(width, height, `Map of ${n} tokens: rows look, columns are looked at. Choose the token that looks.`,
      tokens.map((token, key) => s("text", { x: x(key) + size / 2 + letters / 3, y: top - 6, transform: `rotate(-90 ${x(key) + size / 2 + letters / 3} ${top - 6})`, style: `font-size:${letters}px` }, cut(token))),
      s("rect", { x: labels, y: top, width: n * size, height: n * size, class: "grid" }),
      rows,
      s("rect", { x: labels, y: top + this.query * size, width: n * size, height: size, class: "frame", "pointer-events": "none" }),
      s("line", { x1: labels, x2: labels + n * size, y1: bar, y2: bar, class: "axis" }),
      s("text", { x: labels - 6, y: bar - 4, "text-anchor": "end", class: "small" }, "weights"),
      row.map((weight, key) => s("rect", { x: x(key) + 1, y: bar - 44 * weight, width: size - 2, height: Math.max(0, 44 * weight), class: "fill-2" })),
      marked.map(key => s("text", { x: x(key) + size / 2, y: bar - 44 * row[key] - 3, "text-anchor": "middle", class: "small" }, number(row[key]))));
  }

  lines(map) {
    const { tokens } = this.now, n = tokens.length, line = 23, labels = 90, numbers = 40;
    const width = Math.min(this.room, 460), left = labels, right = width - labels - numbers, y = place => 16 + (place + 0.5) * line;
    const row = map[this.query];
    return this.group(width, n * line + 24, `Lines from ${n} tokens on the left, which look, to the same tokens on the right. Choose the token that looks.`,
      s("text", { x: left - 8, y: 11, "text-anchor": "end", class: "small quiet" }, "looks"), s("text", { x: right + 8, y: 11, class: "small quiet" }, "looked at"),
      s("g", { "pointer-events": "none" }, map.flatMap((weights, place) => weights.map((weight, key) => place !== this.query && weight > 0.08
        ? s("line", { x1: left, y1: y(place), x2: right, y2: y(key), class: "line-1", style: `opacity:${(0.22 * weight).toFixed(3)}` }) : ""))),
      s("g", { "pointer-events": "none" }, row.map((weight, key) => weight > 0.003
        ? s("line", { x1: left, y1: y(this.query), x2: right, y2: y(key), class: "line-2", style: `stroke-width:${(0.6 + 7 * weight).toFixed(2)};opacity:${(0.3 + 0.7 * weight).toFixed(3)}` }) : "")),
      map.map((weights, place) => this.asks(place, weights,
        s("rect", { x: 0, y: y(place) - line / 2, width: left, height: line, fill: "transparent" }),
        s("text", { x: left - 8, y: y(place) + 4, "text-anchor": "end", class: place === this.query ? "strong" : "" }, cut(tokens[place])))),
      tokens.map((token, key) => [
        s("rect", { x: right + 4, y: y(key) - line / 2 + 2, width: labels + numbers - 6, height: line - 4, class: "fill-2", "fill-opacity": (0.45 * row[key]).toFixed(3) }),
        s("text", { x: right + 8, y: y(key) + 4 }, cut(token)),
        s("text", { x: width - 4, y: y(key) + 4, "text-anchor": "end", class: row[key] >= 0.1 ? "strong" : "quiet" }, number(row[key]))]).flat());
  }
}
customElements.define("ay-attention-explorer", AttentionExplorer);
