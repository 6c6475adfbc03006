import type { JsonObject } from "../../../schemas/json/json.ts";

/** Results that break the rules for results in ways that were met; a caller gets them as they are. */
export const ODD_RESULTS: [string, JsonObject][] = [
  ["no content", { structuredContent: { a: 1 } }],
  ["content that is no array", { content: "text" }],
  ["content of an unknown type", { content: [{ type: "video", data: "x" }, null] }],
  ["a scalar as structured content", { content: [], structuredContent: 7 }],
  ["the result of an old revision", { toolResult: 42 }],
  ["an _meta of its own", { content: [], _meta: { "codemode/ticket": 1 } }],
  ["nothing", {}],
];
