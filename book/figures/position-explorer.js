import { Figure, drawing, h, number, s, scale, slider } from "./base.js";
import { onTheme, painted, rgb, styled } from "./grids.js";
import { plot, short } from "./plot.js";
import { encoding, frequencies, similarity } from "./waves.js";

export { encoding, frequencies, moved, similarity } from "./waves.js";

const PLACES = 100, FAR = 60, LEFT = 42, BOTTOM = 40, STRINGS = 4;  // rows of the map, the largest shift, pixels, waves that are drawn

/** Evenly spread pairs, from the fastest to the slowest: at most `most` of `all`. */
export const spread = (all, most) => Array.from({ length: Math.min(all, most) }, (_, place) => Math.round(place * (all - 1) / Math.max(1, Math.min(all, most) - 1)));

class PositionExplorer extends Figure {
  start(data, stage) {
    styled();
    Object.assign(this, data);
    const tune = (label, key, min, max, step, value, show, change = to => to) => slider({ label, min, max, step, value, show: to => show(change(to)), change: to => { this[key] = change(to); this.show(); } });
    this.pictures = h("div", { class: "pictures" });
    this.words = h("p", { class: "say", role: "status" });
    stage.append(h("div", { class: "controls" },
      tune("base", "base", 1, 6, 0.1, Math.log10(this.base), value => Math.round(value).toLocaleString("en-US"), value => Math.round(10 ** value)),
      tune("width d", "width", 2, 128, 2, this.width, String),
      tune("position p", "place", 0, PLACES - 1, 1, this.place, String),
      tune("shift k", "shift", -FAR, FAR, 1, this.shift, value => number(value, 0))), this.pictures, this.words);
    onTheme(() => this.show());
  }

  draw() {
    const wide = this.room >= 600, size = wide ? Math.floor(this.room / 2 - 14) : this.room, other = this.place + this.shift;
    this.pictures.replaceChildren(
      this.panel("The rows: a position each", this.map(size, other)),
      this.panel("The same turn from every position", this.clocks(size, other)),
      this.panel("Waves from treble to bass", this.strings(size, other)),
      this.panel("Similarity by distance", this.fall(size)));
    const theta = frequencies(this.width, this.base), slowest = 2 * Math.PI / theta[theta.length - 1];
    this.words.textContent = `Positions ${this.place} and ${number(other, 0)}: similarity ${number(similarity(this.shift, this.width, this.base))}, the same for any two positions ${Math.abs(this.shift)} apart. `
      + `The ${theta.length} ${theta.length === 1 ? "wave repeats" : "waves repeat"} after 6.3${theta.length > 1 ? ` to ${Math.round(slowest).toLocaleString("en-US")}` : ""} tokens.`;
  }

  panel(title, drawn) {
    return h("div", {}, h("p", { class: "panel-title" }, title), drawn);
  }

