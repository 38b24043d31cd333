// The language model of chapter 7 writes: probabilities of the next character, the three filters, and where each head looks.

import { Figure, choice, h, slider } from "./base.js";
import { pick, probabilities } from "./engine.js";
import { best, offer, paleShade, pause, percent, sign, spoken } from "./models.js";

const SHOWN = 10, LOOKED_BACK = 32, AT_ONCE = 44, PACE = 40;

class NextToken extends Figure {
  near() {}  // nothing is fetched before the reader asks for it

  load(address) { return new URL(address, document.baseURI); }

  start(address, stage) { offer(this, address, stage, loaded => this.fill(stage, loaded)); }

  fill(stage, { model, tokenizers }) {
    Object.assign(this, { model, tokenizer: tokenizers.text, settings: { temperature: 0.8, topK: 0, topP: 1 }, layer: model.config.n_layers - 1, milliseconds: [] });
    const prompt = h("input", { type: "text", id: "ay-prompt", value: "To be, or not to be", maxlength: 200, autocomplete: "off", spellcheck: "false" });
    prompt.addEventListener("keydown", event => event.key === "Enter" && this.restart());
    this.prompt = prompt;
    this.go = h("button", { type: "button", class: "go", onclick: () => this.write(AT_ONCE) }, `Write ${AT_ONCE} characters`);
    this.given = h("span", { class: "given" });
    this.new = h("span", { class: "new" });
    this.status = h("p", { class: "say", role: "status" });
    this.rows = Array.from({ length: SHOWN }, (_, place) => this.row(place));
    this.heads = Array.from({ length: model.config.n_heads }, (_, head) => this.head(head));
    stage.append(
      h("div", { class: "controls" },
        h("div", { class: "control" }, h("label", { for: "ay-prompt" }, "Begin with"), prompt,
          h("button", { type: "button", class: "restart", onclick: () => this.restart() }, "Start over"))),
      h("div", { class: "controls" },
        slider({ label: "Temperature", min: 0, max: 2, step: 0.05, value: 0.8, show: value => value.toFixed(2), change: value => this.set({ temperature: value }) }),
        choice({ label: "Top-k", options: [[0, "off"], [1, "1"], [3, "3"], [5, "5"], [10, "10"], [20, "20"]], value: 0, change: value => this.set({ topK: Number(value) }) }),
        choice({ label: "Top-p", options: [[1, "off"], [0.95, "0.95"], [0.9, "0.9"], [0.8, "0.8"], [0.5, "0.5"]], value: 1, change: value => this.set({ topP: Number(value) }) })),
      h("div", { class: "controls" }, this.go, h("button", { type: "button", class: "one", onclick: () => this.one() }, "One character")),
      h("p", { class: "written" }, this.given, this.new),
      this.status,
      h("div", { class: "panes" },
        h("div", {}, h("p", { class: "pane-title" }, "The next character: choose one"),
          h("table", { class: "likely" }, h("thead", {}, h("tr", {}, ["character", "bar", "probability"].map(text => h("th", { scope: "col" }, text)))),
            h("tbody", {}, this.rows.map(row => row.root)))),
        h("div", {}, h("p", { class: "pane-title" }, "Where the last character looks"),
          choice({ label: "Layer", options: [...Array(model.config.n_layers).keys()].map(i => [i, `${i}`]), value: this.layer, change: value => { this.layer = Number(value); this.show(); } }),
          this.heads.map(head => head.root))));
    prompt.addEventListener("change", () => this.restart());
    this.restart();
    return prompt;
  }

  row(place) {
    const button = h("button", { type: "button", onclick: () => this.step(this.order[place]) });
    const bar = h("span", { class: "bar" }), share = h("td", { class: "number" });
    return { root: h("tr", {}, h("th", { scope: "row" }, button), h("td", {}, bar), share), button, bar, share };
  }

  head(number) {
    const letters = Array.from({ length: LOOKED_BACK }, () => h("span")), most = h("span");
    const looks = h("span", { class: "looks", role: "img" }, letters);
    return { root: h("p", { class: "head" }, `Head ${number}: `, most, looks), letters, most, looks };
  }

