// Interleaves runs of clients with different credentials for the same two servers, a program and a remote one: `node bench/client-credentials.js
// [RUNS] [CLIENTS]`. It needs a build. Exit code 1 means that a run saw data of another client, or a wrong answer.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startTenantServer } from "../test/servers/tenant-server.mjs";

const [runs = 1000, count = 2] = process.argv.slice(2).map(Number);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Letters only, as the server reads them. */
const names = Array.from({ length: count }, (_, index) => `client${String.fromCharCode(97 + index)}`);
const variable = (name) => `TOKEN_${name.toUpperCase()}`;
const env = Object.fromEntries(
  ["shared", ...names].map((name) => [variable(name), `token-of-${name}-0123456789abcdef`]),
);

const remote = await startTenantServer();
const folder = await mkdtemp(join(tmpdir(), "codemode-credentials-"));
const local = { command: process.execPath, args: [here("../test/servers/tenant-server.mjs")] };
const valuesOf = (name) => ({
  local: { env: { TENANT_TOKEN: `\${${variable(name)}}` } },
  remote: { headers: { Authorization: `Bearer \${${variable(name)}}` } },
});
const shared = valuesOf("shared");
const config = {
  mcpServers: { local: { ...local, ...shared.local }, remote: { url: remote.url, ...shared.remote } },
  serve: {
    queue: { maxWaiting: runs },
    clients: Object.fromEntries(names.map((name) => [name, { token: `serve-${name}`, servers: valuesOf(name) }])),
  },
};
await writeFile(join(folder, "codemode.config.json"), JSON.stringify(config));

const args = [here("../dist/cli/main.js"), "serve", "--trust", "--http", "0"];
const child = spawn(process.execPath, args, {
  cwd: folder,
  env: { ...process.env, ...env },
  stdio: ["ignore", "inherit", "pipe"],
});
const closed = once(child, "close");
const url = await new Promise((resolve, reject) => {
  createInterface({ input: child.stderr }).on("line", (line) => {
    const found = /http:[^\s"]+\/mcp/.exec(line)?.[0];
    if (found !== undefined) resolve(new URL(found));
  });
  void closed.then(([code]) => reject(new Error(`codemode ended with ${code}`)));
});

const SCRIPT = `import { whoami as local } from "@codemode/servers/local";
import { whoami as remote } from "@codemode/servers/remote";
export default (await Promise.all([local({}), remote({}), local({}), remote({})])).map(({ owner }) => owner);`;

const clients = await Promise.all(
  names.map(async (name) => {
    const client = new Client({ name: "bench", version: "1" });
    const headers = { authorization: `Bearer serve-${name}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return { name, client };
  }),
);

const mixed = [];
let done = 0;
const startedAt = performance.now();
async function work() {
  while (done < runs) {
    const { name, client } = clients[done % clients.length];
    done += 1;
    const { structuredContent } = await client.callTool({ name: "codemode.run", arguments: { code: SCRIPT } });
    const { result, diagnostics } = structuredContent;
    if (JSON.stringify(result) !== JSON.stringify(Array(4).fill(name))) mixed.push({ name, result, diagnostics });
  }
}
await Promise.all(Array.from({ length: 8 }, work));
const seconds = (performance.now() - startedAt) / 1000;

await Promise.all(clients.map(({ client }) => client.close()));
child.kill("SIGTERM");
await closed;
await remote.close();
await rm(folder, { recursive: true, force: true });

console.table({ clients: count, runs, "runs a second": (runs / seconds).toFixed(1), "wrong or mixed": mixed.length });
for (const wrong of mixed.slice(0, 5)) console.error(JSON.stringify(wrong));
process.exitCode = mixed.length === 0 ? 0 : 1;
