// The npm package redis-semaphore as a peer, on ioredis: its lock and its semaphore over several servers. KIND says which;
// RETRY_DELAY, in milliseconds, takes the place of the package's own delay between two tries.

import { createRequire } from "node:module";
import { join } from "node:path";
import { now, run } from "./scenarios.mjs";

const require = createRequire(join(process.cwd(), "here.js"));
const Redis = require("ioredis").default;
const { RedlockMutex, RedlockSemaphore, TimeoutError } = require("redis-semaphore");
const permits = 4;

await run(async (uris) => {
  const nodes = uris.map((uri) => new Redis(uri));
  for (const node of nodes) node.on("error", () => {});
  await Promise.all(nodes.map((node) => node.ping()));
  const options = { lockTimeout: 60_000, acquireTimeout: 10_000 };
  if (process.env.RETRY_DELAY) options.retryInterval = Number(process.env.RETRY_DELAY);
  const make = (key) =>
    process.env.KIND === "permits"
      ? new RedlockSemaphore(nodes, key, permits, options)
      : new RedlockMutex(nodes, key, options);
  return {
    async lock(key, end) {
      const one = make(key);
      for (;;) {
        try {
          await one.acquire();
          return one;
        } catch (error) {
          if (!(error instanceof TimeoutError) || end === undefined) throw error;
          if (now() >= end) return undefined;
        }
      }
    },
    unlock: (held) => held.release(),
  };
});
