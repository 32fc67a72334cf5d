// The table: for each measurement the figure of each peer and its ratio to the library's.

// Percentiles of a few say nothing.
const handoff = (part, index, least) => (part?.handoffs >= least ? part.handoff_ms[index] : undefined);
export const rate = (part) => part && !part.error && part.cycles / part.seconds;
export const rows = [
  { title: "lock, p50, 1 in flight", unit: "µs", of: (r) => r.inflight_1?.lock_us?.[0] },
  { title: "lock and unlock, p50, 1 in flight", unit: "µs", of: (r) => r.inflight_1?.cycle_us?.[0] },
  { title: "lock and unlock, p99, 1 in flight", unit: "µs", of: (r) => r.inflight_1?.cycle_us?.[2] },
  { title: "cycles, 1 in flight", unit: "1/s", of: (r) => rate(r.inflight_1) },
  { title: "cycles, 64 in flight", unit: "1/s", of: (r) => rate(r.inflight_64) },
  { title: "cycles, 1024 in flight", unit: "1/s", of: (r) => rate(r.inflight_1024) },
  { title: "cycles, 64 in flight, one of five servers stopped", unit: "1/s", of: (r) => rate(r.one_stopped) },
  { title: "hand-off between two processes, p50", unit: "ms", of: (r) => handoff(r.two_processes, 0, 10) },
  { title: "hand-off between two processes, p99", unit: "ms", of: (r) => handoff(r.two_processes, 2, 200) },
  { title: "grants, eight processes want one key", unit: "1/s", of: (r) => r.eight_processes?.grants_per_second },
  { title: "longest wait of the eight", unit: "ms", of: (r) => r.eight_processes?.longest_wait_ms },
  { title: "overlapping grants", unit: "", of: (r) => (r.two_processes?.overlaps ?? 0) + (r.eight_processes?.overlaps ?? 0) },
  { title: "client memory for a held lock", unit: "bytes", of: (r) => r.held?.client_bytes_each },
  { title: "memory of all servers for a held lock", unit: "bytes", of: (r) => r.held?.server_bytes_each },
];

const figure = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

export function printTable({ results }, rows) {
  const reference = results.find(({ name }) => name === "asio-redlock");
  const lines = [["", ...results.map(({ name }) => name)]];
  for (const { title, unit, of } of rows) {
    const base = reference && of(reference);
    const cells = results.map((result) => {
      const value = of(result);
      // Less memory than before is chance.
      if (value < 0 || value === undefined || value === null || value === false || Number.isNaN(value)) return "";
      if (!unit) return String(value);
      return result === reference || !base ? figure(value) : `${figure(value)} (${figure(value / base)}×)`;
    });
    lines.push([unit ? `${title}, ${unit}` : title, ...cells]);
  }
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  const row = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  console.log([row(lines[0]), row(widths.map((width) => "-".repeat(width))), ...lines.slice(1).map(row)].join("\n"));
}
