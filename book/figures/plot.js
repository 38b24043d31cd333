// Axes for the figures that draw curves: linear or logarithmic, with ticks, labels, and room for both.

import { drawing, s, scale } from "./base.js";

const EDGE = { left: 62, right: 24, top: 14, bottom: 44 };  // pixels

/** A number as a power of ten: 2.4 · 10²⁰. */
export function power(value) {
  const exponent = Math.floor(Math.log10(value) + 1e-9), digits = value / 10 ** exponent;
  const raised = String(exponent).replace("-", "⁻").replace(/\d/g, digit => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
  return Math.abs(digits - 1) < 0.05 ? `10${raised}` : `${digits.toFixed(1)}\u00a0·\u00a010${raised}`;
}

/** A number as short as readers need: 1.2 k, 3.4 M, 175 B; beyond that as a power of ten. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-3)) return power(value);
  for (const [unit, name] of [[1e12, " T"], [1e9, " B"], [1e6, " M"], [1e3, " k"]])
    if (size >= unit) return `${Number((value / unit).toPrecision(3))}${name}`;
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

/** Bytes in decimal units: 249 MB. */
export function bytes(value) {
  const place = Math.min(5, Math.max(0, Math.floor(Math.log10(Math.max(value, 1)) / 3)));
  return `${Number((value / 1000 ** place).toPrecision(3))} ${["bytes", "kB", "MB", "GB", "TB", "PB"][place]}`;
}

/** Powers of ten within [low, high], at most about `most` of them. */
export function decades([low, high], most = 6) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, place) => 10 ** (first + place * step));
}

/**
 * A plot of `width` by `height` pixels; x and y are { label, domain, log, ticks, show }, label the text for screen readers.
 * `right` is the room beside the axes, in which end(y, words) writes.
 * Returns { svg, x, y, curve(points, class, dashes), dot(x, y, colour, open), text(x, y, words, anchor), end(y, words) },
 * whose places are values, not pixels; colour is the number of one of the course's colours.
 */
export function plot({ width, height, label, x, y, right = EDGE.right }) {
  const along = ({ domain, log }, range) => log ? (to => value => to(Math.log10(value)))(scale(domain.map(Math.log10), range)) : scale(domain, range);
  const across = along(x, [EDGE.left, width - right]), up = along(y, [height - EDGE.bottom, EDGE.top]);
  const ticks = axis => (axis.ticks || decades(axis.domain, axis === x ? width / 80 : 6)).filter(value => value >= axis.domain[0] && value <= axis.domain[1]);
  const svg = drawing(width, height, label,
    ticks(x).flatMap(value => [
      s("line", { x1: across(value), x2: across(value), y1: EDGE.top, y2: height - EDGE.bottom, class: "grid" }),
      s("text", { x: across(value), y: height - EDGE.bottom + 17, "text-anchor": "middle" }, (x.show || short)(value))]),
    ticks(y).flatMap(value => [
      s("line", { x1: EDGE.left, x2: width - right, y1: up(value), y2: up(value), class: "grid" }),
      s("text", { x: EDGE.left - 6, y: up(value) + 4, "text-anchor": "end" }, (y.show || short)(value))]),
    s("text", { x: (EDGE.left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x.label),
    s("text", { x: 13, y: (EDGE.top + height - EDGE.bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 13 ${(EDGE.top + height - EDGE.bottom) / 2})` }, y.label));
  const within = value => Math.min(height - EDGE.bottom, Math.max(EDGE.top, value));
  return {
    svg, x: across, y: up,
    curve(points, kind, dashes) {
      const inside = points.filter(([of, value]) => Number.isFinite(value) && of >= x.domain[0] && of <= x.domain[1]);
      svg.append(s("polyline", { points: inside.map(([of, value]) => `${across(of).toFixed(1)},${within(up(value)).toFixed(1)}`).join(" "), class: kind, "stroke-dasharray": dashes }));
    },
    dot(of, value, colour, open = false) {
      svg.append(s("circle", { cx: across(of), cy: within(up(value)), r: 5, "stroke-width": 2, style: `stroke: var(--ay-${colour}); fill: var(--ay-${open ? "paper" : colour})` }));
    },
    end(value, words) {
      svg.append(s("text", { x: width - right + 5, y: within(up(value)) + 4 }, words));
    },
    text(of, value, words, anchor = "start") {
      svg.append(s("text", { x: across(of), y: within(up(value)) - 7, "text-anchor": anchor }, words));
    },
  };
}