  map(size, other) {
    const height = 250, inner = height - BOTTOM - 6, y = scale([0, PLACES], [6, 6 + inner]);
    const blue = rgb("--ay-1"), red = rgb("--ay-2");
    const rows = Array.from({ length: PLACES }, (_, place) => encoding(place, this.width, this.base));
    const canvas = painted(rows, value => [...(value < 0 ? blue : red), 255 * Math.abs(value)]);
    const mark = (place, kind, name) => place < 0 || place >= PLACES ? [] : [
      s("rect", { x: LEFT, y: y(place) - 0.5, width: size - LEFT - 34, height: inner / PLACES + 1, class: kind, style: "stroke-width:1.5" }),
      s("text", { x: size - 30, y: y(place) + 5, class: "strong" }, name)];
    return drawing(size, height, `${PLACES} rows of ${this.width} numbers between −1 and 1; columns on the left change quickly from row to row, columns on the right slowly.`,
      s("image", { href: canvas.toDataURL(), x: LEFT, y: 6, width: size - LEFT - 34, height: inner, preserveAspectRatio: "none" }),
      [0, 25, 50, 75].map(place => s("text", { x: LEFT - 6, y: y(place) + 9, "text-anchor": "end", class: "quiet" }, place)),
      mark(this.place, "line-3", "p"), this.shift ? mark(other, "line-3", "p+k") : "",
      s("text", { x: 12, y: 6 + inner / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${6 + inner / 2})` }, "position"),
      s("text", { x: LEFT, y: height - 24, class: "quiet" }, "0"), s("text", { x: size - 34, y: height - 24, "text-anchor": "end", class: "quiet" }, this.width - 1),
      s("text", { x: (LEFT + size - 34) / 2, y: height - 24, "text-anchor": "middle" }, "column"),
      s("rect", { x: LEFT, y: height - 14, width: 12, height: 12, class: "fill-1" }), s("text", { x: LEFT + 17, y: height - 4 }, "−1"),
      s("rect", { x: LEFT + 48, y: height - 14, width: 12, height: 12, class: "fill-2" }), s("text", { x: LEFT + 65, y: height - 4 }, "+1"));
  }

  clocks(size, other) {
    const pairs = spread(this.width / 2, 6), theta = frequencies(this.width, this.base), across = 3, cell = size / across, radius = Math.min(42, cell / 2 - 12);
    const height = Math.ceil(pairs.length / across) * (2 * radius + 44);
    const hand = (x, y, angle, kind, dashes) => [
      s("line", { x1: x, y1: y, x2: x + radius * Math.sin(angle), y2: y - radius * Math.cos(angle), class: kind, "stroke-dasharray": dashes }),
      s("circle", { cx: x + radius * Math.sin(angle), cy: y - radius * Math.cos(angle), r: 4, class: kind.replace("line", "fill") })];
    return drawing(size, height, `Clocks of ${pairs.length} pairs: from the hand of position ${this.place} to that of position ${other} each turns by the shift times its frequency.`,
      pairs.map((j, place) => {
        const x = (place % across + 0.5) * cell, y = Math.floor(place / across) * (2 * radius + 44) + radius + 6;
        const turn = this.shift * theta[j] * 180 / Math.PI % 360;
        return [s("circle", { cx: x, cy: y, r: radius, class: "grid" }), ...hand(x, y, this.place * theta[j], "line-1"), ...hand(x, y, other * theta[j], "line-2", "4 3"),
          s("text", { x, y: y + radius + 17, "text-anchor": "middle", class: "small" }, `pair ${j}: ${number(turn, Math.abs(turn) < 10 ? 1 : 0)}°`)];
      }).flat(),
      s("text", { x: 2, y: height - 3, class: "small quiet" }, "solid: p; dashed: p+k; below: the turn between them"));
  }

  strings(size, other) {
    const pairs = spread(this.width / 2, STRINGS), theta = frequencies(this.width, this.base), line = 54, x = scale([0, PLACES], [10, size - 16]);
    const height = pairs.length * line + 34;
    const children = pairs.map((j, string) => {
      const y = scale([-1, 1], [(string + 1) * line - 2, string * line + 18]);
      const points = Array.from({ length: 401 }, (_, step) => `${x(step / 4).toFixed(1)},${y(Math.sin(step / 4 * theta[j])).toFixed(1)}`).join(" ");
      const dot = (place, kind) => place < 0 || place > PLACES ? [] : [s("circle", { cx: x(place), cy: y(Math.sin(place * theta[j])), r: 5, class: kind, stroke: "var(--ay-paper)" })];
      return [s("polyline", { points, class: "axis" }), ...dot(this.place, "fill-1"), ...(this.shift ? dot(other, "fill-2") : []),
        s("text", { x: 10, y: string * line + 12, class: "small" }, `pair ${j}: repeats after ${short(2 * Math.PI / theta[j])} tokens`)];
    }).flat();
    return drawing(size, height, `Sine waves of ${pairs.length} pairs over ${PLACES} positions, from fast to slow, with dots at both positions.`, children,
      [0, 25, 50, 75, 100].map(place => s("text", { x: x(place), y: height - 20, "text-anchor": "middle", class: "quiet" }, place)),
      s("text", { x: size / 2, y: height - 4, "text-anchor": "middle" }, "position"));
  }

  fall(size) {
    const drawn = plot({ width: size, height: 250, label: `Similarity against distance: 1 at distance 0, ${number(similarity(this.shift, this.width, this.base))} at the shift.`,
      x: { label: "distance (tokens)", domain: [0, PLACES], ticks: [0, 25, 50, 75, 100] }, y: { label: "similarity", domain: [-1, 1.05], ticks: [-1, -0.5, 0, 0.5, 1] } });
    drawn.curve(Array.from({ length: 401 }, (_, step) => [step / 4, similarity(step / 4, this.width, this.base)]), "line-1");
    const distance = Math.abs(this.shift), value = similarity(distance, this.width, this.base);
    drawn.dot(distance, value, 2);
    drawn.text(distance + 2, value, `${number(value)} at ${distance}`);
    return drawn.svg;
  }
}
customElements.define("ay-position-explorer", PositionExplorer);
