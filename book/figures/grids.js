// What the figures on attention share: the library's softmax, a style of their own, maps as pictures, and cells that a keyboard can reach.

import { h } from "./base.js";

export const dot = (a, b) => a.reduce((sum, value, place) => sum + value * b[place], 0);

/** Scores to weights by the library's rule: −∞ gives 0, and where every score is −∞ all weights are 0. */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const powers = scores.map(score => Math.exp(score - (largest === -Infinity ? 0 : largest)));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map(power => power / (total || 1));
}

/** Rows of `weights`, each the mix of `values` that it says. */
export const mix = (weights, values) => values[0].map((_, column) => dot(weights, values.map(value => value[column])));

/** Load attention.css once. */
export function styled() {
  const href = new URL("./attention.css", import.meta.url).href;
  if (!document.querySelector(`link[href="${href}"]`)) document.head.append(h("link", { rel: "stylesheet", href }));
}

/** Call `change` when the reader turns the page dark or light: pictures that are painted must be painted again. */
export const onTheme = change => new MutationObserver(change).observe(document.documentElement, { attributeFilter: ["data-theme"] });

/** A canvas of one pixel a number: `colour(value)` gives [red, green, blue, opacity of 255]. */
export function painted(rows, colour) {
  const canvas = h("canvas", { width: rows[0].length, height: rows.length });
  const context = canvas.getContext("2d"), image = context.createImageData(canvas.width, canvas.height);
  rows.forEach((row, y) => row.forEach((value, x) => image.data.set(colour(value), 4 * (y * canvas.width + x))));
  context.putImageData(image, 0, 0);
  return canvas;
}

/** One of the course's colours, such as "--ay-1", as [red, green, blue] on this page now. */
export function rgb(name) {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(1);
  const full = hex.length === 3 ? [...hex].map(digit => digit + digit).join("") : hex;
  return [0, 2, 4].map(at => parseInt(full.slice(at, at + 2), 16));
}

/** Do `draw`, and give the focus back to what has the same `data-key` afterwards. */
export function keepFocus(root, draw) {
  const key = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  draw();
  if (key !== null && key !== undefined) root.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
}

/** What an arrow key means, as [steps right, steps down]. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** A word that fits into `most` characters. */
export const cut = (text, most = 11) => text.length > most ? text.slice(0, most - 1) + "…" : text;
