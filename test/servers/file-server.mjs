// An MCP server whose tool list is a JSON file, read again for each request: tests change it while clients use it.
// A tool answers what its "x-answer" says, else a text of its input. It fails with its "x-error", ends the server with "x-exit",
// answers how often it was called with "x-count", and whether the environment has what "x-env" says. One with "x-change" makes
// that the list, and tells of it, before it answers. With one that says "x-list-last" the list is answered only after the next call.
// One with "x-meta" answers the `_meta` of the call.
// usage: file-server.mjs TOOLS.json [--notify]   With --notify it tells of changes, each time three times.
import { readFileSync, watchFile, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, ...flags] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const readTools = () => JSON.parse(readFileSync(file, "utf8"));

const text = (value) => ({ content: [{ type: "text", text: String(value) }] });
let calls = 0;
const lateAnswers = [];

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: flags.includes("--notify") } },
    serverInfo: { name: "file-server", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: readTools() }),
  "tools/call": ({ name, arguments: input, _meta }) => {
    const tool = readTools().find((entry) => entry.name === name) ?? {};
    if (tool["x-exit"]) process.exit(1);
    if (tool["x-error"] !== undefined) throw tool["x-error"];
    if (tool["x-meta"]) return text(JSON.stringify(_meta ?? {}));
    if (tool["x-count"]) return text((calls += 1));
    if (tool["x-env"] !== undefined) {
      return text(Object.entries(tool["x-env"]).every(([variable, value]) => process.env[variable] === value));
    }
    if (tool["x-change"] !== undefined) {
      writeFileSync(file, JSON.stringify(tool["x-change"]));
      send({ method: "notifications/tools/list_changed" });
    }
    return tool["x-answer"] ?? text(`${name} ${JSON.stringify(input)}`);
  },
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method];
    if (answer === undefined) return send({ id, error: { code: -32601, message: "Method not found" } });
    const reply = () => {
      try {
        send({ id, result: answer(params) });
      } catch (error) {
        send({ id, error });
      }
    };
    if (method === "tools/list" && readTools().some((tool) => tool["x-list-last"])) return lateAnswers.push(reply);
    reply();
    if (method === "tools/call") for (const late of lateAnswers.splice(0)) late();
  })
  .on("close", () => process.exit());

if (flags.includes("--notify")) {
  watchFile(file, { interval: 50 }, () => {
    for (let count = 0; count < 3; count += 1) send({ method: "notifications/tools/list_changed" });
  });
}
