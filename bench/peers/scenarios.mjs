// What a peer written for Node.js does, for whatever `lock` and `unlock` it has. See README.md.

import { setTimeout as pause } from "node:timers/promises";

export const now = () => process.hrtime.bigint();
const microseconds = (from, to) => Number(to - from) / 1000;

const percentiles = (values) => {
  values.sort((a, b) => a - b);
  return [0.5, 0.9, 0.99].map((part) => values[Math.floor(part * (values.length - 1))] ?? 0);
};

async function cycles({ lock, unlock }, [seconds, inflight]) {
  const prefix = `peer:${process.pid}:`;
  await unlock(await lock(`${prefix}first`));
  const begin = now();
  const end = begin + BigInt(Math.round(Number(seconds) * 1e9));
  const found = { lock: [], cycle: [], errors: 0 };
  let last = begin;
  const loop = async (key) => {
    while (now() < end) {
      const asked = now();
      try {
        const held = await lock(key);
        const granted = now();
        await unlock(held);
        const done = now();
        last = done;
        found.lock.push(microseconds(asked, granted));
        found.cycle.push(microseconds(asked, done));
      } catch {
        found.errors += 1;
        await pause(1);
      }
    }
  };
  const loops = Array.from({ length: Number(inflight) }, (_, i) => loop(prefix + i));
  // Who is slow ends its last cycle late. A call that a stopped server keeps for ever shall not keep the measurement.
  await Promise.race([Promise.all(loops), pause(Number(seconds) * 1000 + 20_000)]);
  const result = { cycles: found.cycle.length, seconds: Math.max(Number(seconds), Number(last - begin) / 1e9) };
  Object.assign(result, { lock_us: percentiles(found.lock), cycle_us: percentiles(found.cycle), errors: found.errors });
  console.log(JSON.stringify(result));
}

const line = () => new Promise((resolve) => process.stdin.once("data", resolve));

async function contend({ lock, unlock }, [hold, key]) {
  await unlock(await lock(key + process.pid));
  console.log("ready");
  const [begin, end] = String(await line()).split(" ").map(BigInt);
  await pause(Math.max(0, Number(begin - now()) / 1e6));
  const lines = [];
  while (now() < end) {
    const asked = now();
    const held = await lock(key, end);
    const granted = now();
    if (!held) {
      lines.push(`${asked} ${granted}`);
      break;
    }
    await pause(Number(hold) / 1000);
    lines.push(`${asked} ${granted} ${now()}`);
    await unlock(held).catch(() => {});
  }
  console.log(lines.join("\n"));
}

async function hold({ lock }, [count]) {
  console.log("ready");
  await line();
  const held = [];
  for (let i = 0; i < Number(count); i += 50)
    held.push(...(await Promise.all(Array.from({ length: 50 }, (_, j) => lock(`peer:held:${i + j}`)))));
  console.log("held");
  await line();
}

/// Runs the scenario that the command line names, with `open(nodes)` giving the calls of a peer.
export async function run(open) {
  const [name, ...rest] = process.argv.slice(2);
  const wanted = { cycles: [cycles, 2], contend: [contend, 2], hold: [hold, 1] }[name];
  if (!wanted) throw new Error("usage: PEER cycles|contend|hold ARGUMENT... NODE...");
  const [scenario, count] = wanted;
  await scenario(await open(rest.slice(count)), rest.slice(0, count));
  process.exit(0);
}
