import { Figure, choice, drawing, h, number, s, slider, tick } from "./base.js";

/** What share of each input token is in each token after the given layers: maps [layer][head][query][key], first layer first. */
export function rollout(maps, own = 0.5) {
  const many = maps[0][0].length;
  let reached = Array.from({ length: many }, (_, t) => Array.from({ length: many }, (_, k) => Number(t === k)));
  for (const heads of maps) {
    const mixing = Array.from({ length: many }, (_, t) => {
      const row = Array.from({ length: many }, (_, k) => (1 - own) * heads.reduce((sum, map) => sum + map[t][k], 0) / heads.length + own * Number(t === k));
      const sum = row.reduce((a, b) => a + b);
      return row.map(share => share / sum);
    });
    reached = mixing.map(row => reached[0].map((_, k) => row.reduce((sum, share, between) => sum + share * reached[between][k], 0)));
  }
  return reached;
}

/** Bytes in base 64. */
export const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

/** One image's maps from bytes, [layer][head][query][key]; a byte of 255 is a weight of 1. */
export function mapsOf(bytes, [, layers, heads, many], image) {
  let at = image * layers * heads * many * many;
  return Array.from({ length: layers }, () => Array.from({ length: heads }, () => Array.from({ length: many }, () =>
    Array.from(bytes.subarray(at, at += many), byte => byte / 255))));
}

const GAP = 30;  // pixels between the two pictures

class PatchesAndRollout extends Figure {
  start(data, stage) {
    Object.assign(this, { data, digit: 0, patch: 24, layer: data.shape[1], head: "mean", whole: true, own: 0.5, from: "class" });
    this.bytes = bytesOf(data.maps);
    const heads = [["mean", "mean of all"], ...Array.from({ length: data.shape[2] }, (_, head) => [head, `head ${head}`])];
    const set = (name, convert = String) => value => { this[name] = convert(value); this.show(); };
    this.headChoice = choice({ label: "head", value: "mean", options: heads, change: set("head") });
    this.ownSlider = slider({ label: "share of the residual stream", min: 0, max: 0.95, step: 0.05, value: 0.5, show: value => number(value), change: set("own", Number) });
    stage.append(h("div", { class: "controls" },
      choice({ label: "digit", value: 0, options: data.digits.map(({ label }, place) => [place, label]), change: set("digit", Number) }),
      choice({ label: "who looks", value: "class", options: [["class", "class token"], ["patch", "the chosen patch"]], change: set("from") }),
      slider({ label: "layer", min: 1, max: data.shape[1], step: 1, value: this.layer, show: value => `${value} of ${data.shape[1]}`, change: set("layer", Number) }),
      tick({ label: "rollout: through all layers up to this one", value: true, change: set("whole", Boolean) }),
      this.headChoice, this.ownSlider),
    this.picture = h("div", {}), this.words = h("p", { class: "say", role: "status" }));
  }

  /** The shares of the patches, from the token that looks. */
  shares() {
    const maps = mapsOf(this.bytes, this.data.shape, this.digit).slice(0, this.layer), row = this.from === "class" ? 0 : this.patch + 1;
    if (this.whole) return rollout(maps, this.own)[row].slice(1);
    const heads = this.head === "mean" ? maps.at(-1) : [maps.at(-1)[this.head]];
    return heads[0][row].slice(1).map((_, k) => heads.reduce((sum, map) => sum + map[row][k + 1], 0) / heads.length);
  }

  draw() {
    const { side, patch: size, digits } = this.data, { label, named, pixels } = digits[this.digit], ink = bytesOf(pixels), wide = side * size;
    this.headChoice.hidden = this.whole;
    this.ownSlider.hidden = !this.whole;
    const panel = Math.min(300, Math.floor((this.room - GAP) / 2)), dot = panel / wide, cell = panel / side, shares = this.shares(), most = Math.max(...shares);
    const digit = left => Array.from(ink).flatMap((value, place) => value < 8 ? [] : [s("rect", { x: left + (place % wide) * dot, y: Math.floor(place / wide) * dot, width: dot + 0.3, height: dot + 0.3, fill: `rgb(127 127 127 / ${value / 255})` })]);
    const grid = [], right = panel + GAP;
    for (let place = 0; place < side * side; place++) {
      const x = place % side * cell, y = Math.floor(place / side) * cell;
      grid.push(s("rect", { x: right + x, y, width: cell, height: cell, style: `fill: var(--ay-2); fill-opacity: ${(0.8 * shares[place] / most).toFixed(3)}` }));
      grid.push(s("rect", { x, y, width: cell, height: cell, fill: "transparent", class: "grid", onclick: () => { this.patch = place; this.show(); } }));
    }
    const column = this.patch % side, row = Math.floor(this.patch / side);
    const chosen = s("rect", { x: column * cell, y: row * cell, width: cell, height: cell, class: "line-1 handle", "stroke-width": 3, style: "fill: transparent", tabindex: 0, role: "slider",
      "aria-label": "chosen patch", "aria-valuemin": 0, "aria-valuemax": side * side - 1, "aria-valuenow": this.patch, "aria-valuetext": `patch ${this.patch}, row ${row}, column ${column}` });
    chosen.addEventListener("keydown", event => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -side, ArrowDown: side }[event.key];
      if (!by) return;
      event.preventDefault();
      this.patch = Math.min(side * side - 1, Math.max(0, this.patch + by));
      this.show();
      this.picture.querySelector(".handle").focus();
    });
    const inside = Array.from({ length: size * size }, (_, place) => ink[(row * size + Math.floor(place / size)) * wide + column * size + place % size]);
    this.picture.replaceChildren(drawing(this.room, panel + 24, `A handwritten ${label} cut into ${side} by ${side} patches, and the same digit with the shares of its patches in orange.`,
      ...digit(0), ...digit(right), ...grid, chosen,
      s("text", { x: 0, y: panel + 18 }, `${side * side} patches`), s("text", { x: right, y: panel + 18 }, this.whole ? "rollout" : "attention")));
    this.picture.firstChild.setAttribute("role", "group");
    const blank = shares.reduce((sum, share, place) => {
      const [r, c] = [Math.floor(place / side), place % side];
      const empty = Array.from({ length: size * size }, (_, at) => ink[(r * size + Math.floor(at / size)) * wide + c * size + at % size]).every(value => value < 8);
      return sum + (empty ? share : 0);
    }, 0) / shares.reduce((a, b) => a + b);
    this.words.textContent = `Patch ${this.patch} (row ${row}, column ${column}) is the vector ${inside.map(value => number(value / 255, 1)).join(", ")}. It gets ${number(100 * shares[this.patch], 1)}\u00a0% of the weight; the patch that gets most has ${number(100 * most, 1)}\u00a0%. `
      + `Patches without ink get ${number(100 * blank, 0)}\u00a0% of what goes to patches. The model calls this digit a ${named}.`;
  }
}
customElements.define("ay-patches-and-rollout", PatchesAndRollout);
