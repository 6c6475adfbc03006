/*
 * Runs a stdio server once, or several times, behind Streamable HTTP, so that replicas of `codemode serve` hold connections to it instead of processes.
 * usage: [GATEWAY_TOKEN=…] node deploy/gateway.js [HOST:]PORT INSTANCES COMMAND [ARGUMENT]…
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";

const [address = "", instances = "", command, ...args] = process.argv.slice(2);
const [, host = "127.0.0.1", port] = /^(?:(.+):)?(\d+)$/.exec(address) ?? [];
const { GATEWAY_TOKEN, ...env } = process.env;
// An empty one, as of a variable that is not set, would let everyone in.
const token = GATEWAY_TOKEN || undefined;
if (port === undefined || !(Number(instances) > 0) || command === undefined)
  stop("usage: gateway.js [HOST:]PORT INSTANCES COMMAND…");
if (token === undefined && !["127.0.0.1", "::1", "localhost"].includes(host))
  stop(`${host} can be reached over the network: set GATEWAY_TOKEN`);

const LONGEST_CALL_MS = 24 * 3_600_000;
const IDENTITY = { name: "codemode-gateway", version: "1.0.0" };
const running = await Promise.all(Array.from({ length: Number(instances) }, startInstance));

async function startInstance() {
  const client = new Client(IDENTITY);
  // A supervisor starts all of it again: half of the instances would hide that the others are gone.
  client.onclose = () => stop("an instance has ended");
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "inherit" }));
  return { client, calls: 0 };
}

/** The tools are those of one instance; each call goes to the one that has the fewest. */
function makeServer() {
  const [{ client }] = running;
  const instructions = client.getInstructions();
  const server = new Server(client.getServerVersion() ?? IDENTITY, {
    capabilities: { tools: {} },
    ...(instructions !== undefined && { instructions }),
  });
  server.setRequestHandler("tools/list", ({ params }) => client.request({ method: "tools/list", params }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const instance = running.reduce((least, each) => (each.calls < least.calls ? each : least));
    const { progressToken: _, ...meta } = params._meta ?? {};
    instance.calls += 1;
    try {
      const request = { method: "tools/call", params: { ...params, _meta: meta } };
      return await instance.client.request(request, { signal: mcpReq.signal, timeout: LONGEST_CALL_MS });
    } finally {
      instance.calls -= 1;
    }
  });
  return server;
}

const handler = createMcpHandler(makeServer);
const digest = (text) => createHash("sha256").update(text).digest();
const LOCAL_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const listener = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((error) => {
    process.stderr.write(`gateway: ${error.message}\n`);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  });
});

/** Why a request goes no further, as a status. Without a token, a page in a browser on this machine must not reach the server either. */
function refuse({ headers, method }) {
  if (token === undefined && (headers.origin !== undefined || !LOCAL_NAME.test(headers.host ?? ""))) return 403;
  const given = digest(headers.authorization ?? "");
  if (token !== undefined && !timingSafeEqual(given, digest(`Bearer ${token}`))) return 401;
  return ["GET", "POST", "DELETE"].includes(method) ? undefined : 405;
}

async function answer(incoming, outgoing) {
  const refusal = refuse(incoming);
  if (refusal !== undefined) return outgoing.writeHead(refusal).end();
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const { authorization: _, ...headers } = incoming.headers;
  const body = incoming.method === "POST" ? { body: Readable.toWeb(incoming), duplex: "half" } : {};
  const init = { method: incoming.method, headers, signal: gone.signal, ...body };
  const response = await handler.fetch(new Request("http://localhost/mcp", init));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => undefined);
}

listener.listen(Number(port), host, () =>
  process.stderr.write(`gateway: http://${host}:${listener.address().port}/mcp\n`),
);
process.once("SIGTERM", () => process.exit(0)).once("SIGINT", () => process.exit(0));

function stop(reason) {
  process.stderr.write(`gateway: ${reason}\n`);
  process.exit(1);
}
