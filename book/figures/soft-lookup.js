import { Figure, draggable, drawing, h, number, s, scale, slider, table } from "./base.js";
import { clamp, dot, mix, softmax, styled } from "./grids.js";

/** Scores, weights and the mixed value of a query; scores are multiplied by `factor` before the softmax. */
export function lookUp(query, keys, values, factor = 1) {
  const scores = keys.map(key => factor * dot(key, query)), weights = softmax(scores);
  return { scores, weights, answer: mix(weights, values) };
}

/** The place of the key that equals the query, as a dictionary looks for it; −1 where there is none. */
export const exact = (query, keys) => keys.findIndex(key => key.every((value, axis) => Math.abs(value - query[axis]) < 1e-9));

const LOW = -1, HIGH = 3, STEP = 0.1;  // of the plane, in units of "round" and "citrus skin"
const EDGE = { left: 44, right: 14, top: 14, bottom: 44 };  // pixels: both axes equally long
const COLOURS = [1, 3, 4];

class SoftLookup extends Figure {
  start(data, stage) {
    styled();
    Object.assign(this, data, { query: [...data.query], factor: 1 });
    this.scores = h("div", { class: "wide" });
    this.words = h("p", { class: "say", role: "status" });
    this.pictures = h("div", { class: "pictures" });
    const go = query => { this.query = [...query]; this.show(); };
    stage.append(
      h("div", { class: "controls" }, slider({ label: "sharpness: scores times", min: 0, max: 5, step: 0.1, value: 1, show: value => number(value, 1), change: value => { this.factor = value; this.show(); } })),
      h("div", { class: "buttons" }, "put the query on", h("button", { type: "button", onclick: () => go(data.query) }, "orange"),
        this.names.map((name, place) => h("button", { type: "button", onclick: () => go(this.keys[place]) }, name))),
      this.pictures, this.scores, this.words);
  }

