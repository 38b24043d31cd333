import { Figure, choice, drawing, h, number, s, slider, table, tick } from "./base.js";
import { bytes, power, short } from "./plot.js";

const MAP = (from, to) => from * to + to;  // a linear map with its bias

/** Parameters by part of a Transformer of this shape: the fields of the library's TransformerConfig. */
export function count(c) {
  const d = c.d_model, stacks = c.kind === "encoder_decoder" ? 2 : 1;
  const crossed = stacks === 2 ? c.n_layers : 0;
  const norms = stacks * c.n_layers * 2 + crossed + Number(c.embedding_norm) + Number(c.final_norm);
  return {
    "token embeddings": c.vocab_size * d,
    "positions and segments": (c.max_len + c.n_segments) * d,
    "attention": (stacks * c.n_layers + crossed) * 4 * MAP(d, d),
    "feed-forward": stacks * c.n_layers * (MAP(d, c.d_ff) + MAP(c.d_ff, d)),
    "norms and pooler": norms * 2 * d + (c.pooler ? MAP(d, d) : 0),
    "head": c.tied ? 0 : c.vocab_size * d,
  };
}

export const total = parts => Object.values(parts).reduce((a, b) => a + b);

/** FLOPs of a training run: six for each parameter and token. */
export const trainingFlops = (parameters, tokens) => 6 * parameters * tokens;

/** Bytes of keys and values that generation keeps for each token, in 16 bits. */
export const cacheBytes = c => 2 * c.n_layers * c.d_model * 2;

/** Seconds in words. */
export function duration(seconds) {
  const [unit, name] = [[3.156e7, "years"], [86400, "days"], [3600, "hours"], [60, "minutes"], [1, "seconds"]].find(([unit]) => seconds >= unit) || [1, "seconds"];
  return `${Number((seconds / unit).toPrecision(2)).toLocaleString("en-US")} ${name}`;
}

const FIELDS = [["vocab_size", "vocabulary", 1, 300000], ["d_model", "width d_model", 1, 20000], ["n_layers", "layers of one stack", 1, 200],
  ["n_heads", "heads", 1, 256], ["d_ff", "feed-forward width", 1, 80000], ["max_len", "learned positions", 0, 200000]];
const KINDS = [["decoder", "decoder (GPT)"], ["encoder", "encoder (BERT)"], ["encoder_decoder", "encoder and decoder (2017)"]];
const CLASSES = ["fill-2", "fill-5", "fill-1", "fill-3", "fill-4", "fill-2"];

class ModelCounter extends Figure {
  start(data, stage) {
    this.models = data;
    this.inputs = {};
    this.tokens = 11.5;
    const preset = choice({ label: "start from", value: "GPT-2 small", options: Object.keys(data).map(name => [name, name]), change: name => this.use(name) });
    const kind = choice({ label: "kind", value: "decoder", options: KINDS, change: value => this.change({ kind: value }) });
    const tied = tick({ label: "head tied to the embeddings", value: true, change: value => this.change({ tied: value }) });
    this.controls = { kind, tied };
    const fields = FIELDS.map(([name, label, min, max]) => {
      const id = `ay-count-${name}`;
      this.inputs[name] = h("input", { type: "number", id, min, max, step: 1, oninput: () => this.change({ [name]: Number(this.inputs[name].value) }) });
      return h("div", { class: "control" }, h("label", { for: id }, label), this.inputs[name]);
    });
    const tokens = slider({ label: "training tokens", min: 6, max: 13.5, step: 0.1, value: this.tokens, show: value => short(10 ** value), change: value => { this.tokens = value; this.show(); } });
    this.picture = h("div", {});
    this.words = h("p", { class: "say", role: "status" });
    this.numbers = h("div", {});
    stage.append(h("div", { class: "controls" }, preset, kind, ...fields, tied), this.picture, h("div", { class: "controls" }, tokens), this.words, this.numbers);
    this.use("GPT-2 small", false);
  }

  use(name, draw = true) {
    this.config = { ...this.models[name].config };
    this.published = name;
    for (const [field, input] of Object.entries(this.inputs)) input.value = this.config[field];
    this.controls.kind.set(this.config.kind);
    this.controls.tied.querySelector("input").checked = this.config.tied;
    if (draw) this.show();
  }

  change(what) {
    this.config = { ...this.config, ...what };
    this.published = null;
    this.show();
  }

  problem() {
    for (const [name, label, min] of FIELDS)
      if (!Number.isInteger(this.config[name]) || this.config[name] < min) return `${label} must be a whole number of at least ${min}.`;
    if (this.config.d_model % this.config.n_heads) return `The width must be a multiple of the heads: ${this.config.d_model} is none of ${this.config.n_heads}.`;
    return "";
  }

  draw() {
    const problem = this.problem();
    this.picture.style.opacity = this.numbers.style.opacity = problem ? 0.3 : 1;
    if (problem) {
      this.words.textContent = `${problem} The pale numbers are those of the last model that can be built.`;
      return;
    }
    const parts = count(this.config), model = this.published && this.models[this.published];
    if (model && model.extra) parts["relative positions"] = model.extra;
    const all = total(parts), rows = Object.entries(parts).filter(([, many]) => many);
    let left = 0;
    const colour = name => CLASSES[Object.keys(parts).indexOf(name)] || "fill-5";
    const boxes = rows.flatMap(([name, many]) => {
      const width = many / all * this.room, at = left;
      left += width;
      const fits = width > 14 + 8 * name.length;
      return [s("rect", { x: at, y: 2, width, height: 40, class: colour(name), stroke: "var(--ay-paper)" }), ...(fits ? [s("text", { x: at + 7, y: 62 }, name)] : [])];
    });
    const square = name => s("svg", { width: 12, height: 12, style: "display: inline", "aria-hidden": "true" }, s("rect", { width: 12, height: 12, class: colour(name) }));
    this.picture.replaceChildren(drawing(this.room, 80, `${rows.map(([name, many]) => `${name} ${number(100 * many / all, 1)} percent`).join(", ")}.`, ...boxes));
    const flops = trainingFlops(all, 10 ** this.tokens);
    this.words.textContent = `${all.toLocaleString("en-US")} parameters, ${bytes(all * 2)} in 16 bits.`
      + (model ? ` Published: ${short(model.reported)} (${model.source}).${model.note ? ` Note: ${model.note}.` : ""}` : "")
      + ` Training on ${short(10 ** this.tokens)} tokens takes 6ND = ${power(flops)} FLOPs: ${duration(flops / (0.4 * 989e12))} of one card with a peak of 989 TFLOPs a second, used to 40 %.`
      + ` While it writes, each token's keys and values take ${bytes(cacheBytes(this.config))}.`;
    this.numbers.replaceChildren(table("Parameters by part", ["part", "parameters", "share"],
      rows.map(([name, many]) => [[square(name), ` ${name}`], many.toLocaleString("en-US"), `${number(100 * many / all, 1)}\u00a0%`])));
  }
}
customElements.define("ay-model-counter", ModelCounter);
