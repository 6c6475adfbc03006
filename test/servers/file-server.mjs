// An MCP server whose tool list is a JSON file, read anew for each request: tests change it under everybody's feet.
// A tool answers what its "x-answer" says, else a text of its input.
// usage: file-server.mjs TOOLS.json [--notify]   With --notify it tells of changes, each time three times.
import { readFileSync, watchFile } from "node:fs";
import { createInterface } from "node:readline";

const [file, ...flags] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const readTools = () => JSON.parse(readFileSync(file, "utf8"));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: flags.includes("--notify") } },
    serverInfo: { name: "file-server", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: readTools() }),
  "tools/call": ({ name, arguments: input }) =>
    readTools().find((tool) => tool.name === name)?.["x-answer"] ?? {
      content: [{ type: "text", text: `${name} ${JSON.stringify(input)}` }],
    },
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method];
    send(
      answer === undefined
        ? { id, error: { code: -32601, message: "Method not found" } }
        : { id, result: answer(params) },
    );
  })
  .on("close", () => process.exit());

if (flags.includes("--notify")) {
  watchFile(file, { interval: 50 }, () => {
    for (let count = 0; count < 3; count += 1) send({ method: "notifications/tools/list_changed" });
  });
}
