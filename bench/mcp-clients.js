// What a connection to a server costs this side of it: `node bench/mcp-clients.js [ROUNDS] [FOLDER]`, after a build. Processor time in this process
// until it is connected, with all that it loads for that, and of a call: over a pipe and over HTTP, ours and the SDK's client, each as it is installed
// and linked into a few files, and ours of another checkout that is built in FOLDER. Each round starts a process of its own. Prints Markdown.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const WARM_UP = 100;
const CALLS = 400;

const CONNECT = { ours: connectOurs, sdk: connectSdk, fetch: connectFetch };

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const EVERYTHING = here("../node_modules/@modelcontextprotocol/server-everything/dist/index.js");

if (process.argv[2] === "client") await measureClient(...process.argv.slice(3));
else await compareClients(Number(process.argv[2] ?? 7), process.argv[3]);

/** In a process of its own: prints the processor time in milliseconds until connected, of a call, and the resident memory in MB. */
async function measureClient(kind, module, url) {
  const start = process.cpuUsage();
  const connection = await CONNECT[kind](module, url);
  const connectMs = spentMs(start);
  for (let count = 0; count < WARM_UP; count += 1) await connection.call();
  const warm = process.cpuUsage();
  for (let count = 0; count < CALLS; count += 1) await connection.call();
  const callMs = spentMs(warm) / CALLS;
  const memory = process.memoryUsage.rss() / 2 ** 20;
  await connection.close();
  console.log(JSON.stringify({ connectMs, callMs, memory }));
}

function spentMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function connectOurs(module, url) {
  const { connectWithLogin } = await import(module);
  const common = { id: "everything", name: "everything", timeoutMs: 20_000, era: "legacy" };
  const target =
    url === undefined
      ? {
          ...common,
          transport: "stdio",
          command: process.execPath,
          args: [EVERYTHING, "stdio"],
          env: {},
          cwd: here("."),
        }
      : { ...common, transport: "http", url, headers: {} };
  const connection = await connectWithLogin(target);
  return { call: () => connection.callTool("echo", { message: "x" }), close: () => connection.close() };
}

async function connectSdk(module, url) {
  const { Client, StreamableHTTPClientTransport, StdioClientTransport } = await import(module);
  const client = new Client({ name: "bench", version: "1" });
  const transport =
    url === undefined
      ? new StdioClientTransport({ command: process.execPath, args: [EVERYTHING, "stdio"], stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  return {
    call: () => client.callTool({ name: "echo", arguments: { message: "x" } }),
    close: () => client.close(),
  };
}

async function compareClients(rounds, before) {
  const folder = await mkdtemp(here("../node_modules/.cache/codemode-clients-"));
  const port = await findFreePort();
  const server = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
    stdio: "ignore",
    env: { ...process.env, PORT: String(port) },
  });
  try {
    const url = `http://127.0.0.1:${port}/mcp`;
    await waitFor(url);
    const ours = here("../dist/runtime/mcp/connect-with-login.js");
    const clients = [
      ["ours, linked", "ours", await link(ours, join(folder, "ours"))],
      ["ours, as compiled", "ours", ours],
      ["the SDK's, linked", "sdk", await link(here("suite/sdk-client.js"), join(folder, "sdk"))],
      ["the SDK's, as installed", "sdk", here("suite/sdk-client.js")],
    ];
    if (before !== undefined) {
      const module = resolve(before, "dist/runtime/mcp/connect-with-login.js");
      clients.push(["ours before, linked", "ours", await link(module, join(folder, "before"))]);
      clients.push(["ours before, as compiled", "ours", module]);
    }
    console.log("| over | client | until connected | a call | resident |\n| --- | --- | ---: | ---: | ---: |");
    printRows("a pipe", clients, rounds, []);
    printRows("HTTP", [...clients, ["Node's `fetch` alone", "fetch", ours]], rounds, [url]);
  } finally {
    server.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

/** The clients take turns, so that a busy machine is no client's own. */
function printRows(over, clients, rounds, args) {
  const measured = clients.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, [, kind, module]] of clients.entries()) {
      const words = [fileURLToPath(import.meta.url), "client", kind, pathToFileURL(module).href, ...args];
      // A login of the person who measures is no part of it.
      const env = { ...process.env, XDG_STATE_HOME: here("../node_modules/.cache/bench-state") };
      measured[at].push(JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8", env })));
    }
  }
  for (const [at, [name]] of clients.entries()) {
    const median = (key) => measured[at].map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
    const cells = [
      `${median("connectMs").toFixed(1)} ms`,
      `${median("callMs").toFixed(3)} ms`,
      `${median("memory").toFixed(0)} MB`,
    ];
    console.log(`| ${over} | ${name} | ${cells.join(" | ")} |`);
  }
}

/** The same requests with Node's `fetch` alone and unread: what HTTP costs at least. */
async function connectFetch(_module, url) {
  let session = {};
  const send = async (message) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...session };
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    await response.text();
    return response;
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const opened = await send({ id: 1, method: "initialize", params });
  session = { "mcp-session-id": opened.headers.get("mcp-session-id"), "mcp-protocol-version": "2025-11-25" };
  await send({ method: "notifications/initialized" });
  const call = { id: 2, method: "tools/call", params: { name: "echo", arguments: { message: "x" } } };
  return { call: () => send(call), close: () => undefined };
}

/** What is imported when it is needed stays in files of its own. */
async function link(input, dir) {
  const bundle = await rolldown({ input: { client: input }, platform: "node", logLevel: "silent" });
  await bundle.write({ dir, format: "esm", entryFileNames: "client.mjs", chunkFileNames: "[name].mjs", minify: true });
  await bundle.close();
  return join(dir, "client.mjs");
}

async function findFreePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function waitFor(url) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await (await fetch(url)).body?.cancel();
    } catch (error) {
      if (tries === 200) throw error;
      await delay(50);
    }
  }
}
