// The other kinds of lock beside those of others: who is asked, what for, and the rows of the table. See README.md.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { contend, cycles } from "./measurements.mjs";
import { rate } from "./table.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const jars = ["curator-recipes", "curator-framework", "curator-client", "zookeeper", "zookeeper-jute", "slf4j-nop"];
const classes = jars.map((name) => `/usr/share/java/${name}.jar`).join(":");
const java = ["-XX:+UseSerialGC", "-cp", classes, join(here, "CuratorPeer.java")];

const all = ["exclusive", "read", "write", "permits", "set", "leader"];
const contended = ["mixed", "permits", "leader"];

export const kindPeers = (library, node) => [
  { name: "asio-redlock", servers: "redis", command: [library], env: {}, kinds: all, contended },
  { name: "redis-semaphore", servers: "redis", ...node("semaphore_peer.mjs"), kinds: ["exclusive", "permits"], contended: ["permits"] },
  { name: "redis-semaphore, 1 ms", servers: "redis", ...node("semaphore_peer.mjs", { RETRY_DELAY: "1" }), kinds: [], contended: ["permits"] },
  { name: "Curator", servers: "zookeeper", command: ["/usr/bin/java", ...java], env: {}, kinds: all, contended },
  { name: "etcd", servers: "etcd", ...node("etcd_peer.mjs"), kinds: ["exclusive", "leader"], contended: ["leader"] },
];

export async function measureKinds(peer, servers, seconds) {
  const found = { name: peer.name, servers: peer.servers, nodes: servers.addresses.length };
  const attempt = async (name, measurement) => {
    process.stderr.write(`${peer.name}: ${name}\n`);
    try {
      found[name] = await measurement();
    } catch (error) {
      found[name] = { error: error.message };
    }
  };
  for (const kind of peer.kinds)
    for (const inflight of [1, 64]) await attempt(`${kind}_${inflight}`, () => cycles(peer, servers, seconds, inflight, kind));
  for (const kind of peer.contended) await attempt(`contended_${kind}`, () => contend(peer, servers, seconds, 8, kind));
  return found;
}

const words = {
  exclusive: "one at a time",
  read: "reading",
  write: "writing",
  permits: "one of four permits",
  set: "four keys",
  leader: "leading",
};
const wanted = {
  mixed: "eight processes, 19 of 20 read",
  permits: "eight processes, four permits",
  leader: "eight processes want to lead",
};
const contest = (part) => (part?.error ? undefined : part);

export const kindRows = [
  ...all.flatMap((kind) => [
    { title: `${words[kind]}, p50, 1 in flight`, unit: "µs", of: (r) => r[`${kind}_1`]?.cycle_us?.[0] },
    { title: `${words[kind]}, cycles, 64 in flight`, unit: "1/s", of: (r) => rate(r[`${kind}_64`]) },
  ]),
  ...contended.flatMap((kind) => [
    { title: `${wanted[kind]}, grants`, unit: "1/s", of: (r) => contest(r[`contended_${kind}`])?.grants_per_second },
    { title: `${wanted[kind]}, p99 wait`, unit: "ms", of: (r) => contest(r[`contended_${kind}`])?.wait_p99_ms },
    { title: `${wanted[kind]}, one too many`, unit: "", of: (r) => contest(r[`contended_${kind}`])?.overlaps },
  ]),
];
