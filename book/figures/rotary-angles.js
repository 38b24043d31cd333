import { Figure, drawing, h, number, s, slider, table } from "./base.js";
import { clamp, styled } from "./grids.js";
import { plot } from "./plot.js";
import { contributions, frequencies, rotary } from "./waves.js";

export { contributions, rotary } from "./waves.js";

const MOST = 60, total = values => values.reduce((a, b) => a + b, 0);  // the last place
const degrees = angle => number(angle * 180 / Math.PI, 1);

class RotaryAngles extends Figure {
  start(data, stage) {
    styled();
    Object.assign(this, data, { from: data.places[0], to: data.places[1], together: 0 });
    const tune = (label, min, max, value, change) => slider({ label, min, max, step: 1, value, change: to => { change(to); this.show(); } });
    this.pictures = h("div", { class: "pictures" });
    this.table = h("div", { class: "wide" });
    this.words = h("p", { class: "say", role: "status" });
    stage.append(h("div", { class: "controls" },
      tune("query position", 0, MOST, this.from, to => { this.from = to; }),
      tune("key position", 0, MOST, this.to, to => { this.to = to; }),
      tune("move both", 0, 100, 0, to => { this.together = to; }),
      slider({ label: "base", min: 1, max: 6, step: 0.1, value: Math.log10(this.base), show: value => Math.round(10 ** value).toLocaleString("en-US"), change: value => { this.base = Math.round(10 ** value); this.show(); } })),
    this.pictures, this.table, this.words);
  }

  draw() {
    const wide = this.room >= 600, size = wide ? Math.floor(this.room / 2 - 14) : this.room;
    const from = this.from + this.together, to = this.to + this.together, parts = contributions(this.query, this.key, from, to, this.base), score = total(parts);
    const far = Array.from({ length: 2 * MOST + 1 }, (_, place) => place - MOST), curve = far.map(difference => [difference, total(contributions(this.query, this.key, difference, 0, this.base))]);
    const most = Math.max(...curve.map(([, value]) => Math.abs(value))) * 1.12;
    const drawn = plot({ width: size, height: 280, label: `Score against the difference of the positions; at ${from - to} it is ${number(score, 3)}.`,
      x: { label: "position of query − position of key", domain: [-MOST, MOST], ticks: [-60, -30, 0, 30, 60] }, y: { label: "score", domain: [-most, most], ticks: [-12, -8, -4, 0, 4, 8, 12].filter(value => Math.abs(value) < most) } });
    drawn.curve(curve, "line-1");
    drawn.dot(from - to, score, 2);
    drawn.text(from - to + (from > to + 25 ? -3 : 3), score, number(score, 3), from > to + 25 ? "end" : "start");
    this.pictures.replaceChildren(
      h("div", {}, h("p", { class: "panel-title" }, "Each pair turns with its position"), this.clocks(size, from, to, parts)),
      h("div", {}, h("p", { class: "panel-title" }, "The score, by difference"), drawn.svg));
    const theta = frequencies(this.query.length, this.base);
    this.table.replaceChildren(table("Angles of the pairs in degrees, and what each adds to the score", ["pair", `query at ${from}`, `key at ${to}`, "difference", "adds to the score"],
      parts.map((part, j) => [String(j), ...[from, to, from - to].map(place => degrees(place * theta[j])), number(part, 3)])));
    this.words.textContent = `Query at position ${from}, key at position ${to}: the score is ${number(score, 3)}. `
      + (this.together ? `Both were moved on by ${this.together}: the hands have turned, and the score is that of positions ${from - this.together} and ${to - this.together}.` : "Move both on: the hands turn, the score stays. Move one of them: the score changes.");
  }

  clocks(size, from, to, parts) {
    const q = rotary(this.query, from, this.base), k = rotary(this.key, to, this.base), longest = Math.max(...parts.flatMap((_, j) => [Math.hypot(q[2 * j], q[2 * j + 1]), Math.hypot(k[2 * j], k[2 * j + 1])]));
    const cell = size / 2, radius = clamp(cell / 2 - 16, 30, 52), line = 2 * radius + 34, height = 2 * line;
    const hand = (x, y, [a, b], kind, name) => {
      const to = [x + radius * a / longest, y - radius * b / longest], length = Math.hypot(a, b) || 1;
      return [s("line", { x1: x, y1: y, x2: to[0], y2: to[1], class: kind }), s("circle", { cx: to[0], cy: to[1], r: 4, class: kind.replace("line", "fill") }),
        s("text", { x: to[0] + 11 * a / length, y: to[1] - 11 * b / length + 4, "text-anchor": "middle", class: "small strong" }, name)];
    };
    return drawing(size, height, `Four pairs as clocks, the query's hand and the key's hand in each; pair 0 turns fastest.`,
      parts.map((_, j) => {
        const x = (j % 2 + 0.5) * cell, y = Math.floor(j / 2) * line + radius + 14;
        return [s("circle", { cx: x, cy: y, r: radius, class: "grid" }), ...hand(x, y, [q[2 * j], q[2 * j + 1]], "line-2", "q"), ...hand(x, y, [k[2 * j], k[2 * j + 1]], "line-1", "k"),
          s("text", { x: x - cell / 2 + 4, y: y - radius + 4, class: "small quiet" }, `pair ${j}`)];
      }).flat());
  }
}
customElements.define("ay-rotary-angles", RotaryAngles);