  /** A plane with two axes: its scales, and its drawing with what stands on it. */
  plane(size, domain, names, label, ticks, children) {
    const x = scale(domain, [EDGE.left, size - EDGE.right]), y = scale(domain, [size - EDGE.bottom, EDGE.top]);
    const svg = drawing(size, size, label,
      ticks.map(value => [
        s("line", { x1: x(value), x2: x(value), y1: EDGE.top, y2: size - EDGE.bottom, class: value === 0 ? "axis" : "grid" }),
        s("line", { y1: y(value), y2: y(value), x1: EDGE.left, x2: size - EDGE.right, class: value === 0 ? "axis" : "grid" }),
        s("text", { x: x(value), y: size - EDGE.bottom + 16, "text-anchor": "middle", class: "quiet" }, number(value, 0)),
        s("text", { x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end", class: "quiet" }, number(value, 0))]).flat(),
      s("text", { x: (EDGE.left + size - EDGE.right) / 2, y: size - 5, "text-anchor": "middle" }, names[0]),
      s("text", { x: 12, y: size / 2 - 12, "text-anchor": "middle", transform: `rotate(-90 12 ${size / 2 - 12})` }, names[1]),
      children(x, y));
    svg.setAttribute("role", "group");  // what stands on it can be focused
    return svg;
  }

  /** Names `away` from their points, to the left where there is no room on the right, and on request below. */
  name(x, y, text, size, { away = 10, below = false } = {}) {
    const left = x > size - 90;
    return s("text", { x: x + (left ? -away : away), y: below ? y + 19 : y - 9, "text-anchor": left ? "end" : "start" }, text);
  }

  make() {
    const size = Math.min(this.room, this.room >= 580 ? Math.floor(this.room / 2 - 14) : 340);
    this.made = this.drawn;
    this.ask = this.plane(size, [LOW, HIGH], ["round", "citrus skin"], "Keys and the query: round across, citrus skin upward.", [-1, 0, 1, 2, 3], (x, y) => {
      this.lines = this.keys.map((_, place) => s("line", { class: `line-${COLOURS[place]}` }));
      const dots = this.keys.flatMap(([round, skin], place) => [s("circle", { cx: x(round), cy: y(skin), r: 6, class: `fill-${COLOURS[place]}` }), this.name(x(round), y(skin), this.names[place], size, { below: skin === 0 })]);
      this.handle = s("circle", { r: 11, class: "fill-2", stroke: "var(--ay-paper)", "stroke-width": 2 });
      this.handleName = s("text", { class: "strong", "text-anchor": "middle" }, "query");
      this.put = () => {
        const at = [x(this.query[0]), y(this.query[1])];
        this.lines.forEach((line, place) => { for (const [key, value] of Object.entries({ x1: at[0], y1: at[1], x2: x(this.keys[place][0]), y2: y(this.keys[place][1]) })) line.setAttribute(key, value); });
        this.handle.setAttribute("cx", at[0]);
        this.handle.setAttribute("cy", at[1]);
        this.handleName.setAttribute("x", clamp(at[0], EDGE.left + 20, size - 34));
        this.handleName.setAttribute("y", at[1] > size - EDGE.bottom - 24 ? at[1] - 17 : at[1] + 26);
      };
      const unit = x(1) - x(0);
      const back = value => clamp(Math.round(value / STEP) * STEP, LOW, HIGH);
      draggable(this.handle, {
        label: "the query, round across and citrus skin upward", step: unit * STEP,
        position: () => [x(this.query[0]), y(this.query[1])],
        words: () => `round ${number(this.query[0], 1)}, citrus skin ${number(this.query[1], 1)}`,
        move: (px, py) => { this.query = [back(LOW + (px - x(LOW)) / unit), back(LOW + (y(LOW) - py) / unit)]; this.show(); } });
      return [this.lines, dots, this.handleName, this.handle].flat();
    });
    this.mixed = this.plane(size, [0, 10], ["sweet", "sour"], "", [0, 5, 10], (x, y) => {
      this.corners = this.values.map(([sweet, sour], place) => s("circle", { cx: x(sweet), cy: y(sour), class: `fill-${COLOURS[place]}`, "fill-opacity": 0.75 }));
      this.mark = s("path", { class: "fill-2", stroke: "var(--ay-paper)", "stroke-width": 1.5 });
      this.markName = s("text", { class: "strong" }, "answer");
      this.mixAt = ([sweet, sour]) => {
        const px = x(sweet), py = y(sour);
        this.mark.setAttribute("d", `M${px},${py - 10}L${px + 10},${py}L${px},${py + 10}L${px - 10},${py}Z`);
        this.markName.setAttribute("x", px + 14);
        this.markName.setAttribute("y", py + 16);
      };
      return [s("polygon", { points: this.values.map(([sweet, sour]) => `${x(sweet)},${y(sour)}`).join(" "), class: "fill-1", "fill-opacity": 0.12 }),
        this.corners, this.values.map(([sweet, sour], place) => this.name(x(sweet), y(sour), this.names[place], size, { away: 17 })), this.mark, this.markName].flat();
    });
    this.mixed.setAttribute("role", "img");
    this.pictures.replaceChildren(
      h("div", {}, h("p", { class: "panel-title" }, "Keys: move the query"), this.ask),
      h("div", {}, h("p", { class: "panel-title" }, "Values: the answer is their mix"), this.mixed));
  }

  draw() {
    if (this.made !== this.drawn) this.make();
    const { scores, weights, answer } = lookUp(this.query, this.keys, this.values, this.factor), found = exact(this.query, this.keys);
    this.put();
    this.lines.forEach((line, place) => { line.style.strokeWidth = 0.5 + 9 * weights[place]; line.style.opacity = 0.25 + 0.65 * weights[place]; });
    this.corners.forEach((corner, place) => corner.setAttribute("r", 4 + 12 * Math.sqrt(weights[place])));
    this.mixAt(answer);
    this.handle.setAttribute("aria-valuetext", `round ${number(this.query[0], 1)}, citrus skin ${number(this.query[1], 1)}`);
    const pair = values => `(${values.map(value => number(value, Number.isInteger(value) ? 0 : 1)).join(", ")})`;
    this.mixed.setAttribute("aria-label", `Values of the three fruits as a triangle, sweet across and sour upward; the answer stands inside at sweet ${number(answer[0], 1)}, sour ${number(answer[1], 1)}.`);
    this.scores.replaceChildren(table(`Query ${pair(this.query)}`, ["key", "score", "weight", "value"],
      this.names.map((name, place) => [`${name} ${pair(this.keys[place])}`, number(scores[place]), number(weights[place]), pair(this.values[place])])));
    const best = weights.indexOf(Math.max(...weights)), level = weights.every(weight => Math.abs(weight - weights[0]) < 1e-9);
    this.words.textContent = `The soft look-up answers sweet ${number(answer[0], 1)}, sour ${number(answer[1], 1)}: `
      + (level ? "all three values alike. " : `${number(100 * weights[best], 0)} % of it is ${this.names[best]}. `)
      + (found < 0 ? "The dictionary has no such key." : `The dictionary answers ${pair(this.values[found])}, the value of ${this.names[found]} alone.`);
  }
}
customElements.define("ay-soft-lookup", SoftLookup);
