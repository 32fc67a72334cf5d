// Draws two charts as SVG from the JSON of contention_bench. Usage: node plot.mjs FILE FOLDER

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [file, folder] = process.argv.slice(2);
const found = JSON.parse(readFileSync(file, "utf8"));

const width = 640;
const height = 300;
const box = { left: 60, right: 620, top: 20, bottom: 250 };
const colours = ["#0072b2", "#009e73", "#e69f00", "#cc79a7", "#d55e00", "#56b4e9"];

const labelOf = ({ contender, wakeup }) => (contender === "asio-redlock" ? `asio-redlock, ${wakeup}` : contender);

const text = (x, y, words, more = "") => `<text x="${x}" y="${y}" ${more}>${words}</text>`;
const line = (x1, y1, x2, y2) => `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#ccc"/>`;

function chart({ name, title, xLabel, x, y, xTicks, yTicks, series }) {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ];
  for (const [value, label] of xTicks)
    parts.push(line(x(value), box.top, x(value), box.bottom), text(x(value), box.bottom + 14, label, 'text-anchor="middle"'));
  for (const [value, label] of yTicks)
    parts.push(line(box.left, y(value), box.right, y(value)), text(box.left - 5, y(value) + 4, label, 'text-anchor="end"'));
  parts.push(text((box.left + box.right) / 2, box.bottom + 30, xLabel, 'text-anchor="middle"'));
  series.forEach(({ label, points }, i) => {
    const path = points.map(([px, py]) => `${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join("L");
    parts.push(`<path d="M${path}" fill="none" stroke="${colours[i]}" stroke-width="2"/>`);
    for (const [px, py] of points.length <= 8 ? points : [])
      parts.push(`<circle cx="${x(px).toFixed(1)}" cy="${y(py).toFixed(1)}" r="3" fill="${colours[i]}"/>`);
    parts.push(text(box.left + 10, box.top + 14 + 14 * i, label, `fill="${colours[i]}"`));
  });
  writeFileSync(join(folder, `${name}.svg`), `${parts.join("\n")}\n</svg>\n`);
}

const scale = (from, to, low, high) => (value) => low + ((value - from) / (to - from)) * (high - low);
const logScale = (from, to, low, high) => {
  const linear = scale(Math.log10(from), Math.log10(to), low, high);
  return (value) => linear(Math.log10(Math.min(Math.max(value, from), to)));
};

// The part of the hand-offs that took no longer than so many microseconds.
function handoffs() {
  const series = found.results
    .filter(({ name, handoffs_microseconds }) => name === "hand-off" && handoffs_microseconds.length > 0)
    .map((result) => ({
      label: labelOf(result),
      points: result.handoffs_microseconds.map((time, percent) => [time, percent]),
    }));
  chart({
    name: "hand-off",
    title: "Hand-off between two processes: share of hand-offs, in percent, that took no longer",
    xLabel: "milliseconds from unlock to grant in the other process",
    x: logScale(100, 1_000_000, box.left, box.right),
    y: scale(0, 100, box.bottom, box.top),
    xTicks: [100, 1000, 10_000, 100_000, 1_000_000].map((time) => [time, String(time / 1000)]),
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
    title: "Grants a second of one key that is held for 1 ms, by the number of processes that want it",
    xLabel: "processes",
    x: logScale(2, 32, box.left + 20, box.right - 20),
    y: scale(0, top, box.bottom, box.top),
    xTicks: [2, 4, 8, 16, 32].map((count) => [count, count]),
    yTicks: [0, 0.25, 0.5, 0.75, 1].map((part) => [part * top, part * top]),
    series,
  });
}

mkdirSync(folder, { recursive: true });
handoffs();
grants();
