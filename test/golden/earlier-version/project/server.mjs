// An MCP server that writes each entry into a file of its folder. The entry `held` waits until there is a file `open`.
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const inputSchema = { type: "object", required: ["entry"], properties: { entry: { type: "string" } } };
const annotations = { readOnlyHint: false, idempotentHint: false };
const tools = ["book", "pay"].map((name) => ({ name, inputSchema, annotations }));
const answers = {
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ledger", version: "1.0.0" } },
  }),
  "tools/list": () => ({ tools }),
  async "tools/call"({ name, arguments: { entry } }) {
    while (entry === "held" && !existsSync("open")) await delay(20);
    const text = `${name} ${entry}`;
    appendFileSync("ledger.txt", `${text}\n`);
    return { content: [{ type: "text", text }] };
  },
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = await answers[method]?.(params);
  const error = { code: -32601, message: "Method not found" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) }));
});
