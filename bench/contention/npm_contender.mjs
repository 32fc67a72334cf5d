// One process that contends for a key with the npm package redlock. Run where the packages are installed.
// Usage: node npm_contender.mjs FILE BEGIN MEASURED-FROM END HOLD-MS RETRY-DELAY-MS KEY NODE-URI...
// Times are nanoseconds of CLOCK_MONOTONIC; a negative delay stands for the package's own settings. FILE gets a line for
// each holding: asked granted released; of a wait that was not over at the end: asked 0 end.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const require = createRequire(join(process.cwd(), "here.js"));
const Redis = require("ioredis").default;
const { default: Redlock, ExecutionError } = require("redlock");

const [file, ...rest] = process.argv.slice(2);
const [begin, measuredFrom, end] = rest.slice(0, 3).map(BigInt);
const [hold, retryDelay] = rest.slice(3, 5).map(Number);
const [key, ...uris] = rest.slice(5);
const now = () => process.hrtime.bigint();

const nodes = uris.map((uri) => new Redis(uri));
const locks = new Redlock(nodes, retryDelay < 0 ? {} : { retryDelay, retryJitter: retryDelay });
await Promise.all(nodes.map((node) => node.ping()));

const lines = [];
const milliseconds = (until) => Math.max(0, Number(until - now()) / 1e6);
await pause(milliseconds(begin));
while (now() < end) {
  const asked = now();
  let held;
  while (!held && now() < end) {
    try {
      held = await locks.acquire([key], 10_000);
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
    }
  }
  if (!held) {
    lines.push(`${asked} 0 ${end}`);
    break;
  }
  const granted = now();
  await pause(hold);
  const released = now();
  if (granted >= measuredFrom && granted < end) lines.push(`${asked} ${granted} ${released}`);
  await held.release().catch(() => {});
}
writeFileSync(file, lines.join("\n"));
for (const node of nodes) node.disconnect();
