// Compares this library with other locks, each with its own servers, one after another. See README.md.
//   node compare.mjs PEER-OF-THE-LIBRARY [--seconds N] [--json FILE] [--charts FOLDER] [--only NAME] [--kinds]

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { drawCharts } from "./charts.mjs";
import { kindPeers, kindRows, measureKinds } from "./kinds.mjs";
import { contend, cycles, hold } from "./measurements.mjs";
import { startEtcd, startRedis, startZooKeeper } from "./servers.mjs";
import { printTable, rows } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [library, ...words] = process.argv.slice(2);
const option = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const seconds = Number(option("--seconds", 5));
const only = option("--only");

const node = (file, env = {}) => ({ command: [process.execPath, join(here, file)], env });
const python = (env = {}) => ({ command: ["/usr/bin/python3", join(here, "redis_py_peer.py")], env });
const plainPeers = [
  { name: "asio-redlock", servers: "redis", command: [library], env: {} },
  { name: "redlock (npm)", servers: "redis", ...node("npm_peer.mjs", { PEER: "redlock" }) },
  { name: "redlock (npm), 1 ms", servers: "redis", waitsOnly: true, ...node("npm_peer.mjs", { PEER: "redlock", RETRY_DELAY: "1" }) },
  { name: "redlock-universal", servers: "redis", ...node("npm_peer.mjs", { PEER: "universal" }) },
  { name: "redlock-universal, 1 ms", servers: "redis", waitsOnly: true, ...node("npm_peer.mjs", { PEER: "universal", RETRY_DELAY: "1" }) },
  { name: "redis-py, one node", servers: "redis", oneNode: true, ...python() },
  { name: "redis-py, one node, 1 ms", servers: "redis", oneNode: true, waitsOnly: true, ...python({ RETRY_DELAY: "1" }) },
  { name: "etcd", servers: "etcd", ...node("etcd_peer.mjs") },
];
const ofKinds = words.includes("--kinds");
const peers = (ofKinds ? kindPeers(library, node) : plainPeers).filter(({ name }) => !only || name === only);

async function measure(peer, servers) {
  const found = { name: peer.name, servers: peer.servers, nodes: servers.addresses.length };
  const attempt = async (name, measurement) => {
    process.stderr.write(`${peer.name}: ${name}\n`);
    try {
      found[name] = await measurement();
    } catch (error) {
      found[name] = { error: error.message };
    }
  };
  if (!peer.waitsOnly)
    for (const inflight of [1, 64, 1024]) await attempt(`inflight_${inflight}`, () => cycles(peer, servers, seconds, inflight));
  await attempt("two_processes", () => contend(peer, servers, seconds, 2));
  await attempt("eight_processes", () => contend(peer, servers, seconds, 8));
  if (peer.waitsOnly) return found;
  await attempt("held", () => hold(peer, servers));
  if (peer.oneNode) return found;
  servers.stopOne();
  await pause(100);
  await attempt("one_stopped", () => cycles(peer, servers, seconds, 64));
  servers.resumeOne();
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "redlock-peers-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const results = [];
for (const [number, peer] of peers.entries()) {
  const count = peer.oneNode ? 1 : 5;
  const data = join(folder, String(number));
  const servers = await { redis: startRedis, etcd: startEtcd, zookeeper: startZooKeeper }[peer.servers](count, data);
  results.push(await (ofKinds ? measureKinds(peer, servers, seconds) : measure(peer, servers)));
  await servers.end();
}
const report = { machine: { cores: cpus().length, model: cpus()[0]?.model ?? "" }, seconds, results };
printTable(report, ofKinds ? kindRows : rows);
if (option("--json")) writeFileSync(option("--json"), `${JSON.stringify(report, null, 2)}\n`);
if (option("--charts") && !ofKinds) drawCharts(report, option("--charts"));
// That others fail is their own affair.
const failures = results.flatMap((result) =>
  Object.entries(result)
    .filter(([, part]) => (part?.overlaps > 0 && !(ofKinds && result.name !== "asio-redlock")) || (part?.error && result.name === "asio-redlock"))
    .map(([name, part]) => `${result.name}: ${name}: ${part.error ?? `${part.overlaps} overlaps`}`),
);
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);
