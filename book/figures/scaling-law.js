import { Figure, choice, h, number, slider } from "./base.js";
import { plot, power, short } from "./plot.js";

const UNIT = 1e5;  // parameters and tokens are counted in these

/** The loss that a law { E, A, alpha, B, beta } foretells for N parameters and D tokens. */
export const predict = (law, N, D) => law.E + law.A * (N / UNIT) ** -law.alpha + law.B * (D / UNIT) ** -law.beta;

/** The solution of three linear equations, by elimination with pivots. */
function solve(M, y) {
  const rows = M.map((row, place) => [...row, y[place]]);
  for (let k = 0; k < 3; k++) {
    const pivot = rows.slice(k).reduce((best, row, place) => Math.abs(row[k]) > Math.abs(rows[best][k]) ? place + k : best, k);
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < 3; i++) {
      if (i === k) continue;
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j < 4; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  return rows.map((row, place) => row[3] / row[place]);
}

/** The law with the smallest squared error on runs [width, N, D, loss]: alpha and beta from a grid of 0.01, the rest by least squares, all positive. */
export function fit(runs) {
  let best = { error: Infinity };
  for (let a = 5; a < 150; a++) {
    const byN = runs.map(([, N]) => (N / UNIT) ** (-a / 100));
    for (let b = 5; b < 150; b++) {
      const X = runs.map(([, , D], place) => [1, byN[place], (D / UNIT) ** (-b / 100)]);
      const M = [0, 1, 2].map(i => [0, 1, 2].map(j => X.reduce((sum, row) => sum + row[i] * row[j], 0)));
      const [E, A, B] = solve(M, [0, 1, 2].map(i => X.reduce((sum, row, place) => sum + row[i] * runs[place][3], 0)));
      if (!(E > 0 && A > 0 && B > 0)) continue;
      const error = X.reduce((sum, row, place) => sum + (E + A * row[1] + B * row[2] - runs[place][3]) ** 2, 0);
      if (error < best.error) best = { E, A, alpha: a / 100, B, beta: b / 100, error };
    }
  }
  return best;
}

/** The parameters with the lowest loss for a budget of C = 6ND FLOPs, from the condition alpha A N^-alpha = beta B D^-beta. */
export function bestSize({ A, alpha, B, beta }, C) {
  const G = (alpha * A / (beta * B)) ** (1 / (alpha + beta));
  return UNIT * G * (C / 6 / UNIT / UNIT) ** (beta / (alpha + beta));
}

const STYLES = [["line-2", "2 4"], ["line-4", "8 3 2 3"], ["line-1", "7 4"], ["line-3", null]];
const LETTERS = [["E", "floor E", 0, 2, 0.01], ["A", "A", 0, 1, 0.005], ["alpha", "α", 0.05, 1.5, 0.01], ["B", "B", 0, 2, 0.005], ["beta", "β", 0.05, 1.5, 0.01]];
const SIZES = Array.from({ length: 61 }, (_, place) => 10 ** (3.5 + place * 0.06));

class ScalingLaw extends Figure {
  start({ runs, left_out }, stage) {
    this.runs = runs;
    const widths = [...new Set(runs.map(([width]) => width))].sort((a, b) => a - b);
    this.amounts = [...new Set(runs.map(([, , D]) => D))].sort((a, b) => a - b);
    this.chosen = { width: widths[widths.indexOf(left_out) - 1] || widths.at(-2), tokens: this.amounts.at(-2) };
    this.budget = 12;
    this.sliders = {};
    for (const [key, label, min, max, step] of LETTERS)
      this.sliders[key] = slider({ label, min, max, step, value: min, show: value => number(value, step < 0.01 ? 3 : 2), change: value => { this.law = { ...this.law, [key]: value }; this.show(); } });
    stage.append(
      h("div", { class: "controls" },
        choice({ label: "fit runs up to width", value: this.chosen.width, options: widths.slice(2).map(width => [width, width]), change: value => { this.chosen.width = Number(value); this.fit(); this.show(); } }),
        choice({ label: "and up to", value: this.chosen.tokens, options: this.amounts.slice(1).map(D => [D, `${short(D)} characters`]), change: value => { this.chosen.tokens = Number(value); this.fit(); this.show(); } }),
        h("button", { type: "button", onclick: () => { this.fit(); this.show(); } }, "Fit again")),
      h("div", { class: "controls" }, Object.values(this.sliders)),
      this.picture = h("div", {}), this.words = h("p", { class: "say", role: "status" }),
      h("div", { class: "controls" }, slider({ label: "budget C", min: 9, max: 16, step: 0.25, value: this.budget, show: value => `${power(10 ** value)} FLOPs`, change: value => { this.budget = value; this.show(); } })),
      this.advice = h("p", { class: "say", role: "status" }));
    this.fit();
  }

  fit() {
    this.law = fit(this.runs.filter(run => this.fitted(run)));
    for (const [key, control] of Object.entries(this.sliders)) control.set(this.law[key]);
  }

  fitted([width, , D]) {
    return width <= this.chosen.width && D <= this.chosen.tokens;
  }

  draw() {
    const narrow = this.room < 480;
    const shown = plot({ width: this.room, height: 320, right: narrow ? 52 : 124, label: `Loss against parameters for ${this.amounts.length} amounts of text: measured points and the law's curves, each flattening to the right.`,
      x: { label: "parameters N", domain: [3e3, 1.2e7], log: true }, y: { label: "loss (nats per character)", domain: [1.3, 2.7], ticks: [1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6], show: value => number(value, 1) } });
    this.amounts.forEach((D, place) => {
      const [line, dashes] = STYLES[place % STYLES.length];
      shown.curve(SIZES.map(N => [N, predict(this.law, N, D)]), line, dashes);
      shown.end(predict(this.law, SIZES.at(-1), D), narrow ? short(D) : `${short(D)} characters`);
      for (const run of this.runs.filter(run => run[2] === D)) shown.dot(run[1], run[3], line.slice(-1), !this.fitted(run));
    });
    if (narrow) shown.text(1.2e7, 2.6, "characters of text:", "end");
    const missed = runs => runs.reduce((sum, [, N, D, loss]) => sum + Math.abs(predict(this.law, N, D) - loss), 0) / runs.length;
    const inside = this.runs.filter(run => this.fitted(run)), outside = this.runs.filter(run => !this.fitted(run));
    const { E, A, alpha, B, beta } = this.law;
    this.picture.replaceChildren(shown.svg);
    this.words.textContent = `L = ${number(E)} + ${number(A)} · (N / 100k)^(−${number(alpha)}) + ${number(B)} · (D / 100k)^(−${number(beta)}). It misses the ${inside.length} fitted runs (filled) by ${number(missed(inside), 3)} on average`
      + (outside.length ? `, and the ${outside.length} others (open) by ${number(missed(outside), 3)}.` : ".");
    if (!(A > 0 && B > 0)) { this.advice.textContent = "With A or B at 0, one of the two never helps: there is no best size."; return; }
    const C = 10 ** this.budget, N = bestSize(this.law, C), D = C / 6 / N;
    this.advice.textContent = `For ${power(C)} FLOPs this law would train ${short(N)} parameters on ${short(D)} characters and expects a loss of ${number(predict(this.law, N, D))}.`
      + (N > Math.max(...this.runs.map(run => run[1])) || D > this.amounts.at(-1) ? " No run here was that large: this is the law's word, not a measurement." : "");
  }
}
customElements.define("ay-scaling-law", ScalingLaw);
