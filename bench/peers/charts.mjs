// Charts of the comparison as SVG: a bar for each peer, on a logarithmic scale, for they lie far apart.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bar, figure, logScale, rule, svg, text } from "../svg.mjs";
import { rows } from "./table.mjs";

const charts = [
  { name: "peers-latency", row: "lock and unlock, p50, 1 in flight", title: "Lock and unlock, one in flight", unit: "median in µs", better: "Less" },
  { name: "peers-throughput", row: "cycles, 1024 in flight", title: "Locks and unlocks, 1,024 in flight", unit: "cycles a second", better: "More" },
  { name: "peers-hand-off", row: "hand-off between two processes, p50", title: "From unlock to grant in another process", unit: "median in ms", better: "Less" },
  { name: "peers-contention", row: "grants, eight processes want one key", title: "One key held for 1 ms, eight processes want it", unit: "grants a second", better: "More" },
];
const left = 190;
const width = 640;
const top = 60;
const height = 26;

function draw({ row, title, unit, better }, results) {
  const { of } = rows.find((candidate) => candidate.title === row);
  const bars = results.map((result) => ({ label: result.name, value: of(result) })).filter(({ value }) => value > 0);
  if (bars.length === 0) return undefined;
  const values = bars.map(({ value }) => value);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)) - 0.3);
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const x = logScale(low, high, left, width - 70);
  const bottom = top + bars.length * height;
  const parts = [];
  for (let tick = low; tick <= high * 1.001; tick *= 10)
    parts.push(rule(x(tick), top - 4, x(tick), bottom), text(x(tick), bottom + 16, figure(tick), { anchor: "middle" }));
  parts.push(text((left + width - 70) / 2, bottom + 36, `${unit} (logarithmic scale)`, { anchor: "middle" }));
  bars.forEach(({ label, value }, i) => {
    const y = top + i * height;
    parts.push(
      text(left - 8, y + 14, label, { kind: "ink", anchor: "end" }),
      bar(left, y + 1, x(value) - left, height - 8, i === 0 ? "dot-0" : "other"),
      text(x(value) + 6, y + 14, figure(value), { kind: "ink figure" }), // apart from the lines of the scale
    );
  });
  return svg({ width, height: bottom + 48, title, subtitle: `${better} is better`, parts });
}

export function drawCharts({ results }, folder) {
  mkdirSync(folder, { recursive: true });
  for (const chart of charts) {
    const drawing = draw(chart, results);
    if (drawing) writeFileSync(join(folder, `${chart.name}.svg`), drawing);
  }
}
