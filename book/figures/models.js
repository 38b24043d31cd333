// What the figures share in which a model runs: the button that fetches it, names of signs, and shades.

import { h } from "./base.js";
import { load } from "./engine.js";

/** A character that can be seen. */
export const sign = character => ({ " ": "␣", "\n": "⏎" })[character] ?? character;

/** A character that can be heard. */
export const spoken = character => ({ " ": "space", "\n": "new line", ",": "comma", ".": "full stop", "-": "hyphen" })[character] ?? character;

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** The darker, the more weight, from 0 to 1. */
export const shade = weight => `color-mix(in srgb, var(--ay-1) ${(100 * weight).toFixed(1)}%, transparent)`;

/** The same, pale enough for a letter on it; small weights are seen, too. */
export const paleShade = weight => shade(0.45 * Math.sqrt(weight));

/** Where the largest number stands. */
export const best = values => values.reduce((place, value, i) => value > values[place] ? i : place, 0);

export const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** Fill the stage with a button that fetches the model; then `ready(loaded)` makes what comes instead and returns what gets the focus. */
export function offer(figure, address, stage, ready) {
  const style = new URL("./models.css", import.meta.url).href;
  if (!document.querySelector(`link[href="${style}"]`)) document.head.append(h("link", { rel: "stylesheet", href: style }));
  const size = figure.dataset.bytes ? ` (${(figure.dataset.bytes / 1e6).toFixed(2)} MB)` : "";
  const status = h("p", { class: "say", role: "status" });
  const button = h("button", { type: "button", class: "load" }, `Load the model${size}`);
  button.addEventListener("click", async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    status.textContent = "The model is being loaded.";
    try {
      const loaded = await load(address);
      const first = ready(loaded);
      button.remove();
      status.remove();
      figure.dataset.loaded = "";
      first.focus();
    } catch (error) {
      button.ariaBusy = "false";
      status.textContent = `The model could not be loaded (${error.message}).`;
    }
  });
  stage.append(button, status);
}
