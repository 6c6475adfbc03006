// Tool lists of servers that get it wrong, as they were met in the wild. Data only: the server sends it, tests compare.

const objectSchema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
const tool = (name, fields = {}) => ({ name, description: name, inputSchema: { type: "object" }, ...fields });

/** Entries that must arrive unchanged, in spite of their invalid schemas. */
export const oddTools = [
  tool("good"),
  tool("unknown-keys", { "x-vendor": { k: 1 }, _meta: { "com.x/y": 1 }, outputSchema: objectSchema }),
  tool("missing-ref", { outputSchema: { type: "object", properties: { a: { $ref: "#/$defs/Missing" } } } }),
  tool("bad-regex", { outputSchema: { type: "object", properties: { a: { type: "string", pattern: "(?<" } } } }),
  tool("draft-2020", { outputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...objectSchema } }),
  tool("draft-2019", { outputSchema: { $schema: "https://json-schema.org/draft/2019-09/schema", ...objectSchema } }),
  tool("draft-04", { outputSchema: { $schema: "http://json-schema.org/draft-04/schema#", ...objectSchema } }),
  tool("prefix-items", {
    outputSchema: { type: "object", properties: { a: { prefixItems: [{ type: "string" }], items: false } } },
  }),
  tool("array-output", { outputSchema: { type: "array", items: { type: "number" } } }),
  tool("null-description", { description: null }),
  tool("null-title", { title: null }),
  { name: "no-input-schema" },
  tool("input-without-type", { inputSchema: { properties: {} } }),
  tool("input-any-of", { inputSchema: { anyOf: [{ type: "object" }] } }),
  tool("input-null", { inputSchema: null }),
  tool("input-number", { inputSchema: 7 }),
  tool("required-null", { inputSchema: { type: "object", required: null } }),
  tool("same-id-1", { outputSchema: { $id: "x", ...objectSchema } }),
  tool("same-id-2", { outputSchema: { $id: "x", type: "object" } }),
  tool("a b/c"),
  tool("codemode.run"),
  tool("éé"),
  tool("constructor"),
  tool("__proto__"),
  JSON.parse(
    '{"name":"proto-keys","__proto__":{"polluted":1},"inputSchema":{"properties":{"__proto__":{"type":"string"}}}}',
  ),
];

/** Entries that must be left out and reported, between two good ones. */
export const unusableEntries = [
  tool("first"),
  null,
  "text",
  ["array"],
  { description: "no name" },
  tool(7),
  tool(""),
  tool("first", { description: "again" }),
  tool("long-work", { execution: { taskSupport: "required" } }),
  tool("odd-execution", { execution: ["taskSupport", "required"] }),
  tool("maybe-long", { execution: { taskSupport: "optional" } }),
  tool("last"),
];

/** Tools with what MCP Apps, and OpenAI's apps before it, say of who may call them: `_meta`, and whether a model may. */
export const audiences = [
  [undefined, true],
  [{}, true],
  [{ ui: { resourceUri: "ui://cart/page" } }, true],
  [{ ui: { visibility: ["model", "app"] } }, true],
  [{ ui: { visibility: ["model"] } }, true],
  [{ ui: { visibility: ["app"] } }, false],
  [{ ui: { visibility: [] } }, false],
  [{ ui: { visibility: "app" } }, false],
  [{ ui: { visibility: null } }, false],
  [{ ui: { visibility: ["Model"] } }, false],
  [{ ui: "app" }, true],
  [{ "openai/visibility": "public" }, true],
  [{ "openai/visibility": "private" }, false],
  [{ "openai/visibility": true }, false],
  [{ "openai/visibility": "private", ui: { visibility: ["model"] } }, false],
].map(([_meta, isForModels], index) => ({ ...tool(`audience-${index}`), ...(_meta && { _meta }), isForModels }));
