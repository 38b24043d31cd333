import { Figure, h, number, slider } from "./base.js";
import { bytes, plot, power, short } from "./plot.js";

/** FLOPs of one layer's forward pass over n tokens at width d, feed-forward 4d: what passes through weights, and attention's own products. */
export const layerFlops = (n, d) => ({ weights: 24 * n * d * d, attention: 4 * n * n * d });

/** Bytes of one layer in 32 bits: every head's scores at once, one block of `block` by `block` scores a head, and the cache of keys and values. */
export const layerBytes = (n, d, heads, block = 128) => ({
  scores: 4 * heads * n * n, block: 4 * heads * Math.min(n, block) ** 2, cache: 4 * 2 * n * d });

const LENGTHS = Array.from({ length: 61 }, (_, place) => 10 ** (1 + place / 10));

class CostByLength extends Figure {
  start(data, stage) {
    Object.assign(this, { length: 3.3, width: 9, perHead: 64 });
    stage.append(
      h("div", { class: "controls" },
        slider({ label: "tokens n", min: 1, max: 7, step: 0.05, value: this.length, show: value => short(Math.round(10 ** value)), change: value => { this.length = value; this.show(); } }),
        slider({ label: "width d", min: 6, max: 14, step: 1, value: this.width, show: value => String(2 ** value), change: value => { this.width = value; this.show(); } })),
      this.picture = h("div", {}), this.words = h("p", { class: "say", role: "status" }));
  }

  draw() {
    const n = Math.round(10 ** this.length), d = 2 ** this.width, heads = d / this.perHead;
    const wide = this.room >= 560, width = wide ? this.room / 2 - 6 : this.room;
    const x = { label: "tokens", domain: [10, 1e7], log: true };
    const time = plot({ width, height: 270, label: `FLOPs of one layer against tokens; the weights' part grows evenly, attention's with the square; they cross at ${6 * d} tokens.`,
      x, y: { label: "FLOPs of one layer", domain: [layerFlops(10, d).attention / 2, layerFlops(1e7, d).attention * 2], log: true, show: power } });
    time.curve(LENGTHS.map(of => [of, layerFlops(of, d).weights]), "line-1");
    time.curve(LENGTHS.map(of => [of, layerFlops(of, d).attention]), "line-2", "7 4");
    time.dot(n, layerFlops(n, d).weights, 1);
    time.dot(n, layerFlops(n, d).attention, 2);
    time.text(1.4e1, layerFlops(1000, d).weights, "weights");
    time.text(1.2e6, layerFlops(3e6, d).attention, "attention", "end");
    const memory = plot({ width, height: 270, label: "Bytes of one layer against tokens: all scores grow with the square, the cache evenly, a block of scores not at all.",
      x, y: { label: "memory of one layer", domain: [1e3, layerBytes(1e7, d, heads).scores * 2], log: true, show: bytes } });
    for (const [key, kind, dashes] of [["cache", "line-1"], ["scores", "line-2", "7 4"], ["block", "line-3", "2 4"]]) {
      memory.curve(LENGTHS.map(of => [of, layerBytes(of, d, heads)[key]]), kind, dashes);
      memory.dot(n, layerBytes(n, d, heads)[key], kind.slice(-1));
    }
    memory.text(1e6, layerBytes(2.5e6, d, heads).scores, "all scores", "end");
    memory.text(9e6, layerBytes(9e6, d, heads).cache / 1e4, "keys and values", "end");
    memory.text(9e6, layerBytes(9e6, d, heads).block / 60, "blockwise: one block", "end");
    time.svg.style.display = memory.svg.style.display = "inline-block";
    this.picture.replaceChildren(time.svg, " ", memory.svg);
    const flops = layerFlops(n, d), held = layerBytes(n, d, heads);
    this.words.textContent = `${n.toLocaleString("en-US")} tokens at width ${d} (${heads} heads of ${this.perHead}): attention's own products are ${number(100 * flops.attention / (flops.attention + flops.weights), 1)} % of the arithmetic; half is reached at n = 6d = ${(6 * d).toLocaleString("en-US")}. `
      + `All scores of one layer take ${bytes(held.scores)}, one block of 128 by 128 for each head ${bytes(held.block)}, keys and values ${bytes(held.cache)}.`;
  }
}
customElements.define("ay-cost-by-length", CostByLength);
