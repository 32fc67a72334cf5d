// Throw-away servers on loopback in a temporary folder.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const patience = 30_000;
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

/// A child that ends with this process.
export function start(command, args, options) {
  const child = spawn(command, args, options);
  running.add(child);
  child.ended = new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`${command}: ${error.message}`)));
    child.on("exit", (code, signal) => resolve(code ?? signal));
  }).finally(() => running.delete(child));
  child.ended.catch(() => {});
  return child;
}

/// What a process has in memory, in bytes.
export const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

async function freePorts(count) {
  const found = await Promise.all(
    Array.from({ length: count }, () => new Promise((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
    })),
  );
  const ports = found.map((server) => server.address().port);
  await Promise.all(found.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const answers = (port, words, answer) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(words));
    socket.setTimeout(1000, () => socket.destroy());
    socket.on("data", (data) => (resolve(data.toString().includes(answer)), socket.destroy()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(false));
  });

async function awaitAll(children, ports, words, answer) {
  const deadline = Date.now() + patience;
  for (const [i, port] of ports.entries())
    while (!(await answers(port, words, answer))) {
      if (children[i].exitCode !== null) throw new Error(`${children[i].spawnfile} ended with ${children[i].exitCode}`);
      if (Date.now() > deadline) throw new Error(`${children[i].spawnfile} does not answer`);
      await pause(50);
    }
}

const set = (children, addresses) => ({
  addresses,
  children,
  memory: () => children.reduce((sum, child) => sum + resident(child.pid), 0),
  stopOne: () => children.at(-1).kill("SIGSTOP"),
  resumeOne: () => children.at(-1).kill("SIGCONT"),
  async end() {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.ended));
  },
});

export async function startRedis(count) {
  const ports = await freePorts(count);
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--notify-keyspace-events", "Kgxe"];
  const children = ports.map((port) => start("redis-server", ["--port", port, ...settings], { stdio: "ignore" }));
  await awaitAll(children, ports, "PING\r\n", "PONG");
  return set(children, ports.map((port) => `redis://127.0.0.1:${port}`));
}

/// One cluster of so many members, with its data in the folder.
export async function startEtcd(count, folder) {
  const ports = await freePorts(2 * count);
  const url = (port) => `http://127.0.0.1:${port}`;
  const members = Array.from({ length: count }, (_, i) => ({ name: `m${i}`, client: ports[2 * i], peer: ports[2 * i + 1] }));
  const cluster = members.map(({ name, peer }) => `${name}=${url(peer)}`).join(",");
  const children = members.map(({ name, client, peer }) =>
    start("etcd", [
      "--name", name, "--data-dir", join(folder, name), "--log-level", "error", "--initial-cluster", cluster,
      "--listen-client-urls", url(client), "--advertise-client-urls", url(client),
      "--listen-peer-urls", url(peer), "--initial-advertise-peer-urls", url(peer),
    ], { stdio: "ignore" }));
  const health = "GET /health HTTP/1.0\r\n\r\n";
  await awaitAll(children, members.map(({ client }) => client), health, '"true"');
  return set(children, members.map(({ client }) => url(client)));
}

/// Likewise, an ensemble.
export async function startZooKeeper(count, folder) {
  const ports = await freePorts(3 * count);
  const port = (i, which) => ports[3 * i + which];
  const members = Array.from({ length: count }, (_, i) => i);
  const ensemble = members.map((i) => `server.${i + 1}=127.0.0.1:${port(i, 1)}:${port(i, 2)};127.0.0.1:${port(i, 0)}`);
  const children = members.map((i) => {
    const data = join(folder, String(i));
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "myid"), String(i + 1));
    const settings = ["tickTime=1000", "initLimit=10", "syncLimit=5", `dataDir=${data}`, "admin.enableServer=false"];
    settings.push("4lw.commands.whitelist=srvr", "maxClientCnxns=0", ...ensemble);
    writeFileSync(join(data, "zoo.cfg"), `${settings.join("\n")}\n`);
    const words = ["-Xmx128m", "-XX:+UseSerialGC", "-cp", "/usr/share/java/zookeeper.jar:/usr/share/java/slf4j-nop.jar"];
    return start("java", [...words, "org.apache.zookeeper.server.quorum.QuorumPeerMain", join(data, "zoo.cfg")], { stdio: "ignore" });
  });
  // A member answers before it has a leader, and names its mode when it has one.
  await awaitAll(children, members.map((i) => port(i, 0)), "srvr", "Mode: ");
  return set(children, members.map((i) => `127.0.0.1:${port(i, 0)}`));
}
