// etcd's lock service as a peer, over its JSON gateway with one lease for the process, as etcd's own clients have it.

import { Agent, request } from "node:http";
import { run } from "./scenarios.mjs";

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const base64 = (text) => Buffer.from(text).toString("base64");

await run(async (nodes) => {
  const servers = [...nodes];
  let turn = 0;

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

  // A server that does not answer is not asked again.
  const ask = async (path, body, limit) => {
    for (;;) {
      const server = servers[turn++ % servers.length];
      try {
        return await post(server, path, body, limit);
      } catch (error) {
        if (servers.length === 1 || !(error.code || error.message === "no answer")) throw error;
        if (servers.includes(server)) servers.splice(servers.indexOf(server), 1);
      }
    }
  };

  const { ID: lease } = await ask("/v3/lease/grant", { TTL: 60 }, 2000);
  return {
    lock: async (key, end) => (await ask("/v3/lock/lock", { name: base64(key), lease }, end ? undefined : 2000)).key,
    unlock: (key) => ask("/v3/lock/unlock", { key }, 2000),
  };
});
