// Draws three charts as SVG from the JSON of contention_bench. Usage: node plot.mjs FILE FOLDER

import { readFileSync } from "node:fs";
import { draw } from "./draw.mjs";

const [file, folder] = process.argv.slice(2);
const found = JSON.parse(readFileSync(file, "utf8"));

const labelOf = ({ contender, wakeup }) => (contender === "asio-redlock" ? `asio-redlock, ${wakeup}` : contender);

// The part of the hand-offs that took no longer than so many milliseconds.
function handoffs() {
  const curves = found.results
    .filter(({ name, handoffs_microseconds }) => name === "hand-off" && handoffs_microseconds.length > 0)
    .map((result) => ({
      name: labelOf(result),
      points: result.handoffs_microseconds.map((time, percent) => [time / 1000, percent]),
    }));
  // Whole decades, from 0.1 ms to the slowest of all, but 10 ms at least.
  const slowest = Math.max(10, ...curves.flatMap(({ points }) => points.map(([time]) => time)));
  const decades = Math.ceil(Math.log10(slowest / 0.1) - 1e-9);
  return {
    name: "hand-off",
    title: "Hand-off of a lock between two processes",
    subtitle: "Share of the hand-offs that took no longer; further left is better",
    across: {
      label: "milliseconds from unlock to grant in the other process",
      logarithmic: true,
      low: 0.1,
      high: 0.1 * 10 ** decades,
      marks: Array.from({ length: decades + 1 }, (_, i) => 0.1 * 10 ** i),
    },
    up: { label: "", logarithmic: false, low: 0, high: 100, marks: [0, 25, 50, 75, 100].map((percent) => [percent, `${percent} %`]) },
    curves,
  };
}

function grants() {
  const byLabel = new Map();
  for (const result of found.results.filter(({ name }) => name === "crowd")) {
    const label = labelOf(result);
    byLabel.set(label, [...(byLabel.get(label) ?? []), [result.processes, result.grants_per_second]]);
  }
  const curves = [...byLabel].map(([name, points]) => ({ name, points }));
  const most = Math.max(...curves.flatMap(({ points }) => points.map(([, rate]) => rate)));
  const top = Math.ceil(most / 200) * 200;
  return {
    name: "grants",
    title: "Grants a second of one key that is held for 1 ms",
    subtitle: "By the number of processes that want it; higher is better",
    across: { label: "processes", logarithmic: true, low: 1.8, high: 36, marks: [2, 4, 8, 16, 32] },
    up: { label: "", logarithmic: false, low: 0, high: top, marks: [0, 0.25, 0.5, 0.75, 1].map((part) => part * top) },
    curves,
  };
}

// A hold of nothing stands one step left of the shortest.
function order() {
  const nothing = 0.03;
  const sweep = found.results.filter(({ name, callers, wakeup, with: special }) =>
    name === "order" && callers === 1 && wakeup === "automatic" && special === "");
  const curves = [...new Set(sweep.map(({ processes }) => processes))].map((count) => ({
    name: `${count} processes`,
    points: sweep
      .filter(({ processes }) => processes === count)
      .map((one) => [
        Math.max(one.wanted_hold_microseconds / 1000, nothing),
        one.longest_wait_milliseconds / one.strict_order_milliseconds,
      ]),
  }));
  const most = Math.max(2, ...curves.flatMap(({ points }) => points.map(([, times]) => times)));
  const times = [1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500];
  const top = times.find((one) => one >= most) ?? most;
  return {
    name: "order",
    title: "Longest wait of anybody, against strict order",
    subtitle: "1: every other caller once; up to 1.5 times that and 20 ms is the limit; lower is better",
    across: {
      label: "milliseconds that each holds the key",
      logarithmic: true,
      low: 0.025,
      high: 120,
      marks: [[nothing, "0"], 0.1, 0.3, 1, 3, 10, 30, 100],
    },
    up: { label: "", logarithmic: true, low: 0.9, high: top, marks: times.filter((one) => one <= top).map((one) => [one, `${one} ×`]) },
    curves,
  };
}

const names = new Set(found.results.map(({ name }) => name));
const charts = [["hand-off", handoffs], ["crowd", grants], ["order", order]];
draw(charts.filter(([name]) => names.has(name)).map(([, chart]) => chart()), folder);
