import { Figure, h, table } from "./base.js";
import { styled } from "./grids.js";

/** The words of a text and how often each occurs, as [word, count] pairs in the order of their first occurrence. */
export function wordCounts(text) {
  const counts = new Map();
  for (const word of text.split(/\s+/).filter(Boolean)) counts.set(word, (counts.get(word) || 0) + 1);
  return [...counts];
}

/** Before, after, or equal as Python orders texts: by code points. */
export function compare(a, b) {
  const [x, y] = [[...a], [...b]];
  for (let place = 0; place < Math.min(x.length, y.length); place++)
    if (x[place] !== y[place]) return x[place].codePointAt(0) - y[place].codePointAt(0);
  return x.length - y.length;
}

/** Pairs of neighbours in words ([symbols, count] pairs), each as [left, right, total]: the best first, equal ones in Python's order of tuples. */
export function pairs(words) {
  const totals = new Map();
  for (const [symbols, count] of words) {
    let overlaps = false;  // "aaa" holds (a, a) once: what can be joined, from the left
    for (let place = 0; place + 1 < symbols.length; place++) {
      const [left, right] = [symbols[place], symbols[place + 1]];
      overlaps = !overlaps && place > 0 && left === right && left === symbols[place - 1];
      if (overlaps) continue;
      const key = JSON.stringify([left, right]);
      totals.set(key, (totals.get(key) || 0) + count);
    }
  }
  return [...totals].map(([key, total]) => [...JSON.parse(key), total]).sort((a, b) => b[2] - a[2] || compare(a[0], b[0]) || compare(a[1], b[1]));
}

/** Where the pair stands in the symbols, from the left and without overlap: the places of its left parts. */
export function places(symbols, [left, right]) {
  const found = [];
  for (let place = 0; place + 1 < symbols.length; place++)
    if (symbols[place] === left && symbols[place + 1] === right) found.push(place++);
  return found;
}

/** Join the pair wherever it stands. */
export function join(symbols, pair) {
  const at = new Set(places(symbols, pair)), joined = [];
  for (let place = 0; place < symbols.length; place++) joined.push(at.has(place) ? symbols[place] + symbols[++place] : symbols[place]);
  return joined;
}

/** Words as symbols after the first merges. */
export const cutWith = (counts, merges) => counts.map(([word, count]) => [merges.reduce(join, [...word]), count]);

/** The first `most` merges that a text gives. */
export function train(counts, most) {
  let words = cutWith(counts, []);
  const merges = [];
  while (merges.length < most) {
    const [best] = pairs(words);
    if (!best) break;
    merges.push(best.slice(0, 2));
    words = words.map(([symbols, count]) => [join(symbols, best), count]);
  }
  return merges;
}

/** A new word cut with the merges: always the pair that was learned first. */
export function encode(word, merges) {
  const rank = (left, right) => merges.findIndex(pair => pair[0] === left && pair[1] === right);
  let symbols = [...word];
  for (;;) {
    const ranks = symbols.slice(1).map((right, place) => rank(symbols[place], right)).filter(found => found >= 0);
    if (!ranks.length) return symbols;
    symbols = join(symbols, merges[Math.min(...ranks)]);
  }
}

const WORDS = 24, ROWS = 7;  // that are shown

class BytePairMerges extends Figure {
  start(data, stage) {
    styled();
    this.steps = 0;
    const field = (tag, label, value, change) => {
      const id = `ay-byte-pair-${tag}`, input = h(tag, { id, maxlength: 1500, spellcheck: "false", autocomplete: "off", ...(tag === "input" ? { type: "text" } : { rows: 2 }) });
      input.value = value;
      input.addEventListener("input", () => { change(input.value); this.show(); });
      return [h("label", { for: id }, label), input];
    };
    const go = (text, to) => h("button", { type: "button", onclick: event => { this.steps = to(); this.show(); if (event.currentTarget.disabled) [this.next, this.back].find(button => !button.disabled)?.focus(); } }, text);
    this.learn = text => { this.counts = wordCounts(text); this.merges = train(this.counts, 200); this.steps = 0; };
    this.learn(data.text);
    this.word = data.word;
    this.next = go("Next merge →", () => this.steps + 1);
    this.back = go("← Take back", () => this.steps - 1);
    this.again = go("Start again", () => 0);
    this.words = h("ul", { class: "words" });
    this.lists = h("div", { class: "pictures" });
    this.say = h("p", { class: "say", role: "status" });
    this.cut = h("p", { class: "say", "aria-live": "polite" });
    stage.append(...field("textarea", "Text to learn from (edit it)", data.text, this.learn),
      h("div", { class: "buttons", style: "margin-top:.6rem" }, this.next, this.back, this.again),
      this.say, this.words, this.lists, h("div", { class: "control" }, ...field("input", "Cut another word with these merges", data.word, word => { this.word = word.trim(); })), this.cut);
  }

  symbols(symbols, at = []) {
    const first = new Set(at), second = new Set(at.map(place => place + 1));
    return symbols.map((symbol, place) => h("span", { class: `symbol${first.has(place) ? " next first" : second.has(place) ? " next second" : ""}` }, symbol));
  }

  draw() {
    const learned = this.merges.slice(0, this.steps), words = cutWith(this.counts, learned), found = pairs(words), [best] = found;
    this.next.disabled = !best || this.steps >= this.merges.length;
    this.back.disabled = this.again.disabled = this.steps === 0;
    const ties = best ? found.filter(pair => pair[2] === best[2]) : [], name = ([left, right]) => `(${left}, ${right})`;
    this.say.textContent = `${this.steps} ${this.steps === 1 ? "merge" : "merges"} so far. ` + (!best ? "No pair is left: every word is one symbol." : this.next.disabled ? "The figure stops here."
      : ties.length > 1 ? `${ties.slice(0, 3).map(name).join(" and ")}${ties.length > 3 ? ` and ${ties.length - 3} more` : ""} tie at ${best[2]}. The smallest in Python's order of tuples is next: ${name(best)}.` : `Next: ${name(best)}, which stands ${best[2]} ${best[2] === 1 ? "time" : "times"} in the text.`);
    this.words.replaceChildren(...words.slice(0, WORDS).map(([symbols, count]) => h("li", {}, ...this.symbols(symbols, best ? places(symbols, best) : []), h("span", { class: "times" }, `× ${count}`))),
      ...(words.length > WORDS ? [h("li", {}, `and ${words.length - WORDS} more words`)] : []));
    const counted = table(`Most frequent pairs${found.length > ROWS ? ` (${ROWS} of ${found.length})` : ""}`, ["pair", "count"], found.slice(0, ROWS).map(pair => [name(pair), String(pair[2])]));
    counted.querySelector("tbody tr")?.classList.add("chosen");
    const rows = learned.map((pair, place) => [String(place + 1), `${pair[0]} + ${pair[1]} → ${pair[0]}${pair[1]}`]).slice(-ROWS);
    this.lists.replaceChildren(counted, table(learned.length > ROWS ? `The last ${ROWS} merges` : "Merges", ["number", "joined"], rows.length ? rows : [["–", "none yet"]]));
    const pieces = encode(this.word, learned);
    this.cut.replaceChildren(...(pieces.length ? [...this.symbols(pieces), ` ${pieces.length} ${pieces.length === 1 ? "token" : "tokens"}`] : ["No word."]));
  }
}
customElements.define("ay-byte-pair-merges", BytePairMerges);
