// An MCP server whose one tool never answers. Every notification that it gets is written to the file that it is given.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file] = process.argv.slice(2);
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "hanging-server", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "wait", inputSchema: { type: "object" } }] }),
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) appendFileSync(file, `${method}\n`);
    else if (method in answers) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method](params) }));
  })
  .on("close", () => process.exit());
