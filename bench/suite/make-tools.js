import { lockServer } from "../../dist/schemas/lock/lock-server.js";

const VERBS = ["list", "get", "create", "update", "delete", "search", "export", "archive"];
const NOUNS = [
  "issue",
  "page",
  "invoice",
  "deployment",
  "contact",
  "branch",
  "message",
  "calendar",
  "report",
  "ticket",
];

/** Tools as real servers have them: some texts, choices, a nested object, a list; a third of them with an output schema. */
function makeTools(count, remark = "") {
  return Array.from({ length: count }, (_, index) => {
    const [verb, noun] = [VERBS[index % VERBS.length], NOUNS[Math.floor(index / VERBS.length) % NOUNS.length]];
    const name = `${verb}_${noun}_${index}`;
    const text = (description) => ({ type: "string", description });
    const filter = {
      type: "object",
      description: `Which ${noun}s are meant`,
      properties: {
        query: text("Words to look for"),
        since: text("ISO 8601 date"),
        labels: { type: "array", items: text("A label") },
      },
      additionalProperties: false,
    };
    const properties = {
      id: text(`The id of the ${noun}`),
      title: { ...text("A short title"), maxLength: 200 },
      state: { type: "string", enum: ["open", "closed", "draft", "archived"], description: "The state to be in" },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      isPrivate: { type: "boolean" },
      filter,
    };
    return {
      name,
      description: `${verb} a ${noun} of the workspace${remark}. Fails where the ${noun} does not exist or may not be seen.`,
      inputSchema: { type: "object", properties, required: ["id"] },
      ...(index % 3 === 0
        ? {
            outputSchema: {
              type: "object",
              properties: { id: text("id"), items: { type: "array", items: filter } },
              required: ["id"],
            },
          }
        : {}),
    };
  });
}

/** A lock entry of made-up tools; `remark` goes into the description of the first one. */
export function lockMadeUp(id, count, remark = "") {
  const source = { transport: "stdio", command: "server", args: [], env: new Map() };
  const snapshot = {
    serverInfo: { name: id, version: "1.0.0" },
    tools: [...makeTools(1, remark), ...makeTools(count).slice(1)],
    protocolVersion: "2025-11-25",
    era: "legacy",
    capabilities: {},
    clientCapabilities: {},
  };
  return lockServer({ id, name: id, source }, snapshot);
}
