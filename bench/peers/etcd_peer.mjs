// etcd's lock service, or its election, as a peer, over its JSON gateway with one lease for the process, as etcd's own clients have it.

import { Agent, request } from "node:http";
import { run } from "./scenarios.mjs";

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const base64 = (text) => Buffer.from(text).toString("base64");

await run(async (nodes) => {
  const post = (server, path, body, limit) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
      const call = request(server + path, { method: "POST", agent, headers }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => {
          const all = Buffer.concat(parts).toString();
          if (answer.statusCode === 200) resolve(JSON.parse(all));
          else reject(new Error(all));
        });
      });
      call.on("error", reject);
      if (limit) call.setTimeout(limit, () => call.destroy(new Error("no answer")));
      call.end(text);
    });

  // Those that do not answer now are left out.
  const looks = await Promise.allSettled(nodes.map((server) => post(server, "/v3/maintenance/status", {}, 2000)));
  const servers = nodes.filter((_, i) => looks[i].status === "fulfilled");
  let turn = 0;
  const ask = (path, body) => post(servers[turn++ % servers.length], path, body);

  const { ID: lease } = await ask("/v3/lease/grant", { TTL: 120 });
  if (process.env.KIND === "leader")
    return {
      lock: async (name) => (await ask("/v3/election/campaign", { name: base64(name), lease, value: base64("here") })).leader,
      unlock: (leader) => ask("/v3/election/resign", { leader }),
    };
  return {
    lock: async (key) => (await ask("/v3/lock/lock", { name: base64(key), lease })).key,
    unlock: (key) => ask("/v3/lock/unlock", { key }),
  };
});
