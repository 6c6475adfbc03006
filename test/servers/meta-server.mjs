// An MCP server whose tool `meta` returns the `_meta` of its call, writes a line to the file that it is given, and waits as long as it is asked to.
// Usage: node meta-server.mjs [FILE] [reads|repeats]. With `reads` the tool says that it only reads, with `repeats` that it may be called again.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, kind] = process.argv.slice(2);
const schema = { type: "object", properties: { waitMs: { type: "number" } } };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "meta-server", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "meta",
        inputSchema: schema,
        annotations: { readOnlyHint: kind === "reads", idempotentHint: kind === "repeats" },
      },
    ],
  }),
  async "tools/call"({ arguments: { waitMs = 0 }, _meta = {} }) {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(_meta)}\n`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return { content: [{ type: "text", text: JSON.stringify(_meta) }], structuredContent: _meta };
  },
};

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const { id, method, params } = JSON.parse(line);
    if (!(method in answers) || id === undefined) return;
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: await answers[method](params) }));
  })
  .on("close", () => process.exit());
