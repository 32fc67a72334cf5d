// Charts of the comparison as SVG: a bar for each peer, on a logarithmic scale, for they lie far apart.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rows } from "./table.mjs";

const charts = [
  { name: "peers-latency", row: "lock and unlock, p50, 1 in flight", title: "Lock and unlock, one in flight, p50, µs: less is better" },
  { name: "peers-throughput", row: "cycles, 1024 in flight", title: "Locks and unlocks a second, 1024 in flight: more is better" },
  { name: "peers-hand-off", row: "hand-off between two processes, p50", title: "From unlock to grant in another process, p50, ms: less is better" },
  { name: "peers-contention", row: "grants, eight processes want one key", title: "Grants a second of one key held for 1 ms, eight processes: more is better" },
];
const left = 170;
const width = 640;
const height = 24;

function draw({ row, title }, results) {
  const { of } = rows.find((candidate) => candidate.title === row);
  const bars = results.map((result) => ({ label: result.name, value: of(result) })).filter(({ value }) => value > 0);
  if (bars.length === 0) return undefined;
  const values = bars.map(({ value }) => value);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)) - 0.3);
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const x = (value) => left + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (width - left - 70);
  const bottom = 30 + bars.length * height;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 24}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${bottom + 24}" fill="#fff"/>`,
    `<text x="10" y="18" font-size="12">${title}</text>`,
  ];
  for (let tick = low; tick <= high * 1.001; tick *= 10)
    parts.push(
      `<path d="M${x(tick).toFixed(1)} 28V${bottom}" stroke="#ccc"/>`,
      `<text x="${x(tick).toFixed(1)}" y="${bottom + 14}" text-anchor="middle">${Number(tick.toPrecision(1))}</text>`,
    );
  bars.forEach(({ label, value }, i) => {
    const y = 32 + i * height;
    parts.push(
      `<text x="${left - 6}" y="${y + 13}" text-anchor="end">${label}</text>`,
      `<rect x="${left}" y="${y}" width="${(x(value) - left).toFixed(1)}" height="${height - 8}" fill="${i === 0 ? "#0072b2" : "#999"}"/>`,
      `<text x="${(x(value) + 5).toFixed(1)}" y="${y + 13}">${value >= 100 ? value.toFixed(0) : value.toPrecision(2)}</text>`,
    );
  });
  return `${parts.join("\n")}\n</svg>\n`;
}

export function drawCharts({ results }, folder) {
  mkdirSync(folder, { recursive: true });
  for (const chart of charts) {
    const text = draw(chart, results);
    if (text) writeFileSync(join(folder, `${chart.name}.svg`), text);
  }
}
