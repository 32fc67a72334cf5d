// What is measured of a peer. See README.md.

import { createInterface } from "node:readline";
import { resident, start as startChild } from "./servers.mjs";

function launch(peer, args, addresses, env = {}) {
  const [command, ...first] = peer.command;
  const stdio = ["pipe", "pipe", "inherit"];
  return startChild(command, [...first, ...args.map(String), ...addresses], { stdio, env: { ...process.env, ...peer.env, ...env } });
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

/// Locks of this kind, each caller with keys of its own.
export const cycles = async (peer, servers, seconds, inflight, kind = "exclusive") =>
  JSON.parse(
    await outputOf(launch(peer, ["cycles", seconds, inflight], servers.addresses, { KIND: kind }), (seconds + 30) * 1000),
  );

/// So many may hold a key of this kind beside one who wants it.
const roomFor = {
  exclusive: (active) => active.length === 0,
  leader: (active) => active.length === 0,
  mixed: (active, who) => (who.reads ? active.every(({ reads }) => reads) : active.length === 0),
  permits: (active) => active.length < 4,
};

/// So many processes want one key; each holds it for a millisecond.
export async function contend(peer, servers, seconds, count, kind = "exclusive") {
  const start = () => launch(peer, ["contend", 1000, `peer:wanted:${kind}`], servers.addresses, { KIND: kind });
  const children = Array.from({ length: count }, start);
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
    text.split("\n").slice(1).filter(Boolean).map((line) => {
      const words = line.split(" ");
      const reads = words.at(-1) === "reads";
      return { who, reads, times: words.slice(0, reads ? -1 : undefined).map((time) => Number(BigInt(time) - begin) / 1e6) };
    }));
  // A line with two times is of somebody who did not get it in the end, one after the end of somebody who got it too late.
  const grants = lines.filter(({ times }) => times.length === 3 && times[1] <= seconds * 1000);
  grants.sort((a, b) => a.times[1] - b.times[1]);
  const handoffs = [];
  let overlaps = 0;
  let active = [];
  for (let i = 0; i < grants.length; ++i) {
    const [before, after] = [grants[i - 1], grants[i]];
    active = active.filter(({ times }) => times[2] > after.times[1]);
    if (!roomFor[kind](active, after)) overlaps += 1;
    active.push(after);
    if (!before || after.times[1] < before.times[2]) continue;
    if (after.who !== before.who && after.times[0] < before.times[2]) handoffs.push(after.times[1] - before.times[2]);
  }
  handoffs.sort((a, b) => a - b);
  const waits = lines.map(({ times }) => times[1] - times[0]).sort((a, b) => a - b);
  return {
    processes: count,
    grants_per_second: grants.length / seconds,
    handoffs: handoffs.length,
    handoff_ms: [0.5, 0.9, 0.99].map((part) => handoffs[Math.floor(part * (handoffs.length - 1))] ?? null),
    wait_p99_ms: waits[Math.floor(0.99 * (waits.length - 1))] ?? 0,
    longest_wait_ms: waits.at(-1) ?? 0,
    overlaps,
  };
}

/// What 10 000 held locks take in the client and in all its servers.
export async function hold(peer, servers) {
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
