// Charts of the comparison as SVG: a bar for each peer, on a logarithmic scale, for they lie far apart.

import { draw } from "../draw.mjs";
import { rows } from "./table.mjs";

const charts = [
  { name: "peers-latency", row: "lock and unlock, p50, 1 in flight", title: "Lock and unlock, one in flight", unit: "median in µs", better: "Less" },
  { name: "peers-throughput", row: "cycles, 1024 in flight", title: "Locks and unlocks, 1,024 in flight", unit: "cycles a second", better: "More" },
  { name: "peers-hand-off", row: "hand-off between two processes, p50", title: "From unlock to grant in another process", unit: "median in ms", better: "Less" },
  { name: "peers-contention", row: "grants, eight processes want one key", title: "One key held for 1 ms, eight processes want it", unit: "grants a second", better: "More" },
];

function chartOf({ name, row, title, unit, better }, results) {
  const { of } = rows.find((candidate) => candidate.title === row);
  const bars = results.map((result) => ({ name: result.name, value: of(result) })).filter(({ value }) => value > 0);
  return { name, title, subtitle: `${better} is better`, unit, bars };
}

export function drawCharts({ results }, folder) {
  draw(charts.map((chart) => chartOf(chart, results)).filter(({ bars }) => bars.length > 0), folder);
}
