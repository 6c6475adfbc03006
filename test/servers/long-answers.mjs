// An MCP server by hand, whose tool `long` answers with half a megabyte: `{ kind }` says with what in it.
import { createInterface } from "node:readline";

const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `The row with the number ${id}`, mark: "ü" }));
const good = JSON.stringify({ rows });
const contents = {
  good,
  broken: good.replace('"id":5000', '"id":'),
  mismatch: good.replace('"id":5000', '"id":"no number"'),
  secret: good.replace("number 5000", process.env.API_TOKEN ?? ""),
  "hidden secret": good.replace("number 5000", (process.env.API_TOKEN ?? "").replaceAll("/", "\\/")),
};
const type = { type: "object", properties: { id: { type: "number" } } };
const tool = {
  name: "long",
  inputSchema: { type: "object", properties: { kind: { type: "string" } } },
  outputSchema: { type: "object", properties: { rows: { type: "array", items: type } } },
};
const say = (text) => process.stdout.write(`${text}\n`);
const answers = {
  initialize: ({ protocolVersion }) =>
    JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "long", version: "1" } }),
  "tools/list": () => JSON.stringify({ tools: [tool] }),
  "tools/call": ({ arguments: { kind } }) => `{"content":[],"structuredContent":${contents[kind]}}`,
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params);
  if (result === undefined) say(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } }));
  else say(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
});
