// Draws three charts as SVG from the JSON of contention_bench. Usage: node plot.mjs FILE FOLDER

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dot, figure, logScale, polyline, rule, scale, svg, text } from "./svg.mjs";

const [file, folder] = process.argv.slice(2);
const found = JSON.parse(readFileSync(file, "utf8"));

const width = 640;
const box = { left: 64, right: 616, top: 62, bottom: 282 };
const legend = { top: box.bottom + 62, column: 280, row: 20 };

const labelOf = ({ contender, wakeup }) => (contender === "asio-redlock" ? `asio-redlock, ${wakeup}` : contender);

function axes({ x, y, xTicks, yTicks, xLabel }) {
  const parts = [];
  for (const [value, label] of xTicks)
    parts.push(rule(x(value), box.top, x(value), box.bottom), text(x(value), box.bottom + 17, label, { anchor: "middle" }));
  for (const [value, label] of yTicks)
    parts.push(rule(box.left, y(value), box.right, y(value)), text(box.left - 8, y(value) + 4, label, { anchor: "end" }));
  parts.push(text((box.left + box.right) / 2, box.bottom + 36, xLabel, { anchor: "middle" }));
  return parts;
}

function curve({ points }, i, { x, y }) {
  const placed = points.map(([px, py]) => [x(px), y(py)]);
  const dots = placed.length <= 8 ? placed.map(([px, py]) => dot(px, py, i)) : [];
  return placed.length > 1 ? [polyline(placed, i), ...dots] : dots;
}

// Below the curves, where it hides none of them.
function legendOf({ label }, i) {
  const left = box.left + legend.column * (i % 2);
  const y = legend.top + legend.row * Math.floor(i / 2);
  return [polyline([[left, y - 4], [left + 22, y - 4]], i), dot(left + 11, y - 4, i), text(left + 30, y, label, { kind: "ink" })];
}

function chart({ name, title, subtitle, series, ...scales }) {
  const height = legend.top + legend.row * (Math.ceil(series.length / 2) - 1) + 16;
  const parts = [...axes(scales), ...series.flatMap((one, i) => curve(one, i, scales)), ...series.flatMap(legendOf)];
  writeFileSync(join(folder, `${name}.svg`), svg({ width, height, title, subtitle, parts }));
}

// The part of the hand-offs that took no longer than so many microseconds.
function handoffs() {
  const series = found.results
    .filter(({ name, handoffs_microseconds }) => name === "hand-off" && handoffs_microseconds.length > 0)
    .map((result) => ({
      label: labelOf(result),
      points: result.handoffs_microseconds.map((time, percent) => [time, percent]),
    }));
  // Whole decades, from 0.1 ms to the slowest of all, but 10 ms at least.
  const slowest = Math.max(10_000, ...series.flatMap(({ points }) => points.map(([time]) => time)));
  const decades = Math.ceil(Math.log10(slowest / 100) - 1e-9);
  chart({
    name: "hand-off",
    title: "Hand-off of a lock between two processes",
    subtitle: "Share of the hand-offs that took no longer; further left is better",
    xLabel: "milliseconds from unlock to grant in the other process (logarithmic scale)",
    x: logScale(100, 100 * 10 ** decades, box.left, box.right),
    y: scale(0, 100, box.bottom, box.top),
    xTicks: Array.from({ length: decades + 1 }, (_, i) => [100 * 10 ** i, figure(10 ** (i - 1))]),
    yTicks: [0, 25, 50, 75, 100].map((percent) => [percent, `${percent} %`]),
    series,
  });
}

function grants() {
  const byLabel = new Map();
  for (const result of found.results.filter(({ name }) => name === "crowd")) {
    const label = labelOf(result);
    byLabel.set(label, [...(byLabel.get(label) ?? []), [result.processes, result.grants_per_second]]);
  }
  const series = [...byLabel].map(([label, points]) => ({ label, points }));
  const most = Math.max(...series.flatMap(({ points }) => points.map(([, rate]) => rate)));
  const top = Math.ceil(most / 200) * 200;
  chart({
    name: "grants",
    title: "Grants a second of one key that is held for 1 ms",
    subtitle: "By the number of processes that want it; higher is better",
    xLabel: "processes (logarithmic scale)",
    x: logScale(2, 32, box.left + 20, box.right - 20),
    y: scale(0, top, box.bottom, box.top),
    xTicks: [2, 4, 8, 16, 32].map((count) => [count, count]),
    yTicks: [0, 0.25, 0.5, 0.75, 1].map((part) => [part * top, figure(part * top)]),
    series,
  });
}

// A hold of nothing stands one step left of the shortest.
function order() {
  const nothing = 0.03;
  const sweep = found.results.filter(({ name, callers, wakeup, with: special }) =>
    name === "order" && callers === 1 && wakeup === "automatic" && special === "");
  const series = [...new Set(sweep.map(({ processes }) => processes))].map((count) => ({
    label: `${count} processes`,
    points: sweep
      .filter(({ processes }) => processes === count)
      .map((one) => [
        Math.max(one.wanted_hold_microseconds / 1000, nothing),
        one.longest_wait_milliseconds / one.strict_order_milliseconds,
      ]),
  }));
  const most = Math.max(2, ...series.flatMap(({ points }) => points.map(([, times]) => times)));
  const times = [1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500];
  const top = times.find((one) => one >= most) ?? most;
  chart({
    name: "order",
    title: "Longest wait of anybody, against strict order",
    subtitle: "1: every other caller once; up to 1.5 times that and 20 ms is the limit; lower is better",
    xLabel: "milliseconds that each holds the key (logarithmic scale)",
    x: logScale(nothing, 100, box.left + 20, box.right - 20),
    y: logScale(0.9, top, box.bottom, box.top),
    xTicks: [nothing, 0.1, 0.3, 1, 3, 10, 30, 100].map((hold) => [hold, hold === nothing ? 0 : hold]),
    yTicks: times.filter((one) => one <= top).map((one) => [one, `${one} ×`]),
    series,
  });
}

mkdirSync(folder, { recursive: true });
const names = new Set(found.results.map(({ name }) => name));
if (names.has("hand-off")) handoffs();
if (names.has("crowd")) grants();
if (names.has("order")) order();
