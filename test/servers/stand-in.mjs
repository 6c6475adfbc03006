// An MCP server that lists the tools of a real one, as they were recorded in test/golden/cases, and has the answers of a few of them.
// It starts in a fifth of the time of the real one and ends at once: for tests that are about codemode, not about the server.
// usage: stand-in.mjs everything|memory
import { readFileSync } from "node:fs";
import { answerLines } from "./answer-lines.mjs";

const [name] = process.argv.slice(2);
const recorded = new URL(`../golden/cases/${name}.json`, import.meta.url);
const { serverInfo, tools } = JSON.parse(readFileSync(recorded, "utf8"));

const text = (words) => ({ content: [{ type: "text", text: words }] });
const structured = (value) => ({ ...text(JSON.stringify(value)), structuredContent: value });

const calls = {
  echo: ({ message }) => text(`Echo: ${message}`),
  "get-sum": ({ a, b }) => text(`The sum of ${a} and ${b} is ${a + b}.`),
  "get-structured-content": () => structured({ temperature: 36, conditions: "Light rain / drizzle", humidity: 82 }),
  "get-tiny-image": () => ({
    content: [...text("Here is the image:").content, { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }],
  }),
  "get-resource-links": () => text("Here are 0 resource links."),
  // Works until it is cancelled.
  "trigger-long-running-operation": () => null,
  delete_entities: () => structured({ success: true, message: "Entities deleted successfully" }),
};

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo }),
  "tools/list": () => ({ tools }),
  "tools/call": (params) => calls[params.name]?.(params.arguments ?? {}),
};

answerLines(answers);
