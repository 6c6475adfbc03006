// An MCP server that appends the number of each call and the key of its run to a file: what was done how often.
// usage: ledger-server.mjs FILE
import { appendFileSync } from "node:fs";
import { answerLines } from "../servers/answer-lines.mjs";

const [file] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { line: { type: "number" } }, required: ["line"] };

answerLines({
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} } },
    serverInfo: { name: "ledger", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "add", inputSchema }] }),
  "tools/call": ({ arguments: { line }, _meta }) => {
    appendFileSync(file, `${line} ${_meta["dev.codemode/run-key"]}\n`);
    return { content: [{ type: "text", text: `added ${line}` }] };
  },
});
