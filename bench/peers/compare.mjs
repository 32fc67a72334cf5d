// Compares this library with other locks, each with its own servers, one after another. See README.md.
//   node compare.mjs PEER-OF-THE-LIBRARY [--seconds N] [--json FILE] [--charts FOLDER] [--only NAME]

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { drawCharts } from "./charts.mjs";
import { resident, start, startEtcd, startRedis } from "./servers.mjs";
import { printTable } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [library, ...words] = process.argv.slice(2);
const option = (name, otherwise) => (words.includes(name) ? words[words.indexOf(name) + 1] : otherwise);
const seconds = Number(option("--seconds", 5));
const only = option("--only");

const node = (file, env = {}) => ({ command: [process.execPath, join(here, file)], env });
const python = (env = {}) => ({ command: ["/usr/bin/python3", join(here, "redis_py_peer.py")], env });
const peers = [
  { name: "asio-redlock", servers: "redis", command: [library], env: {} },
  { name: "redlock (npm)", servers: "redis", ...node("npm_peer.mjs", { PEER: "redlock" }) },
  { name: "redlock (npm), 1 ms", servers: "redis", waitsOnly: true, ...node("npm_peer.mjs", { PEER: "redlock", RETRY_DELAY: "1" }) },
  { name: "redlock-universal", servers: "redis", ...node("npm_peer.mjs", { PEER: "universal" }) },
  { name: "redlock-universal, 1 ms", servers: "redis", waitsOnly: true, ...node("npm_peer.mjs", { PEER: "universal", RETRY_DELAY: "1" }) },
  { name: "redis-py, one node", servers: "redis", oneNode: true, ...python() },
  { name: "redis-py, one node, 1 ms", servers: "redis", oneNode: true, waitsOnly: true, ...python({ RETRY_DELAY: "1" }) },
  { name: "etcd", servers: "etcd", ...node("etcd_peer.mjs") },
].filter(({ name }) => !only || name === only);

function launch(peer, args, addresses) {
  const [command, ...first] = peer.command;
  const stdio = ["pipe", "pipe", "inherit"];
  return start(command, [...first, ...args.map(String), ...addresses], { stdio, env: { ...process.env, ...peer.env } });
}

/// All that it prints; throws when it fails, or takes so much longer than it should.
async function outputOf(child, limit) {
  const timer = setTimeout(() => child.kill("SIGKILL"), limit);
  const parts = [];
  child.stdout.on("data", (part) => parts.push(part));
  const code = await child.ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`ended with ${code}`);
  return Buffer.concat(parts).toString();
}

const cycles = async (peer, servers, inflight) =>
  JSON.parse(await outputOf(launch(peer, ["cycles", seconds, inflight], servers.addresses), (seconds + 30) * 1000));

/// So many processes want one key; each holds it for a millisecond.
async function contend(peer, servers, count) {
  const children = Array.from({ length: count }, () => launch(peer, ["contend", 1000, "peer:wanted"], servers.addresses));
  const outputs = children.map((child) => outputOf(child, (seconds + 120) * 1000));
  await Promise.race([
    Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once("data", resolve)))),
    Promise.all(outputs).then(() => Promise.reject(new Error("it ended early"))),
  ]);
  const begin = process.hrtime.bigint() + 200_000_000n;
  const end = begin + BigInt(Math.round(seconds * 1e9));
  for (const child of children) child.stdin.end(`${begin} ${end}\n`);
  const texts = await Promise.all(outputs);
  const lines = texts.flatMap((text, who) =>
    text.split("\n").slice(1).filter(Boolean).map((line) => ({ who, times: line.split(" ").map((time) => Number(BigInt(time) - begin) / 1e6) })));
  // A line with two times is of somebody who did not get it in the end, one after the end of somebody who got it too late.
  const grants = lines.filter(({ times }) => times.length === 3 && times[1] <= seconds * 1000);
  grants.sort((a, b) => a.times[1] - b.times[1]);
  const handoffs = [];
  let overlaps = 0;
  for (let i = 1; i < grants.length; ++i) {
    const [before, after] = [grants[i - 1], grants[i]];
    if (after.times[1] < before.times[2]) overlaps += 1;
    else if (after.who !== before.who && after.times[0] < before.times[2]) handoffs.push(after.times[1] - before.times[2]);
  }
  handoffs.sort((a, b) => a - b);
  const waits = lines.map(({ times }) => times[1] - times[0]);
  return {
    processes: count,
    grants_per_second: grants.length / seconds,
    handoffs: handoffs.length,
    handoff_ms: [0.5, 0.9, 0.99].map((part) => handoffs[Math.floor(part * (handoffs.length - 1))] ?? null),
    longest_wait_ms: Math.max(0, ...waits),
    overlaps,
  };
}

/// What 10 000 held locks take in the client and in all its servers.
async function hold(peer, servers) {
  const count = 10_000;
  const child = launch(peer, ["hold", count], servers.addresses);
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const expect = async (text) => {
    if ((await lines.next()).value !== text) throw new Error("it did not take all locks");
  };
  await expect("ready");
  const before = { client: resident(child.pid), servers: servers.memory() };
  child.stdin.write("\n");
  await expect("held");
  const result = {
    locks: count,
    client_bytes_each: (resident(child.pid) - before.client) / count,
    server_bytes_each: (servers.memory() - before.servers) / count,
  };
  child.stdin.end("\n");
  await child.ended;
  clearTimeout(timer);
  return result;
}

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
    for (const inflight of [1, 64, 1024]) await attempt(`inflight_${inflight}`, () => cycles(peer, servers, inflight));
  await attempt("two_processes", () => contend(peer, servers, 2));
  await attempt("eight_processes", () => contend(peer, servers, 8));
  if (peer.waitsOnly) return found;
  await attempt("held", () => hold(peer, servers));
  if (peer.oneNode) return found;
  servers.stopOne();
  await pause(100);
  await attempt("one_stopped", () => cycles(peer, servers, 64));
  servers.resumeOne();
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "redlock-peers-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const results = [];
for (const [number, peer] of peers.entries()) {
  const count = peer.oneNode ? 1 : 5;
  const servers = peer.servers === "etcd" ? await startEtcd(count, join(folder, String(number))) : await startRedis(count);
  results.push(await measure(peer, servers));
  await servers.end();
}
const report = { machine: { cores: cpus().length, model: cpus()[0]?.model ?? "" }, seconds, results };
printTable(report);
if (option("--json")) writeFileSync(option("--json"), `${JSON.stringify(report, null, 2)}\n`);
if (option("--charts")) drawCharts(report, option("--charts"));
// That others fail is their own affair.
const failures = results.flatMap((result) =>
  Object.entries(result)
    .filter(([, part]) => part?.overlaps > 0 || (part?.error && result.name === "asio-redlock"))
    .map(([name, part]) => `${result.name}: ${name}: ${part.error ?? `${part.overlaps} overlaps`}`),
);
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);
