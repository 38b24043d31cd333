import { Figure, choice, drawing, h, number, s, scale, slider } from "./base.js";

/** Shares of scores at a temperature; counts says how many equal scores each stands for. Temperature 0 gives all to the first largest. */
export function softmax(scores, temperature, counts = scores.map(() => 1)) {
  const largest = Math.max(...scores);
  if (temperature === 0) return scores.map((_, place) => Number(place === scores.indexOf(largest)));
  const parts = scores.map((score, place) => counts[place] * Math.exp((score - largest) / temperature));
  const sum = parts.reduce((a, b) => a + b);
  return parts.map(part => part / sum);
}

/** Entropy in bits of shares, each divided equally among its count. */
export const entropy = (shares, counts = shares.map(() => 1)) =>
  shares.reduce((sum, share, place) => sum - (share > 0 ? share * Math.log2(share / counts[place]) : 0), 0);

const OWN = { text: "four scores of your own", tokens: ["a", "b", "c", "d"], scores: [3, 2, 1, 0], rest: [] };
const LEFT = 84, NOTE = 130, ROW = 26;  // pixels: the names, the numbers behind the bars, a line

class SoftmaxTemperature extends Figure {
  start(data, stage) {
    this.texts = [...data.texts, OWN];
    this.now = this.texts[0];
    this.temperature = 1;
    this.picture = h("div", {});
    this.words = h("p", { class: "say", role: "status" });
    const own = h("div", { class: "controls" }, OWN.scores.map((score, place) => slider({
      label: `score ${OWN.tokens[place]}`, min: -5, max: 5, step: 0.1, value: score, show: value => number(value, 1),
      change: value => { OWN.scores[place] = value; this.show(); } })));
    own.hidden = true;
    const controls = h("div", { class: "controls" },
      choice({ label: "scores", value: 0, options: this.texts.map((item, place) => [place, place < data.texts.length ? `SmolLM2 after “${item.text}”` : item.text]),
        change: place => { this.now = this.texts[place]; own.hidden = this.now !== OWN; this.show(); } }),
      slider({ label: "temperature", min: 0, max: 3, step: 0.05, value: 1, show: value => number(value), change: value => { this.temperature = value; this.show(); } }));
    stage.append(controls, own, this.picture, this.words);
  }

  draw() {
    const { tokens, scores, rest } = this.now;
    const counts = [...scores.map(() => 1), ...rest.map(([, many]) => many)];
    const all = softmax([...scores, ...rest.map(([score]) => score)], this.temperature, counts);
    const shares = all.slice(0, scores.length), others = all.slice(scores.length).reduce((a, b) => a + b, 0);
    const rows = tokens.map((token, place) => [token.trim() || "␣", shares[place], scores[place]]);
    if (rest.length) rows.push(["all others", others, null]);
    const x = scale([0, 1], [LEFT, this.room - NOTE]), height = ROW * rows.length + 4;
    const bars = rows.flatMap(([token, share, score], place) => {
      const y = 4 + place * ROW;
      return [s("text", { x: LEFT - 8, y: y + 15, "text-anchor": "end" }, token),
        s("rect", { x: LEFT, y, width: Math.max(x(share) - LEFT, 0.5), height: 20, class: score === null ? "fill-4" : "fill-1" }),
        s("text", { x: x(share) + 6, y: y + 15 }, `${number(100 * share, 1)} %` + (score === null ? "" : `   (score ${number(score, 1)})`))];
    });
    const bits = entropy(all, counts), best = shares.indexOf(Math.max(...shares));
    this.picture.replaceChildren(drawing(this.room, height, `Shares of ${rows.length} tokens as bars; the largest is ${rows[best][0]} with ${number(100 * shares[best], 1)} percent.`,
      s("line", { x1: LEFT, y1: 0, x2: LEFT, y2: height, class: "axis" }), ...bars));
    this.words.textContent = (this.temperature === 0 ? "At temperature 0 the best takes all: greedy." : `At temperature ${number(this.temperature)} “${rows[best][0]}” has ${number(100 * shares[best], 1)} %.`)
      + ` The uncertainty is ${number(bits)} bits: as much as ${number(2 ** bits, 1)} equally likely tokens.`;
  }
}
customElements.define("ay-softmax-temperature", SoftmaxTemperature);
