// An MCP server over HTTP that counts what it is asked to do: for tests of calls that must be made once, also when their caller is killed.
import { createServer } from "node:http";

const entry = { type: "object", required: ["entry"], properties: { entry: { type: "string" } } };
const TOOLS = [
  {
    name: "book",
    inputSchema: entry,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  {
    name: "pay",
    inputSchema: entry,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  {
    name: "order",
    inputSchema: entry,
    annotations: { idempotentHint: false, "dev.codemode/takes-run-key": true },
  },
  { name: "put", inputSchema: entry, annotations: { readOnlyHint: false, idempotentHint: true } },
  { name: "look", inputSchema: entry, annotations: { readOnlyHint: true } },
];

/** How often each entry was booked and paid. */
const booked = new Map();

/** The calls of `order` that came, by the key of their run and their number. */
const ordered = new Set();

const call = ({ name, arguments: { entry: text }, _meta = {} }) => {
  const made = `${name} ${text}`;
  const known = `${_meta["dev.codemode/run-key"]} ${_meta["dev.codemode/call-number"]}`;
  const isNew = name === "order" && !ordered.has(known);
  if (isNew) ordered.add(known);
  if (isNew || name === "book" || name === "pay") booked.set(made, (booked.get(made) ?? 0) + 1);
  return { content: [{ type: "text", text: `${name} ${text}` }] };
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ledger", version: "1.0.0" } },
  }),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": call,
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://ledger");
  if (pathname === "/booked") return response.end(JSON.stringify([...booked]));
  if (pathname === "/made") return response.end(String(booked.get(searchParams.get("entry")) ?? 0));
  let text = "";
  for await (const chunk of request) text += chunk;
  const { id, method, params } = text === "" ? {} : JSON.parse(text);
  const result = answers[method]?.(params ?? {});
  if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
  if (method === "tools/call") await new Promise((resolve) => setTimeout(resolve, Number(process.env.DELAY_MS ?? 5)));
  const outcome = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result };
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: server.address().port }));
process.on("disconnect", () => process.exit());