  /** Read the beginning anew. */
  restart() {
    this.writing = false;
    const [ids, strange] = this.tokenizer.encode(this.prompt.value.normalize("NFC") || "\n");
    this.kept = this.model.begin();
    this.ids = [];
    this.milliseconds = [];
    this.new.textContent = "";
    this.read(ids.length ? ids : this.tokenizer.encode("\n")[0]);
    this.given.textContent = this.tokenizer.decode(this.ids);
    this.status.textContent = strange.length ? `The model's characters are those of its training text; left out: ${strange.join(" ")}` : "";
  }

  read(ids) {
    const { logits, maps } = this.model.forward(ids, this.kept), { vocab_size } = this.model.config;
    this.logits = logits.subarray(logits.length - vocab_size);
    this.maps = maps.map(layer => layer.map(map => map.subarray(map.length - this.kept.length)));
    this.ids.push(...ids);
    this.order = [...this.logits.keys()].sort((a, b) => this.logits[b] - this.logits[a]);
    this.show();
  }

  set(change) {
    Object.assign(this.settings, change);
    this.show();
  }

  draw() {
    if (!this.model) return;
    this.drawBars();
    this.drawHeads();
  }

  /** Append one character. False where the model has no room for it. */
  step(id) {
    if (this.ids.length >= this.model.config.max_len) {
      this.status.textContent = `The model has room for ${this.model.config.max_len} characters: start over.`;
      return false;
    }
    const before = performance.now();
    this.read([id]);
    this.milliseconds.push(performance.now() - before);
    this.new.textContent += this.tokenizer.tokens[id];
    return true;
  }

  one() { if (this.step(pick(this.p))) this.say(`Written: ${spoken(this.tokenizer.tokens[this.ids.at(-1)])}.`); }

  async write(count) {
    if (this.writing) { this.writing = false; return; }
    this.writing = true;
    this.go.textContent = "Stop";
    const first = this.ids.length;
    let room = true;
    for (let i = 0; i < count && this.writing && room; i++) {
      room = this.step(pick(this.p));
      await pause(PACE);
    }
    this.writing = false;
    this.go.textContent = `Write ${count} characters`;
    if (room) this.say(`Written: “${this.tokenizer.decode(this.ids.slice(first))}”.`);
  }

  say(text) {
    if (!this.milliseconds.length) return;  // started over meanwhile
    const mean = this.milliseconds.reduce((a, b) => a + b) / this.milliseconds.length;
    this.status.replaceChildren(h("span", { class: "heard" }, text), ` ${this.ids.length} characters read; ${mean.toFixed(1)} ms for each new one, in your browser.`);
  }

  drawBars() {
    this.p = probabilities(this.logits, this.settings);
    this.rows.forEach((row, place) => {
      const id = this.order[place], character = this.tokenizer.tokens[id];
      row.root.hidden = id === undefined;
      if (id === undefined) return;
      row.button.textContent = sign(character);
      row.button.setAttribute("aria-label", `${sign(character)}: write ${spoken(character)}, ${percent(this.p[id])}`);
      row.bar.style.width = `${100 * this.p[id]}%`;
      row.share.textContent = percent(this.p[id]);
    });
  }

  drawHeads() {
    const first = Math.max(0, this.ids.length - LOOKED_BACK);
    this.heads.forEach(({ letters, most, looks }, number) => {
      const weights = this.maps[this.layer][number], place = best(weights), back = this.ids.length - 1 - place;
      letters.forEach((letter, i) => {
        const there = first + i < this.ids.length;
        letter.textContent = there ? sign(this.tokenizer.tokens[this.ids[first + i]]) : "";
        letter.style.background = there ? paleShade(weights[first + i]) : "";
      });
      most.textContent = `most at “${sign(this.tokenizer.tokens[this.ids[place]])}”, ${back ? `${back} back` : "itself"}, ${percent(weights[place], 0)}`;
      looks.setAttribute("aria-label", `Layer ${this.layer}, head ${number}: ${most.textContent}`);
    });
  }
}

customElements.define("ay-next-token", NextToken);
