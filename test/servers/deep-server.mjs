// An MCP server that nests a value so deeply that code which walks it ends its own stack: the schema of its tool, or what it says of itself.
// usage: deep-server.mjs schema|itself LEVELS
import { createInterface } from "node:readline";

const [where, levels] = process.argv.slice(2);
const nested = '{"type":"object","properties":{"a":'.repeat(Number(levels)) + "true" + "}}".repeat(Number(levels));
const capabilities = where === "itself" ? `{"tools":{},"experimental":{"deep":${nested}}}` : '{"tools":{}}';
const results = {
  initialize: `{"protocolVersion":"2025-06-18","capabilities":${capabilities},"serverInfo":{"name":"deep","version":"1"}}`,
  "tools/list": `{"tools":[{"name":"dig","inputSchema":${where === "schema" ? nested : '{"type":"object"}'}}]}`,
  "tools/call": '{"content":[{"type":"text","text":"dug"}]}',
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = results[method];
    const part = answer === undefined ? '"error":{"code":-32601,"message":"Method not found"}' : `"result":${answer}`;
    console.log(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${part}}`);
  })
  .on("close", () => process.exit());
