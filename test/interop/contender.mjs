// Takes locks with the npm package redlock as told on standard input, one command a line, and answers in lines:
//   acquire KEY TTL              one attempt; "granted" or "refused"
//   release                      "released" or "lost"
//   contend FOLDER KEY...        holds the keys in turn until the next line arrives; then "stopped HOLDS"
// Usage: node contender.mjs NAME NODE-URI...

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import Redis from "ioredis";
import Redlock, { ExecutionError } from "redlock";

const [name, ...uris] = process.argv.slice(2);
const nodes = uris.map((uri) => new Redis(uri));
const locks = new Redlock(nodes, { retryCount: 0 });

let lock;
let contention;

// Tries until it holds the key. The package's own retries keep the votes of one attempt and do not count them in the
// next: a few attempts that each win a minority can lock everybody out, itself included, for as long as it goes on. An
// attempt that fails for good gives its votes back.
async function acquirePatiently(key) {
  for (;;) {
    try {
      return await locks.acquire([key], 10_000);
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
    }
    await pause(2 + 10 * Math.random());
  }
}

// Every hold reads a counter, lets the others have a go at it, and writes it back: whoever held the key meanwhile
// would lose an update. The history has the times of the same clock that the C++ side uses, CLOCK_MONOTONIC.
async function holdOnce(folder, key) {
  const held = await acquirePatiently(key);
  const entered = process.hrtime.bigint();
  const counter = `${folder}/${key}.counter`;
  const count = Number(readFileSync(counter, "utf8"));
  await pause(1);
  writeFileSync(counter, String(count + 1));
  const left = process.hrtime.bigint();
  appendFileSync(`${folder}/history`, `${name} ${key} ${entered} ${left}\n`);
  await held.release();
}

async function contend(folder, keys, state) {
  let holds = 0;
  for (; !state.stopped; ++holds) await holdOnce(folder, keys[holds % keys.length]);
  return holds;
}

async function acquire(key, ttl) {
  try {
    lock = await locks.acquire([key], Number(ttl));
    return "granted";
  } catch (error) {
    if (error instanceof ExecutionError) return "refused";
    throw error;
  }
}

async function release() {
  try {
    await lock.release();
    return "released";
  } catch (error) {
    if (error instanceof ExecutionError) return "lost";
    throw error;
  }
}

async function answer(command, ...rest) {
  if (command === "acquire") return acquire(...rest);
  if (command === "release") return release();
  if (command === "contend") {
    const state = { stopped: false };
    const [folder, ...keys] = rest;
    contention = { state, holds: contend(folder, keys, state) };
    return "contending";
  }
  contention.state.stopped = true;
  return `stopped ${await contention.holds}`;
}

await Promise.all(nodes.map((node) => node.ping()));
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) console.log(await answer(...line.split(" ")));
for (const node of nodes) node.disconnect();
