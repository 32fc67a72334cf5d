// The npm packages redlock and redlock-universal as peers, on ioredis. PEER says which; RETRY_DELAY, in milliseconds, takes
// the place of the package's own delay between two tries. Run where the packages are installed.

import { createRequire } from "node:module";
import { join } from "node:path";
import { now, run } from "./scenarios.mjs";

const require = createRequire(join(process.cwd(), "here.js"));
const Redis = require("ioredis").default;
const delay = process.env.RETRY_DELAY;
const ttl = 60_000;

function openRedlock(nodes) {
  const { default: Redlock, ExecutionError } = require("redlock");
  const locks = new Redlock(nodes, delay ? { retryDelay: Number(delay), retryJitter: Number(delay) } : {});
  return {
    // Its retries come to an end; who waits begins anew.
    async lock(key, end) {
      for (;;) {
        try {
          return await locks.acquire([key], ttl);
        } catch (error) {
          if (!(error instanceof ExecutionError) || end === undefined) throw error;
          if (now() >= end) return undefined;
        }
      }
    },
    unlock: (held) => held.release(),
  };
}

function openUniversal(nodes) {
  const { createRedlock, IoredisAdapter, LockAcquisitionError } = require("redlock-universal");
  const adapters = nodes.map((node) => new IoredisAdapter(node));
  const options = delay ? { retryDelay: Number(delay) } : {};
  return {
    async lock(key, end) {
      const locks = createRedlock({ adapters, key, ttl, ...options });
      for (;;) {
        try {
          return { locks, handle: await locks.acquire() };
        } catch (error) {
          if (!(error instanceof LockAcquisitionError) || end === undefined) throw error;
          if (now() >= end) return undefined;
        }
      }
    },
    unlock: ({ locks, handle }) => locks.release(handle),
  };
}

await run(async (uris) => {
  const nodes = uris.map((uri) => new Redis(uri));
  for (const node of nodes) node.on("error", () => {});
  const quorum = Math.floor(nodes.length / 2) + 1;
  let answered = 0;
  await new Promise((resolve) => {
    for (const node of nodes) node.ping().then(() => ++answered === quorum && resolve(), () => {});
  });
  return process.env.PEER === "redlock" ? openRedlock(nodes) : openUniversal(nodes);
});
