// An MCP server whose patterns take an engine that tracks back longer than any run: on texts of a script, and on its own examples.
import { answerLines } from "./answer-lines.mjs";

const slow = { type: "string", pattern: "^(a+)+$", examples: [`${"a".repeat(60)}!`] };

answerLines({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "slow-pattern", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [
      {
        name: "name",
        inputSchema: {
          type: "object",
          properties: { text: slow },
          patternProperties: { "^(x+)+$": { type: "string" } },
          required: ["text"],
        },
      },
    ],
  }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text }] }),
});
