// The translator of chapter 6 reads a date in one of nine languages and writes it, sign by sign; a map shows where it looks.

import { Figure, choice, h } from "./base.js";
import { probabilities } from "./engine.js";
import { best, offer, pause, percent, shade, sign } from "./models.js";

const LANGUAGES = { en: "English", de: "German", fr: "French", es: "Spanish", it: "Italian", nl: "Dutch", pl: "Polish", pt: "Portuguese", sv: "Swedish" };
const PACE = 120, MOST_SIGNS = 14;

class DateTranslator extends Figure {
  near() {}  // nothing is fetched before the reader asks for it

  load(address) { return new URL(address, document.baseURI); }

  start(address, stage) { offer(this, address, stage, loaded => this.fill(stage, loaded)); }

  fill(stage, { model, tokenizers }) {
    Object.assign(this, { model, tokenizers, layer: model.config.n_layers - 1, head: "mean", language: "pl", run: 0, right: 0, asked: 0 });
    this.text = h("input", { type: "text", id: "ay-date", value: "wtorek, 3 marca 2026", maxlength: 60, autocomplete: "off", spellcheck: "false" });
    this.text.addEventListener("keydown", event => event.key === "Enter" && this.translate());
    this.answer = h("p", { class: "answer" });
    this.status = h("p", { class: "say", role: "status" });
    this.map = h("div", { class: "map", role: "img" });
    const numbers = count => [...Array(count).keys()].map(i => [i, `${i}`]);
    stage.append(
      h("div", { class: "controls" },
        h("div", { class: "control" }, h("label", { for: "ay-date" }, "A date in words"), this.text,
          h("button", { type: "button", class: "go", onclick: () => this.translate() }, "Translate"))),
      h("div", { class: "controls" },
        choice({ label: "Write me a date in", options: Object.entries(LANGUAGES), value: this.language, change: value => { this.language = value; this.another(); } }),
        h("button", { type: "button", class: "another", onclick: () => this.another() }, "Another one")),
      this.answer, this.status,
      h("div", { class: "controls" },
        choice({ label: "Layer", options: numbers(model.config.n_layers), value: this.layer, change: value => { this.layer = Number(value); this.show(); } }),
        choice({ label: "Head", options: [["mean", "mean of all"], ...numbers(model.config.n_heads)], value: "mean", change: value => { this.head = value; this.show(); } })),
      h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Cross-attention map" }, this.map));
    this.translate();
    return this.text;
  }

  /** A day of the training years, written by the browser in full, and translated; the truth is known here. */
  another() {
    const first = Date.UTC(1900, 0, 1), last = Date.UTC(2099, 11, 31), day = 86_400_000;
    const date = new Date(first + day * Math.floor(Math.random() * ((last - first) / day + 1)));
    this.text.value = new Intl.DateTimeFormat(this.language, { dateStyle: "full", timeZone: "UTC" }).format(date);
    return this.translate(date.toISOString().slice(0, 10));
  }

  /** Greedy: always the most likely sign, until the stop. A newer call ends an older one. */
  async translate(truth) {
    const run = ++this.run, { source, target } = this.tokenizers;
    const [ids, strange] = source.encode(this.text.value.normalize("NFC"));
    this.rows = [];
    this.letters = [...this.text.value.normalize("NFC")].map(sign);
    this.answer.textContent = "";
    this.status.textContent = "";
    this.map.replaceChildren();
    if (!ids.length) { this.status.textContent = "Type a date first."; return; }
    const kept = this.model.begin(ids), stop = target.tokens.indexOf("<stop>");
    let next = target.tokens.indexOf("<start>");
    while (this.rows.length < MOST_SIGNS && next !== stop) {
      const { logits, cross } = this.model.forward([next], kept);
      next = best(logits);
      this.rows.push({ sign: next === stop ? "■" : target.tokens[next], share: probabilities(logits)[next], cross });
      if (next !== stop) this.answer.textContent += target.tokens[next];
      this.show();
      await pause(PACE);
      if (run !== this.run) return;
    }
    const strangers = strange.length ? ` Never seen in training: ${strange.join(" ")}` : "";
    if (truth !== undefined) {
      this.asked += 1;
      this.right += this.answer.textContent === truth;
    }
    const verdict = truth === undefined ? "" : this.answer.textContent === truth ? `: right, as ${this.right} of ${this.asked} so far` : `, but it is ${truth}: ${this.right} of ${this.asked} right so far`;
    this.status.textContent = `It writes ${this.answer.textContent}${verdict}.${strangers}`;
  }

  weights({ cross }) {
    const heads = cross[this.layer];
    return this.head === "mean" ? heads[0].map((_, s) => heads.reduce((total, head) => total + head[s], 0) / heads.length) : heads[Number(this.head)];
  }

  draw() {
    if (!this.rows) return;
    this.map.style.gridTemplateColumns = `auto repeat(${this.letters.length}, minmax(.8em, 1.5em)) max-content`;
    const looks = this.rows.map(row => this.weights(row));
    this.map.replaceChildren(
      h("span", {}), ...this.letters.map(letter => h("span", {}, letter)), h("span", {}),
      ...this.rows.flatMap((row, number) => [
        h("span", { class: "sign" }, row.sign),
        ...[...looks[number]].map(weight => h("span", { style: `background:${shade(weight)}` })),
        h("span", { class: "sure" }, percent(row.share, 0)),
      ]));
    this.map.setAttribute("aria-label", `Layer ${this.layer}, ${this.head === "mean" ? "mean of all heads" : `head ${this.head}`}. ` + this.rows.map((row, number) => {
      const place = best(looks[number]);
      return `${row.sign} (${percent(row.share)}) looks most at ${this.letters[place]}, letter ${place + 1}, ${percent(looks[number][place], 0)}`;
    }).join("; "));
  }
}

customElements.define("ay-date-translator", DateTranslator);
