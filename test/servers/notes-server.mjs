// An MCP server with a tool, resources, templates and prompts, and a habit of getting one of them wrong.
// usage: notes-server.mjs [HABIT]
import { answerLines } from "./answer-lines.mjs";

const [, , habit = ""] = process.argv;

const tools = [{ name: "append", inputSchema: { type: "object" }, annotations: { destructiveHint: false } }];
const templates = [
  { uriTemplate: "note:///{folder}/{name}", name: "note", description: "One note.", mimeType: "text/plain" },
  { uriTemplate: "file:///{+path}", name: "any file" },
  { uriTemplate: "search:/{?words,tags*}", name: "list" },
];
const prompts = [
  {
    name: "review",
    description: "Asks for a review.",
    arguments: [{ name: "topic", required: true }, { name: "tone" }],
  },
];
const resources = [
  { uri: "note:///open/today", name: "today" },
  { uri: "note:///secret/key", name: "key" },
  { uri: "note:///open/../secret/key", name: "detour" },
  { name: "without a URI" },
];

const HOSTILE = '*/ `${1}`"\n\u202e</script>';
const odd = {
  "broken-entries": {
    "tools/list": () => ({
      tools: [...tools, { name: "prompt:review" }, { name: "resource:*" }, { name: "resource:x" }],
    }),
    "resources/templates/list": () => ({
      resourceTemplates: [
        ...templates,
        templates[0],
        ...[
          "note:///{open",
          "{+anything}",
          "note:///{}",
          "note:///{a b}",
          "no scheme/{x}",
          `x:/${"{a}".repeat(1000)}`,
        ].map((uriTemplate) => ({ uriTemplate, name: "bad" })),
        { uriTemplate: "x:/{a}" },
        { uriTemplate: 5, name: "number" },
        null,
      ],
    }),
    "prompts/list": () => ({
      prompts: [
        ...prompts,
        prompts[0],
        { name: "twice", arguments: [{ name: "a" }, { name: "a" }] },
        { name: "none", arguments: "a" },
        { name: "odd", arguments: [5] },
        "text",
      ],
    }),
  },
  "hostile-names": {
    "resources/templates/list": () => ({
      resourceTemplates: [{ uriTemplate: "x:/{__proto__}", name: HOSTILE, description: HOSTILE, mimeType: HOSTILE }],
    }),
    "prompts/list": () => ({
      prompts: ["__proto__", "constructor", "then", HOSTILE, "a/b"].map((name) => ({
        name,
        title: HOSTILE,
        description: HOSTILE,
        arguments: [{ name: "__proto__", description: HOSTILE }],
      })),
    }),
  },
  "endless-pages": {
    "resources/templates/list": ({ cursor = "0" }) => ({
      resourceTemplates: [],
      nextCursor: String(Number(cursor) + 1),
    }),
    "prompts/list": () => ({ prompts: [], nextCursor: "again" }),
    "resources/list": ({ cursor = "0" }) => ({ resources, nextCursor: String(Number(cursor) + 1) }),
  },
  flood: {
    "resources/templates/list": () => ({ resourceTemplates: Array(10_001).fill(templates[0]) }),
    "prompts/list": () => ({ prompts: Array(10_001).fill(prompts[0]) }),
    "resources/list": () => ({ resources: Array(100_001).fill(0) }),
  },
  "wrong-types": {
    "resources/templates/list": () => ({ resourceTemplates: "none" }),
    "prompts/list": () => ({ prompts: { 0: prompts[0] } }),
    "resources/list": () => ({}),
    "resources/read": ({ uri }) => ({ contents: WRONG_CONTENTS[uri] }),
    "prompts/get": ({ name }) => ({ messages: WRONG_MESSAGES[name] }),
  },
  unknown: { "resources/templates/list": undefined, "prompts/list": undefined },
  silent: { "resources/templates/list": () => null, "prompts/list": () => null },
};

const WRONG_CONTENTS = {
  "x:text": "text",
  "x:number": [5],
  "x:empty": [{ uri: "x:empty" }],
  "x:blob": [{ uri: "x:blob", blob: "\u0000not base64" }],
};
const WRONG_MESSAGES = {
  text: "text",
  role: [{ role: "system", content: { type: "text" } }],
  bare: [{ role: "user" }],
};

const contents = {
  "note:///open/blob": [{ uri: "note:///open/blob", mimeType: "image/png", blob: "AAEC" }],
  "note:///open/several": [
    { uri: "note:///open/several/1", text: "one" },
    { uri: "note:///open/several/2", blob: "AA==" },
  ],
  "note:///open/none": [],
};

answerLines({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }),
  "resources/templates/list": () => ({ resourceTemplates: templates }),
  "resources/list": ({ cursor }) =>
    cursor === undefined ? { resources: resources.slice(0, 2), nextCursor: "2" } : { resources: resources.slice(2) },
  "resources/read": ({ uri }) => ({ contents: contents[uri] ?? [{ uri, text: `text of ${uri}` }] }),
  "prompts/list": () => ({ prompts }),
  "prompts/get": ({ name, arguments: values }) => ({
    description: `${name} of ${values.topic}`,
    messages: [{ role: "user", content: { type: "text", text: JSON.stringify(values) } }],
  }),
  ...odd[habit],
});
